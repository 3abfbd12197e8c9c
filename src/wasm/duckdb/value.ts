import { ServiceError } from '../../plan/errors.ts'
import type { Duck } from './instance.ts'
import { TYPE_ID } from './logical-type.ts'

/** A constant in a statement. Undefined: it has a type that is not used here. */
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

/** The most items of a list, those of nested lists included. A short statement can make a list of millions. */
const MAX_ITEMS = 16_384

/** Reads a `duckdb_value` and destroys it. Throws `invalid_sql` for a list that is too long. */
export function takeValue(duck: Duck, value: number): Value {
  return take(duck, value, { left: MAX_ITEMS })
}

function take(duck: Duck, value: number, items: { left: number }): Value {
  try {
    return read(duck, value, items)
  } finally {
    duck.destroy('duckdb_destroy_value', value)
  }
}

function read(duck: Duck, value: number, items: { left: number }): Value {
  const { api, memory } = duck
  // First, because `duckdb_get_varchar` of a null throws a C++ exception that is not caught.
  if (api.duckdb_is_null_value(value)) return null
  const type = api.duckdb_get_type_id(api.duckdb_get_value_type(value))
  if (type === TYPE_ID.varchar) return memory.takeText(api.duckdb_get_varchar(value))
  if (INTEGERS.has(type)) return api.duckdb_get_int64(value)
  if (type !== TYPE_ID.list) return undefined
  const length = Number(api.duckdb_get_list_size(value))
  items.left -= length
  if (items.left < 0)
    throw new ServiceError(
      'invalid_sql',
      `An argument of a function that reads files is a list of more than ${MAX_ITEMS} items; a glob names many files.`,
    )
  return Array.from({ length }, (_, index) =>
    take(duck, api.duckdb_get_list_child(value, BigInt(index)), items),
  )
}
