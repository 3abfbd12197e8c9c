import { ServiceError } from '../../plan/errors.ts'
import { SUCCESS } from './database.ts'
import type { Duck } from './instance.ts'
import { type LogicalType, withLogicalType } from './logical-type.ts'
import { takeValue, type Value } from './value.ts'

/**
 * A table function whose rows come from here, chunk by chunk, with projection pushdown. `Bound` is what `bind` learns,
 * `Scan` the state of one run through the rows; DuckDB says when each ends, at the latest with the next statement on the
 * connection. What is thrown ends the statement.
 */
export interface TableFunction<Bound, Scan> {
  readonly name: string
  readonly parameters: readonly LogicalType[]
  bind(values: readonly Value[]): Binding<Bound>
  /** `columns[i]` is the column that vector `i` of a chunk is for; null: a vector that is of no use. */
  init(bound: Bound, columns: readonly (number | null)[]): Scan
  /** Fills the chunk and returns its rows, at most `duckdb_vector_size`; 0 at the end. */
  next(scan: Scan, chunk: number): number
  endBound?(bound: Bound): void
  endScan?(scan: Scan): void
  /** Learns of each error, of which DuckDB gets the message only. */
  failed?(error: unknown): void
}

export interface Binding<Bound> {
  readonly columns: readonly BoundColumn[]
  /** Estimate, shown in the plan as it is. */
  readonly rows: number
  readonly bound: Bound
}

export interface BoundColumn {
  readonly name: string
  readonly type: LogicalType
}

/**
 * `count(*)` asks for the first column, whatever that is. So there is one more before all others, which costs nothing;
 * a macro around the function leaves it out of its rows.
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

/** Nothing may be thrown through DuckDB: an error becomes its message. */
function callbackGuard(duck: Duck, failed: ((error: unknown) => void) | undefined) {
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

/** Objects that DuckDB keeps: for it they are numbers that look like addresses, which it never follows. */
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
    /** The callback by which DuckDB ends a handle. */
    end: duck.addCallback(1, (handle = 0) => {
      const item = items.get(handle)
      items.delete(handle)
      if (item !== undefined) ended?.(item)
    }),
  }
}
