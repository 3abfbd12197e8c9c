import { ServiceError } from '../../plan/errors.ts'
import type { Duck } from './instance.ts'

/** An in-memory database with a number of connections, all alike. */
export interface Database {
  readonly duck: Duck
  readonly handle: number
  readonly connections: readonly number[]
}

export interface DatabaseOptions {
  /** Bytes that statements may use together. */
  readonly memoryBytes: number
  /** As many statements can be open at once. */
  readonly connections: number
}

/** Numbers of `duckdb_state`. */
export const SUCCESS = 0

/**
 * What a database is opened with. Spilling gives wrong answers in WebAssembly, so there is no temporary directory.
 * Null order and integer division are the dialect's (docs/reference/sql.md, "Dialect").
 */
const CONFIG: Readonly<Record<string, string>> = Object.freeze({
  threads: '1',
  temp_directory: '',
  autoload_known_extensions: 'false',
  autoinstall_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_persistent_secrets: 'false',
  enable_external_access: 'false',
  default_null_order: 'nulls_last_on_asc_first_on_desc',
  integer_division: 'true',
})

/**
 * A row leaves as soon as there is one. The default holds the first back until there are 976 KiB; 0 B would hold back
 * everything. A setting of each connection.
 */
const STREAMING_BUFFER = '1B'

/** How deep an expression, or one query in another, may be nested: the text of a plan grows with its square. */
const MOST_DEEP = 500

/** Opens a database. Its settings can be changed until `lock`. */
export function openDatabase(duck: Duck, options: DatabaseOptions): Database {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const slot = scratch.bytes(4)
  const handle = (): number => memory.views().u32[slot / 4] ?? 0
  const must = (state: number, what: string): void => {
    if (state !== SUCCESS) throw new ServiceError('internal', `DuckDB: ${what} failed`)
  }

  must(api.duckdb_create_config(slot), 'duckdb_create_config')
  const config = handle()
  const settings = { ...CONFIG, memory_limit: `${options.memoryBytes}B` }
  for (const [name, value] of Object.entries(settings))
    must(api.duckdb_set_config(config, scratch.text(name), scratch.text(value)), `setting ${name}`)
  must(api.duckdb_open_ext(0, slot, config, 0), 'duckdb_open_ext')
  const database = handle()
  duck.destroy('duckdb_destroy_config', config)

  const connections = Array.from({ length: options.connections }, () => {
    must(api.duckdb_connect(database, slot), 'duckdb_connect')
    return handle()
  })
  const opened = { duck, handle: database, connections }
  for (const connection of connections) {
    run(duck, connection, `SET SESSION streaming_buffer_size = '${STREAMING_BUFFER}'`)
    run(duck, connection, `SET SESSION max_expression_depth = ${MOST_DEEP}`)
  }
  return opened
}

/** From now on no setting can be changed, not even this one. */
export function lock({ duck, connections: [connection = 0] }: Database): void {
  run(duck, connection, 'SET GLOBAL lock_configuration = true')
}

/** Runs one of our own statements, whose rows nobody wants. */
export function run(duck: Duck, connection: number, sql: string): void {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const result = scratch.bytes(RESULT_BYTES)
  const state = api.duckdb_query(connection, scratch.text(sql), result)
  const message = state === SUCCESS ? null : memory.text(api.duckdb_result_error(result))
  api.duckdb_destroy_result(result)
  if (message !== null) throw new ServiceError('internal', `${sql}: ${message}`)
}

/** Bytes of `struct duckdb_result` where addresses have 32 bits (it has 40), generously. */
export const RESULT_BYTES = 64
