import { ServiceError } from '../../../plan/errors.ts'
import { SUCCESS } from '../database.ts'
import type { Duck } from '../instance.ts'
import { type LogicalType, withLogicalType } from '../logical-type.ts'
import { takeValue, type Value } from '../value.ts'

/**
 * A table function that is implemented in JavaScript and returns its rows chunk by chunk, with projection pushdown. `Bound` is
 * the result of `bind`, and `Scan` the state of one scan of the rows. DuckDB frees both, at the latest with the next statement on
 * the connection. An error that is thrown ends the statement.
 */
export interface TableFunction<Bound, Scan> {
  readonly name: string
  readonly parameters: readonly LogicalType[]
  bind(values: readonly Value[]): Binding<Bound>
  /** Begins a scan. `columns[i]` is the column of vector `i` in each chunk. Null: its values are not used. */
  init(bound: Bound, columns: readonly (number | null)[]): Scan
  /** Fills a chunk and returns the number of its rows, at most `duckdb_vector_size`. 0: there are no more. */
  next(scan: Scan, chunk: number): number
  endBound?(bound: Bound): void
  endScan?(scan: Scan): void
  /** Called with each error. DuckDB gets only its message. */
  failed?(error: unknown): void
}

export interface Binding<Bound> {
  readonly columns: readonly BoundColumn[]
  /** The estimated number of rows. The plan shows it unchanged. */
  readonly rows: number
  readonly bound: Bound
}

export interface BoundColumn {
  readonly name: string
  readonly type: LogicalType
}

/**
 * The name of a column before all others, whose values cost nothing. DuckDB reads the first column for `count(*)`. A macro
 * around the function leaves the column out.
 */
export const ROW_COLUMN = '\x01n'

/** Registers a function for all connections of a database. */
export function registerTableFunction<Bound, Scan>(
  duck: Duck,
  connection: number,
  tableFunction: TableFunction<Bound, Scan>,
): void {
  const { api, memory } = duck
  const guard = callbackGuard(duck, tableFunction.failed)
  const bindings = createHandles(duck, tableFunction.endBound)
  const scans = createHandles(duck, tableFunction.endScan)

  const bind = guard('duckdb_bind_set_error', (info) => {
    const count = Number(api.duckdb_bind_get_parameter_count(info))
    const values = Array.from({ length: count }, (_, index) =>
      takeValue(duck, api.duckdb_bind_get_parameter(info, BigInt(index))),
    )
    const { columns, rows, bound } = tableFunction.bind(values)
    for (const { name, type } of [{ name: ROW_COLUMN, type: { kind: 'boolean' } } as const, ...columns]) {
      using scratch = memory.scratch()
      const text = scratch.text(name)
      withLogicalType(duck, type, (handle) => api.duckdb_bind_add_result_column(info, text, handle))
    }
    api.duckdb_bind_set_cardinality(info, BigInt(rows), 1)
    api.duckdb_bind_set_bind_data(info, bindings.keep(bound), bindings.end)
  })
  const init = guard('duckdb_init_set_error', (info) => {
    const count = Number(api.duckdb_init_get_column_count(info))
    const columns = Array.from({ length: count }, (_, index) => {
      const column = api.duckdb_init_get_column_index(info, BigInt(index))
      return column === 0n ? null : Number(column) - 1
    })
    const scan = tableFunction.init(bindings.get(api.duckdb_init_get_bind_data(info)), columns)
    api.duckdb_init_set_init_data(info, scans.keep(scan), scans.end)
    api.duckdb_init_set_max_threads(info, 1n)
  })
  const next = guard('duckdb_function_set_error', (info, chunk = 0) => {
    const rows = tableFunction.next(scans.get(api.duckdb_function_get_init_data(info)), chunk)
    api.duckdb_data_chunk_set_size(chunk, BigInt(rows))
  })

  using scratch = memory.scratch()
  const fn = api.duckdb_create_table_function()
  api.duckdb_table_function_set_name(fn, scratch.text(tableFunction.name))
  for (const parameter of tableFunction.parameters)
    withLogicalType(duck, parameter, (type) => api.duckdb_table_function_add_parameter(fn, type))
  api.duckdb_table_function_set_bind(fn, duck.addCallback(1, bind))
  api.duckdb_table_function_set_init(fn, duck.addCallback(1, init))
  api.duckdb_table_function_set_function(fn, duck.addCallback(2, next))
  api.duckdb_table_function_supports_projection_pushdown(fn, 1)
  const state = api.duckdb_register_table_function(connection, fn)
  duck.destroy('duckdb_destroy_table_function', fn)
  if (state !== SUCCESS)
    throw new ServiceError('internal', `DuckDB does not take the function ${tableFunction.name}`)
}

type Callback = (info: number, chunk?: number) => void
type SetError = 'duckdb_bind_set_error' | 'duckdb_init_set_error' | 'duckdb_function_set_error'

/** Wraps callbacks, which must not throw: DuckDB gets the message of an error instead. */
export function callbackGuard(duck: Duck, failed: ((error: unknown) => void) | undefined) {
  return (setError: SetError, callback: Callback): Callback =>
    (info, chunk) => {
      try {
        callback(info, chunk)
      } catch (error) {
        failed?.(error)
        using scratch = duck.memory.scratch()
        const message = error instanceof Error ? error.message : String(error)
        duck.api[setError](info, scratch.text(message))
      }
    }
}

/** A table of objects that DuckDB keeps. DuckDB takes their numbers for addresses, but never dereferences them. */
function createHandles<T>(duck: Duck, ended: ((item: T) => void) | undefined) {
  const items = new Map<number, T>()
  let last = 0
  return {
    keep(item: T): number {
      last += 1
      items.set(last, item)
      return last
    },
    get(handle: number): T {
      const item = items.get(handle)
      if (item === undefined) throw new ServiceError('internal', 'DuckDB asks for what has ended')
      return item
    },
    /** The pointer of the callback by which DuckDB frees an object. */
    end: duck.addCallback(1, (handle = 0) => {
      const item = items.get(handle)
      items.delete(handle)
      if (item !== undefined) ended?.(item)
    }),
  }
}
