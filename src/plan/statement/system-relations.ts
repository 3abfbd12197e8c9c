import { type DataType, type Field, field, type Schema } from '../types/schema.ts'

/** A table or a view of the service itself: its rows are made by the main thread, for the super-user alone. */
export interface SystemRelation {
  readonly schema: SystemSchema
  readonly name: string
  readonly type: 'BASE TABLE' | 'VIEW'
  readonly columns: Schema
}

export type SystemSchema = (typeof SYSTEM_SCHEMAS)[number]

/** The schemas beside `public`. */
export const SYSTEM_SCHEMAS = Object.freeze(['information_schema', 'system'] as const)

/**
 * The schemas in which an engine has them. DuckDB has an `information_schema` of its own in each database, which takes no views. The
 * gate writes this name in its place, which has as many letters.
 */
export const SCHEMA_IN_DUCKDB = Object.freeze({
  information_schema: 'information_tables',
  system: 'system',
} as const satisfies Readonly<Record<SystemSchema, string>>)

const TEXT = { kind: 'utf8' } as const
const FLAG = { kind: 'bool' } as const
const COUNT = { kind: 'int', bits: 64, signed: false } as const
const INSTANT = { kind: 'timestamp', unit: 'millisecond', zone: 'UTC' } as const

const TABLE_NAME = [
  field('table_catalog', TEXT, false),
  field('table_schema', TEXT, false),
  field('table_name', TEXT, false),
]

const ROUTINE_NAME = [
  field('specific_catalog', TEXT, false),
  field('specific_schema', TEXT, false),
  field('specific_name', TEXT, false),
]

/** The columns of `information_schema` are those of the SQL standard that the service knows something of. */
export const SYSTEM_RELATIONS: readonly SystemRelation[] = Object.freeze([
  relation('information_schema', 'columns', 'VIEW', [
    ...TABLE_NAME,
    field('column_name', TEXT, false),
    field('ordinal_position', COUNT, false),
    field('column_default', TEXT),
    field('is_nullable', TEXT, false),
    field('data_type', TEXT, false),
    ...nullable(COUNT, [
      'character_maximum_length',
      'character_octet_length',
      'numeric_precision',
      'numeric_precision_radix',
      'numeric_scale',
      'datetime_precision',
    ]),
    field('interval_type', TEXT),
  ]),
  relation('information_schema', 'df_settings', 'VIEW', [field('name', TEXT, false), field('value', TEXT)]),
  relation('information_schema', 'parameters', 'VIEW', [
    ...ROUTINE_NAME,
    field('ordinal_position', COUNT, false),
    field('parameter_mode', TEXT, false),
    field('parameter_name', TEXT),
    field('data_type', TEXT, false),
    field('parameter_default', TEXT),
    field('is_variadic', TEXT, false),
    field('rid', COUNT, false),
  ]),
  relation('information_schema', 'routines', 'VIEW', [
    ...ROUTINE_NAME,
    field('routine_catalog', TEXT, false),
    field('routine_schema', TEXT, false),
    field('routine_name', TEXT, false),
    field('routine_type', TEXT, false),
    field('is_deterministic', TEXT, false),
    field('data_type', TEXT, false),
    field('function_type', TEXT, false),
    field('description', TEXT, false),
    field('syntax_example', TEXT),
  ]),
  relation('information_schema', 'schemata', 'VIEW', [
    field('catalog_name', TEXT, false),
    field('schema_name', TEXT, false),
    ...nullable(TEXT, [
      'schema_owner',
      'default_character_set_catalog',
      'default_character_set_schema',
      'default_character_set_name',
      'sql_path',
    ]),
  ]),
  relation('information_schema', 'tables', 'VIEW', [...TABLE_NAME, field('table_type', TEXT, false)]),
  relation('information_schema', 'views', 'VIEW', [...TABLE_NAME, field('definition', TEXT)]),
  relation('system', 'attached', 'VIEW', [
    field('name', TEXT, false),
    field('kind', TEXT, false),
    field('address', TEXT, false),
    field('secret', TEXT),
    field('persistent', FLAG, false),
    field('state', TEXT, false),
    field('last_error', TEXT),
  ]),
  relation('system', 'crawler_runs', 'BASE TABLE', [
    field('run_id', TEXT, false),
    field('crawler', TEXT, false),
    field('trigger', TEXT, false),
    field('dry_run', FLAG, false),
    field('state', TEXT, false),
    field('started_at', INSTANT, false),
    field('duration_ms', COUNT),
    field('folders', COUNT, false),
    field('files', COUNT, false),
    field('tables', COUNT, false),
    field('report', TEXT),
    field('error', TEXT),
  ]),
  relation('system', 'file_stats', 'VIEW', [
    field('path', TEXT, false),
    field('file_id', COUNT, false),
    field('state', TEXT, false),
    field('format', TEXT, false),
    ...nullable(COUNT, ['column_count', 'num_rows', 'total_byte_size', 'stats_epoch']),
    field('size', COUNT, false),
    field('last_modified_millis', COUNT, false),
  ]),
  relation('system', 'file_stats_segments', 'VIEW', [
    field('segment', TEXT, false),
    field('seq', COUNT, false),
    field('min_file_id', COUNT, false),
    field('max_file_id', COUNT, false),
    field('num_files', COUNT, false),
    field('num_columns', COUNT, false),
  ]),
  relation('system', 'query_metrics', 'BASE TABLE', [
    field('query_id', TEXT, false),
    field('username', TEXT, false),
    field('finished_at', INSTANT, false),
    field('query', TEXT, false),
    field('input_rows', COUNT, false),
    field('input_bytes', COUNT, false),
    field('result_num_rows', COUNT, false),
    field('result_size_in_bytes', COUNT, false),
    field('execution_time_ms', COUNT, false),
    field('file_paths', TEXT, false),
    field('parsed_logical_plan', TEXT, false),
    field('optimized_logical_plan', TEXT, false),
    field('node_metrics', TEXT, false),
    field('stage_times_ms', TEXT, false),
    field('user_source', TEXT, false),
  ]),
  relation('system', 'role_rules', 'VIEW', [
    field('role', TEXT, false),
    ...nullable(TEXT, ['effect', 'privilege', 'target_type', 'target_value']),
  ]),
  relation('system', 'roles', 'VIEW', [
    field('role_name', TEXT, false),
    field('grants', TEXT, false),
    field('denies', TEXT, false),
  ]),
  relation('system', 'users', 'VIEW', [
    field('username', TEXT, false),
    field('roles', TEXT, false),
    field('is_super_user', FLAG, false),
    field('is_anonymous', FLAG, false),
  ]),
])

function relation(
  schema: SystemSchema,
  name: string,
  type: SystemRelation['type'],
  fields: readonly Field[],
): SystemRelation {
  const columns = Object.freeze({ fields: Object.freeze(fields), metadata: Object.freeze({}) })
  return Object.freeze({ schema, name, type, columns })
}

function nullable(type: DataType, names: readonly string[]): readonly Field[] {
  return names.map((name) => field(name, type))
}

/** The relation of this name, in lower case. Null: there is none. */
export function systemRelation(schema: string, name: string): SystemRelation | null {
  return SYSTEM_RELATIONS.find((each) => each.schema === schema && each.name === name) ?? null
}
