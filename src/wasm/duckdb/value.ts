import { ServiceError } from '../../plan/errors.ts'
import type { Duck } from './instance.ts'
import { TYPE_ID } from './logical-type.ts'

/** A constant in a statement: a struct and a map of text are objects. Undefined: it has a type that is not used here. */
export type Value = string | bigint | boolean | null | undefined | readonly Value[] | Members

interface Members {
  readonly [name: string]: Value
}

const INTEGERS: ReadonlySet<number> = new Set([
  TYPE_ID.tinyint,
  TYPE_ID.smallint,
  TYPE_ID.integer,
  TYPE_ID.bigint,
  TYPE_ID.utinyint,
  TYPE_ID.usmallint,
  TYPE_ID.uinteger,
])

/** The most items of lists, structs and maps, the nested ones included. A short statement can make a list of millions. */
const MAX_ITEMS = 16_384

/** Reads a `duckdb_value` and destroys it. Throws `invalid_sql` for a list that is too long. */
export function takeValue(duck: Duck, value: number): Value {
  return take(duck, value, { remaining: MAX_ITEMS })
}

function take(duck: Duck, value: number, items: { remaining: number }): Value {
  try {
    return read(duck, value, items)
  } finally {
    duck.destroy('duckdb_destroy_value', value)
  }
}

function read(duck: Duck, value: number, items: { remaining: number }): Value {
  const { api, memory } = duck
  // First, because `duckdb_get_varchar` of a null throws a C++ exception that is not caught.
  if (api.duckdb_is_null_value(value)) return null
  const type = api.duckdb_get_type_id(api.duckdb_get_value_type(value))
  if (type === TYPE_ID.varchar) return memory.takeText(api.duckdb_get_varchar(value))
  if (INTEGERS.has(type)) return api.duckdb_get_int64(value)
  switch (type) {
    case TYPE_ID.boolean:
      return api.duckdb_get_bool(value) !== 0
    case TYPE_ID.list:
      return takeItems(api.duckdb_get_list_size(value), items, (index) =>
        take(duck, api.duckdb_get_list_child(value, index), items),
      )
    case TYPE_ID.struct: {
      // The type belongs to the value, and is not destroyed by itself.
      const struct = api.duckdb_get_value_type(value)
      const members = takeItems(api.duckdb_struct_type_child_count(struct), items, (index) => [
        memory.takeText(api.duckdb_struct_type_child_name(struct, index)),
        take(duck, api.duckdb_get_struct_child(value, index), items),
      ])
      return Object.fromEntries(members)
    }
    case TYPE_ID.map: {
      const members = takeItems(api.duckdb_get_map_size(value), items, (index) => [
        String(take(duck, api.duckdb_get_map_key(value, index), items)),
        take(duck, api.duckdb_get_map_value(value, index), items),
      ])
      return Object.fromEntries(members)
    }
  }
  return undefined
}

/** Takes the items of a list, a struct or a map one by one. Throws `invalid_sql` if there are too many. */
function takeItems<T>(size: bigint, items: { remaining: number }, item: (index: bigint) => T): T[] {
  const length = Number(size)
  items.remaining -= length
  if (items.remaining < 0)
    throw new ServiceError(
      'invalid_sql',
      `An argument of a function that reads files is a list of more than ${MAX_ITEMS} items; a glob names many files.`,
    )
  return Array.from({ length }, (_, index) => item(BigInt(index)))
}
