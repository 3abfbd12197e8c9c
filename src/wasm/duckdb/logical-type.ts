import type { Duck } from './instance.ts'

/** The values of `duckdb_type` (duckdb.h). */
export const TYPE_ID = Object.freeze({
  boolean: 1,
  tinyint: 2,
  smallint: 3,
  integer: 4,
  bigint: 5,
  utinyint: 6,
  usmallint: 7,
  uinteger: 8,
  ubigint: 9,
  float: 10,
  double: 11,
  timestamp: 12,
  date: 13,
  time: 14,
  interval: 15,
  hugeint: 16,
  varchar: 17,
  blob: 18,
  decimal: 19,
  timestamp_s: 20,
  timestamp_ms: 21,
  timestamp_ns: 22,
  enum: 23,
  list: 24,
  struct: 25,
  map: 26,
  uuid: 27,
  union: 28,
  bit: 29,
  time_tz: 30,
  timestamp_tz: 31,
  uhugeint: 32,
  array: 33,
  any: 34,
  bignum: 35,
  sqlnull: 36,
  time_ns: 39,
})

type SimpleType = Exclude<
  keyof typeof TYPE_ID,
  'decimal' | 'enum' | 'list' | 'struct' | 'map' | 'union' | 'array'
>

/** A type of DuckDB as plain data. */
export type LogicalType =
  | { readonly kind: SimpleType }
  | { readonly kind: 'decimal'; readonly width: number; readonly scale: number }
  | { readonly kind: 'list'; readonly item: LogicalType }
  | { readonly kind: 'array'; readonly item: LogicalType; readonly size: number }
  | { readonly kind: 'map'; readonly key: LogicalType; readonly value: LogicalType }
  | { readonly kind: 'struct'; readonly fields: readonly StructField[] }

export interface StructField {
  readonly name: string
  readonly type: LogicalType
}

/** Calls `use` with a handle of the type, which is destroyed after the call. */
export function withLogicalType<T>(duck: Duck, type: LogicalType, use: (handle: number) => T): T {
  const handle = create(duck, type)
  try {
    return use(handle)
  } finally {
    duck.destroy('duckdb_destroy_logical_type', handle)
  }
}

function create(duck: Duck, type: LogicalType): number {
  const { api } = duck
  switch (type.kind) {
    case 'decimal':
      return api.duckdb_create_decimal_type(type.width, type.scale)
    case 'list':
      return withLogicalType(duck, type.item, (item) => api.duckdb_create_list_type(item))
    case 'array':
      return withLogicalType(duck, type.item, (item) => api.duckdb_create_array_type(item, BigInt(type.size)))
    case 'map':
      return withLogicalType(duck, type.key, (key) =>
        withLogicalType(duck, type.value, (value) => api.duckdb_create_map_type(key, value)),
      )
    case 'struct':
      return createStruct(duck, type.fields)
    default:
      return api.duckdb_create_logical_type(TYPE_ID[type.kind])
  }
}

function createStruct(duck: Duck, fields: readonly StructField[]): number {
  using scratch = duck.memory.scratch()
  const types = fields.map((field) => create(duck, field.type))
  const names = fields.map((field) => scratch.text(field.name))
  const count = BigInt(fields.length)
  const type = duck.api.duckdb_create_struct_type(scratch.addresses(types), scratch.addresses(names), count)
  for (const handle of types) duck.destroy('duckdb_destroy_logical_type', handle)
  return type
}
