import { ServiceError } from '../../../plan/errors.ts'
import { type DataType, type Field, field, type TimeUnit } from '../../../plan/types/schema.ts'
import { isTimeDifference } from '../../../wasm/duckdb/catalog/time-difference.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { isTimeNs, TYPE_ID } from '../../../wasm/duckdb/logical-type.ts'

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): DataType => ({ kind: 'int', bits, signed })
const timestamp = (unit: TimeUnit, zone: string | null = null): DataType => ({
  kind: 'timestamp',
  unit,
  zone,
})

/** Types of values inside of lists and structs by their ids in DuckDB. */
export const SIMPLE_TYPES: Readonly<Record<number, DataType>> = Object.freeze({
  [TYPE_ID.boolean]: { kind: 'bool' },
  [TYPE_ID.tinyint]: int(8, true),
  [TYPE_ID.smallint]: int(16, true),
  [TYPE_ID.integer]: int(32, true),
  [TYPE_ID.bigint]: int(64, true),
  [TYPE_ID.utinyint]: int(8, false),
  [TYPE_ID.usmallint]: int(16, false),
  [TYPE_ID.uinteger]: int(32, false),
  [TYPE_ID.ubigint]: int(64, false),
  [TYPE_ID.float]: { kind: 'float', bits: 32 },
  [TYPE_ID.double]: { kind: 'float', bits: 64 },
  [TYPE_ID.timestamp]: timestamp('microsecond'),
  [TYPE_ID.timestamp_s]: timestamp('second'),
  [TYPE_ID.timestamp_ms]: timestamp('millisecond'),
  [TYPE_ID.timestamp_ns]: timestamp('nanosecond'),
  [TYPE_ID.timestamp_tz]: timestamp('microsecond', 'UTC'),
  [TYPE_ID.date]: { kind: 'date', unit: 'day' },
  [TYPE_ID.time]: { kind: 'time', unit: 'microsecond' },
  [TYPE_ID.time_ns]: { kind: 'time', unit: 'nanosecond' },
  [TYPE_ID.interval]: { kind: 'interval', unit: 'month_day_nano' },
  // These are inside of lists and structs. A column of such a type has another one; see `outputType`.
  [TYPE_ID.hugeint]: { kind: 'decimal', bits: 128, precision: 38, scale: 0 },
  [TYPE_ID.uhugeint]: { kind: 'decimal', bits: 128, precision: 38, scale: 0 },
  [TYPE_ID.uuid]: { kind: 'utf8' },
  [TYPE_ID.varchar]: { kind: 'utf8' },
  [TYPE_ID.enum]: { kind: 'utf8' },
  [TYPE_ID.blob]: { kind: 'binary' },
  [TYPE_ID.bit]: { kind: 'binary' },
  [TYPE_ID.sqlnull]: { kind: 'null' },
})

/**
 * The type of a column of a statement's answer (docs/reference/sql.md). A column of 128-bit integers has 64 bits in an
 * answer: every sum of integers is one, and few clients read so wide a type. UUIDs inside of lists and structs are text. Throws
 * `not_supported`.
 */
export function outputType(duck: Duck, handle: number, column: string): DataType {
  const id = duck.api.duckdb_get_type_id(handle)
  if (id === TYPE_ID.hugeint) return int(64, true)
  if (id === TYPE_ID.uhugeint) return int(64, false)
  if (id === TYPE_ID.uuid) return { kind: 'uuid' }
  if (isTimeNs(duck, handle)) return { kind: 'time', unit: 'nanosecond' }
  return typeOf(duck, handle, column)
}

/** The type of a column that is a difference of two times. Null: it is none. */
export function differenceType(duck: Duck, handle: number): DataType | null {
  return isTimeDifference(duck, handle) ? { kind: 'duration', unit: 'microsecond' } : null
}

function typeOf(duck: Duck, handle: number, column: string): DataType {
  const { api, memory } = duck
  const id = api.duckdb_get_type_id(handle)
  const child = (type: number): DataType => {
    try {
      return typeOf(duck, type, column)
    } finally {
      duck.destroy('duckdb_destroy_logical_type', type)
    }
  }
  switch (id) {
    case TYPE_ID.decimal: {
      const [precision, scale] = [api.duckdb_decimal_width(handle), api.duckdb_decimal_scale(handle)]
      return { kind: 'decimal', bits: 128, precision, scale }
    }
    case TYPE_ID.list:
      return { kind: 'list', item: field('item', child(api.duckdb_list_type_child_type(handle))) }
    case TYPE_ID.array: {
      const item = field('item', child(api.duckdb_array_type_child_type(handle)))
      return { kind: 'fixed_list', item, size: Number(api.duckdb_array_type_array_size(handle)) }
    }
    case TYPE_ID.struct:
      return { kind: 'struct', fields: structFields(duck, handle, child) }
    case TYPE_ID.map: {
      const key = field('key', child(api.duckdb_map_type_key_type(handle)), false)
      const value = field('value', child(api.duckdb_map_type_value_type(handle)))
      const entries = field('entries', { kind: 'struct', fields: [key, value] }, false)
      return { kind: 'map', entries, sorted: false }
    }
  }
  if (id === TYPE_ID.timestamp_ns && memory.takeText(api.duckdb_logical_type_get_alias(handle)) !== '')
    return timestamp('nanosecond', 'UTC')
  const simple = SIMPLE_TYPES[id]
  if (simple !== undefined) return simple
  throw new ServiceError(
    'not_supported',
    `Column "${column}" has a type that has no form in an answer: cast it, for example to VARCHAR.`,
  )
}

function structFields(duck: Duck, handle: number, child: (type: number) => DataType): Field[] {
  const { api, memory } = duck
  return Array.from({ length: Number(api.duckdb_struct_type_child_count(handle)) }, (_, index) =>
    field(
      memory.takeText(api.duckdb_struct_type_child_name(handle, BigInt(index))),
      child(api.duckdb_struct_type_child_type(handle, BigInt(index))),
    ),
  )
}
