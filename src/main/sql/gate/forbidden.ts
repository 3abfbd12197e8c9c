import type { Formats } from '../../../plan/format/create-formats.ts'
import {
  DATASETS_FUNCTION,
  SCHEMA_SUFFIX,
  STATISTICS_FUNCTION,
  VARIABLES_SUFFIX,
} from '../../../plan/statement/functions.ts'

/** The table functions of DuckDB that a statement may call. None of them opens a file. */
const TABLE_FUNCTIONS = new Set(['generate_series', 'range', 'repeat', 'unnest'])

/** Functions of DuckDB that show or change its state, or reach files, memory or other statements. No query may call them. */
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
  'sum_no_overflow',
  'truncate_duckdb_logs',
  'which_secret',
  'write_log',
])

/** Functions that are wrong in DuckDB where addresses have 32 bits: with a list of 2³⁰ values they write beyond its memory. */
const UNSAFE_FUNCTIONS = new Set(['array_resize', 'list_resize'])

const INTERNAL_PREFIXES = [
  '__',
  '_rows',
  '_scan_',
  '_system',
  '_table',
  'duckdb_',
  'parquet_',
  'pg_',
  'pragma_',
  'read_',
  'sqlite_',
]
const SYSTEM_PREFIXES = ['duckdb_', 'pg_', 'pragma_', 'sqlite_']
const SYSTEM_SCHEMAS = new Set(['pg_catalog'])
const SYSTEM_QUALIFIERS = new Set(['main', 'memory', 'pg_catalog', 'system', 'temp'])

// SQL ignores the case of ASCII letters in names. `toLowerCase` also folds other letters, which none of the names here has.

/** Whether a query may call the function where a table is expected. */
export function isTableFunction(name: string, formats: Formats): boolean {
  return TABLE_FUNCTIONS.has(name.toLowerCase()) || isServiceFunction(name, formats)
}

/** Whether it is a table function of the service: one that reads files, lists their columns or their statistics, or lists datasets. */
export function isServiceFunction(name: string, { functions }: Formats): boolean {
  const lower = name.toLowerCase()
  if (lower.endsWith(VARIABLES_SUFFIX))
    return functions.get(lower.slice(0, -VARIABLES_SUFFIX.length))?.layout === 'grid'
  const reader = lower.endsWith(SCHEMA_SUFFIX) ? lower.slice(0, -SCHEMA_SUFFIX.length) : lower
  return lower === DATASETS_FUNCTION || lower === STATISTICS_FUNCTION || functions.has(reader)
}

/** Whether queries may not call a function of this name anywhere, except as a table function that `isTableFunction` allows. */
export function isInternalFunction(name: string): boolean {
  const lower = name.toLowerCase()
  if (UNSAFE_FUNCTIONS.has(lower)) return true
  return INTERNAL_FUNCTIONS.has(lower) || INTERNAL_PREFIXES.some((prefix) => lower.startsWith(prefix))
}

/** Whether a table or view of this name may be one of DuckDB's own, which it finds without the name of a schema. */
export function isSystemRelation(name: string): boolean {
  const lower = name.toLowerCase()
  return SYSTEM_PREFIXES.some((prefix) => lower.startsWith(prefix))
}

/** Whether a schema of this name contains DuckDB's own tables and views. */
export function isSystemSchema(name: string): boolean {
  return SYSTEM_SCHEMAS.has(name.toLowerCase())
}

/**
 * Whether a function behind this name and a dot is DuckDB's own, in place of one that the service has defined under the same
 * name.
 */
export function isSystemQualifier(name: string): boolean {
  return SYSTEM_QUALIFIERS.has(name.toLowerCase())
}
