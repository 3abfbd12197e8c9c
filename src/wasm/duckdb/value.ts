import type { Duck } from './instance.ts'
import { TYPE_ID } from './logical-type.ts'

/** A constant in a statement; a type that nobody here wants is `undefined`. */
export type Value = string | bigint | null | undefined | readonly Value[]

const INTEGERS: ReadonlySet<number> = new Set([
  TYPE_ID.tinyint,
  TYPE_ID.smallint,
  TYPE_ID.integer,
  TYPE_ID.bigint,
  TYPE_ID.utinyint,
  TYPE_ID.usmallint,
  TYPE_ID.uinteger,
])

/** Reads a `duckdb_value` and ends it. */
export function takeValue(duck: Duck, value: number): Value {
  try {
    return read(duck, value)
  } finally {
    duck.destroy('duckdb_destroy_value', value)
  }
}

function read(duck: Duck, value: number): Value {
  const { api, memory } = duck
  // Before anything else: the text of a null is an exception that nobody catches.
  if (api.duckdb_is_null_value(value)) return null
  const type = api.duckdb_get_type_id(api.duckdb_get_value_type(value))
  if (type === TYPE_ID.varchar) return memory.takeText(api.duckdb_get_varchar(value))
  if (INTEGERS.has(type)) return api.duckdb_get_int64(value)
  if (type !== TYPE_ID.list) return undefined
  return Array.from({ length: Number(api.duckdb_get_list_size(value)) }, (_, index) =>
    takeValue(duck, api.duckdb_get_list_child(value, BigInt(index))),
  )
}
