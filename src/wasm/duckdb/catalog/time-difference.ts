import type { Duck } from '../instance.ts'
import { TYPE_ID } from '../logical-type.ts'
import { OVERLOAD, TYPE } from './function-layout.ts'
import type { Overload } from './overload.ts'

/*
 * An INTERVAL that is the difference of two times has no months. DuckDB has no type for that. So the result of such an overload is an
 * INTERVAL with an empty name: DuckDB takes it for any other INTERVAL, since it only compares the names of types that have one, and hands
 * the type on to columns of subqueries, to `min`, `max` and others whose result has the type of an argument.
 */

/** Marks the result of an overload for `isTimeDifference`. */
export function markTimeDifference({ api, memory }: Duck, overload: Overload): void {
  const type = api.duckdb_create_logical_type(TYPE_ID.interval)
  using scratch = memory.scratch()
  api.duckdb_logical_type_set_alias(type, scratch.text(''))
  memory.views().u8.copyWithin(overload.address + OVERLOAD.returns, type, type + TYPE.bytes)
  // Its name has the overload as its owner now, so that only the memory of the handle is freed.
  memory.free(type)
}

/** Whether a type at an address, such as a handle, is an INTERVAL that such an overload has made. */
export function isTimeDifference({ api, memory }: Duck, type: number): boolean {
  return api.duckdb_get_type_id(type) === TYPE_ID.interval && memory.views().u32[(type + TYPE.info) / 4] !== 0
}
