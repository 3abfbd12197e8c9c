import type { Formats } from '../../../plan/format/create-formats.ts'
import { DATASETS_FUNCTION, SCHEMA_SUFFIX } from '../../../plan/statement/functions.ts'

/** What a statement may call where a table is expected, besides the readers of files: functions that open none. */
const TABLE_FUNCTIONS = new Set([DATASETS_FUNCTION, 'generate_series', 'range', 'repeat', 'unnest'])

/** Functions of DuckDB that show or change its own state, or reach files, memory or other statements. */
const INTERNAL_FUNCTIONS = new Set([
  'arrow_scan',
  'arrow_scan_dumb',
  'checkpoint',
  'current_query',
  'current_setting',
  'currval',
  'disable_logging',
  'enable_logging',
  'force_checkpoint',
  'getenv',
  'getvariable',
  'glob',
  'nextval',
  'parse_duckdb_log_message',
  'query',
  'query_table',
  'seq_scan',
  'set_config',
  'setseed',
  'sniff_csv',
  'stats',
  'truncate_duckdb_logs',
  'which_secret',
  'write_log',
])

/** What DuckDB does wrong where addresses have 32 bits: of a list of 2³⁰ values it overwrites memory beyond it. */
const UNSAFE_FUNCTIONS = new Set(['array_resize', 'list_resize'])

const INTERNAL_PREFIXES = [
  '__',
  '_rows',
  '_scan_',
  '_table',
  'duckdb_',
  'parquet_',
  'pg_',
  'pragma_',
  'read_',
  'sqlite_',
]
const SYSTEM_PREFIXES = ['duckdb_', 'pg_', 'pragma_', 'sqlite_']
const SYSTEM_SCHEMAS = new Set(['information_schema', 'pg_catalog'])
const SYSTEM_QUALIFIERS = new Set(['main', 'memory', 'pg_catalog', 'system', 'temp'])

// Names in SQL ignore the case of ASCII letters; folding more of them refuses no name that could matter.

/** Whether a query may call the function where a table is expected. */
export function isTableFunction(name: string, { functions }: Formats): boolean {
  const lower = name.toLowerCase()
  const reader = lower.endsWith(SCHEMA_SUFFIX) ? lower.slice(0, -SCHEMA_SUFFIX.length) : lower
  return TABLE_FUNCTIONS.has(lower) || functions.has(reader)
}

/** Whether no query may call the function, wherever the call stands, unless it is one that reads files. */
export function isInternalFunction(name: string): boolean {
  const lower = name.toLowerCase()
  if (UNSAFE_FUNCTIONS.has(lower)) return true
  return INTERNAL_FUNCTIONS.has(lower) || INTERNAL_PREFIXES.some((prefix) => lower.startsWith(prefix))
}

/** Whether a table or view of this name could be one of DuckDB's own, which are found without a schema. */
export function isSystemRelation(name: string): boolean {
  const lower = name.toLowerCase()
  return SYSTEM_PREFIXES.some((prefix) => lower.startsWith(prefix))
}

/** Whether a schema holds what DuckDB tells of itself. */
export function isSystemSchema(name: string): boolean {
  return SYSTEM_SCHEMAS.has(name.toLowerCase())
}

/** Whether a name after this one and a dot is DuckDB's own, past what the service puts before it. */
export function isSystemQualifier(name: string): boolean {
  return SYSTEM_QUALIFIERS.has(name.toLowerCase())
}
