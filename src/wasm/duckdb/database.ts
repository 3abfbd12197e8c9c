import { ServiceError } from '../../plan/errors.ts'
import type { Duck } from './instance.ts'

/** An in-memory database with connections that all have the same settings. */
export interface Database {
  readonly duck: Duck
  readonly handle: number
  readonly connections: readonly number[]
}

export interface DatabaseOptions {
  /** The most bytes that all statements may use together. */
  readonly memoryBytes: number
  /** The number of connections. Each can have one open statement. */
  readonly connections: number
}

/** The value of `duckdb_state` for success. */
export const SUCCESS = 0

/**
 * The settings of a database. There is no temporary directory, because spilling gives wrong answers in WebAssembly. Null order
 * and integer division are those of the dialect (docs/reference/sql.md, "Dialect").
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
 * The smallest buffer, with which DuckDB returns rows as soon as it has one. By default it collects 976 KiB first, and with 0 B
 * all rows. It is a setting of each connection.
 */
const STREAMING_BUFFER = '1B'

/** The most levels of nested expressions and queries. The text of a plan grows with their square. */
const MAX_DEPTH = 600

/** Opens a database, whose settings can be changed until `lock`. Throws `internal` when DuckDB fails. */
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
    run(duck, connection, `SET SESSION max_expression_depth = ${MAX_DEPTH}`)
    // Errors tell the position in the statement.
    run(duck, connection, 'SET SESSION errors_as_json = true')
  }
  return opened
}

/** Locks the settings: statements cannot change them, and the lock cannot be removed. */
export function lock({ duck, connections: [connection = 0] }: Database): void {
  run(duck, connection, 'SET GLOBAL lock_configuration = true')
}

/** Runs a statement of the service itself and ignores its rows. Throws `internal` when it fails. */
export function run(duck: Duck, connection: number, sql: string): void {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const result = scratch.bytes(RESULT_BYTES)
  const state = api.duckdb_query(connection, scratch.text(sql), result)
  const message = state === SUCCESS ? null : memory.text(api.duckdb_result_error(result))
  api.duckdb_destroy_result(result)
  if (message !== null) throw new ServiceError('internal', `${sql}: ${message}`)
}

/** Bytes to allocate for `struct duckdb_result`. With 32-bit addresses it has 40. */
export const RESULT_BYTES = 64
