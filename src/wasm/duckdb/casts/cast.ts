import { ServiceError } from '../../../plan/errors.ts'
import { SUCCESS } from '../database.ts'
import type { Duck } from '../instance.ts'
import { type LogicalType, withLogicalType } from '../logical-type.ts'
import { floorDivide } from './words.ts'

/** Converts the values of one type to another one. */
export interface Cast {
  readonly from: LogicalType
  readonly to: LogicalType
  /** What choosing an overload counts for it: the cast with the least is taken. Null: it happens only where a statement asks for it. */
  readonly cost: number | null
  convert(rows: CastRows): void
}

/** The rows that a cast converts. */
export interface CastRows {
  readonly duck: Duck
  readonly count: number
  /** The addresses of the first values. A row without a value may hold anything. */
  readonly from: number
  readonly to: number
  /** The vector of results. */
  readonly result: number
  hasValue(row: number): boolean
  /** Tells that the value of a row has no form in the other type. In a TRY_CAST the row becomes null. */
  fail(row: number, message: string): void
}

/** Converts values of 64 bits to the same. */
export function copy({ duck, from, to, count }: CastRows): void {
  duck.memory.views().u8.copyWithin(to, from, from + 8 * count)
}

/** Converts integers of 64 bits to a coarser unit, rounding down (`floorDivide`). */
export function divide(divisor: number): (rows: CastRows) => void {
  return ({ duck, from, to, count }) => floorDivide(duck.memory.views().u32, from, to, count, divisor)
}

/** The value of `duckdb_cast_mode` for TRY_CAST. */
const TRY = 1

/** Registers casts for all connections of a database. Of two for the same types the first one counts. Throws `internal`. */
export function registerCasts(duck: Duck, connection: number, casts: readonly Cast[]): void {
  for (const cast of casts) {
    const { api } = duck
    const castFunction = api.duckdb_create_cast_function()
    withLogicalType(duck, cast.from, (type) => api.duckdb_cast_function_set_source_type(castFunction, type))
    withLogicalType(duck, cast.to, (type) => api.duckdb_cast_function_set_target_type(castFunction, type))
    if (cast.cost !== null) api.duckdb_cast_function_set_implicit_cast_cost(castFunction, BigInt(cast.cost))
    const run = duck.addCastFunction((info, count, input, result) =>
      convert(duck, cast, info, count, input, result),
    )
    api.duckdb_cast_function_set_function(castFunction, run)
    const state = api.duckdb_register_cast_function(connection, castFunction)
    duck.destroy('duckdb_destroy_cast_function', castFunction)
    if (state !== SUCCESS)
      throw new ServiceError('internal', `DuckDB: a cast from ${cast.from.kind} to ${cast.to.kind} failed`)
  }
}

/** Whether all rows were converted, as DuckDB takes it: a number. DuckDB has made the input flat. */
function convert(duck: Duck, cast: Cast, info: number, count: number, input: number, result: number): number {
  const { api, memory } = duck
  let hasFailed = false
  const fail = (row: number, message: string): void => {
    using scratch = memory.scratch()
    const text = scratch.text(message)
    if (api.duckdb_cast_function_get_cast_mode(info) === TRY) {
      api.duckdb_cast_function_set_row_error(info, text, BigInt(row), result)
      return
    }
    if (!hasFailed) api.duckdb_cast_function_set_error(info, text)
    hasFailed = true
  }
  try {
    const validity = api.duckdb_vector_get_validity(input)
    if (validity !== 0) {
      api.duckdb_vector_ensure_validity_writable(result)
      const bytes = 8 * Math.ceil(count / 64)
      memory.views().u8.copyWithin(api.duckdb_vector_get_validity(result), validity, validity + bytes)
    }
    cast.convert({
      duck,
      count,
      from: api.duckdb_vector_get_data(input),
      to: api.duckdb_vector_get_data(result),
      result,
      hasValue: (row) =>
        validity === 0 || (((memory.views().u8[validity + (row >> 3)] ?? 0) >> (row & 7)) & 1) === 1,
      fail,
    })
  } catch (error) {
    // Nothing may be thrown through DuckDB.
    fail(0, error instanceof Error ? error.message : String(error))
  }
  return hasFailed ? 0 : 1
}
