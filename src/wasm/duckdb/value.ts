import { ServiceError } from '../../plan/errors.ts'
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

/** Items that are read of a list, those of lists in it included: a short statement can make a list of millions. */
const MOST_ITEMS = 16_384

/** Reads a `duckdb_value` and ends it. Throws `invalid_sql` for a list that is too long. */
export function takeValue(duck: Duck, value: number): Value {
  return take(duck, value, { left: MOST_ITEMS })
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
  // Before anything else: the text of a null is an exception that nobody catches.
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
      `An argument of a function that reads files is a list of more than ${MOST_ITEMS} items; a glob names many files.`,
    )
  return Array.from({ length }, (_, index) =>
    take(duck, api.duckdb_get_list_child(value, BigInt(index)), items),
  )
}
