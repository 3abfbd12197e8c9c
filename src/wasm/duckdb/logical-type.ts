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

/**
 * The name of the type of times with a zone in nanoseconds. DuckDB does not have it: it is another name of its `TIMESTAMP_NS`, with casts of its
 * own (casts/zoned-nanoseconds.ts).
 */
export const ZONED_NANOSECONDS = 'TIMESTAMPTZ_NS'

/** A type of DuckDB as plain data. */
export type LogicalType =
  | { readonly kind: 'timestamptz_ns' }
  /**
   * A column of times of day in nanoseconds. It has the name of DuckDB's own `TIME_NS`, which cannot be compared with a `TIME`, and casts of its
   * own (casts/time-casts.ts).
   */
  | { readonly kind: 'column_time_ns' }
  | { readonly kind: SimpleType }
  | { readonly kind: 'decimal'; readonly width: number; readonly scale: number }
  | { readonly kind: 'list'; readonly item: LogicalType }
  | { readonly kind: 'array'; readonly item: LogicalType; readonly size: number }
  | { readonly kind: 'map'; readonly key: LogicalType; readonly value: LogicalType }
  | { readonly kind: 'struct'; readonly fields: readonly StructField[] }

interface StructField {
  readonly name: string
  readonly type: LogicalType
}

/** Calls `use` with a handle of the type, which is destroyed after the call. */
export function withLogicalType<T>(duck: Duck, type: LogicalType, use: (handle: number) => T): T {
  const handle = createType(duck, type)
  try {
    return use(handle)
  } finally {
    duck.destroy('duckdb_destroy_logical_type', handle)
  }
}

/** A handle of the type, which the caller has to destroy. */
export function createType(duck: Duck, type: LogicalType): number {
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
    case 'timestamptz_ns':
      return withAlias(duck, api.duckdb_create_logical_type(TYPE_ID.timestamp_ns), ZONED_NANOSECONDS)
    case 'time_ns':
      return createTimeNs(duck)
    case 'column_time_ns':
      return withAlias(duck, createTimeNs(duck), 'TIME_NS')
    default:
      return api.duckdb_create_logical_type(TYPE_ID[type.kind])
  }
}

function withAlias(duck: Duck, handle: number, name: string): number {
  using scratch = duck.memory.scratch()
  duck.api.duckdb_logical_type_set_alias(handle, scratch.text(name))
  return handle
}

/** `LogicalTypeId::TIME_NS`, which is the first byte of a type. The C API of DuckDB 1.4 does not have it. */
const TIME_NS_ID = 35

/** Of the form of a `TIME` in memory. */
function createTimeNs({ api, memory }: Duck): number {
  const handle = api.duckdb_create_logical_type(TYPE_ID.time)
  memory.views().u8[handle] = TIME_NS_ID
  return handle
}

/** Whether a type at an address, such as a handle, is that of times of day in nanoseconds. */
export function isTimeNs({ memory }: Duck, type: number): boolean {
  return memory.views().u8[type] === TIME_NS_ID
}

/** `LogicalTypeId::BIGINT`. */
const BIGINT_ID = 14

/** Makes a type at an address, that of times of day in nanoseconds, the one of integers, which have the same form; or back again. */
export function setTimeNs({ memory }: Duck, type: number, isTime: boolean): void {
  memory.views().u8[type] = isTime ? TIME_NS_ID : BIGINT_ID
}

function createStruct(duck: Duck, fields: readonly StructField[]): number {
  using scratch = duck.memory.scratch()
  const types = fields.map((field) => createType(duck, field.type))
  const names = fields.map((field) => scratch.text(field.name))
  const count = BigInt(fields.length)
  const type = duck.api.duckdb_create_struct_type(scratch.addresses(types), scratch.addresses(names), count)
  for (const handle of types) duck.destroy('duckdb_destroy_logical_type', handle)
  return type
}
