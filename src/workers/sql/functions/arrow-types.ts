import { quoteSqlName } from '../../../plan/statement/statement.ts'
import {
  type DataType,
  DECIMAL_DIGITS,
  type Field,
  sameType,
  type TimeUnit,
} from '../../../plan/types/schema.ts'
import { ZONED_NANOSECONDS } from '../../../wasm/duckdb/logical-type.ts'

/** The most items of DuckDB's `ARRAY`. */
const MAX_ARRAY_ITEMS = 99_999

/** DuckDB's name of a type, to be written in SQL. Null: it has none that holds each value as this one does. */
export function sqlTypeOf(type: DataType): string | null {
  const value = withoutEncoding(type)
  return sameType(closestType(value), value) ? write(value) : null
}

/** The type in DuckDB that is closest to a type, as Arrow has it. */
export function closestType(type: DataType): DataType {
  const inside = (field: Field): Field => ({ ...field, type: closestType(field.type) })
  switch (type.kind) {
    case 'null':
      return { kind: 'utf8' }
    case 'float':
      return type.bits === 16 ? { kind: 'float', bits: 32 } : type
    case 'decimal': {
      const [most, scale] = [DECIMAL_DIGITS[128], Math.max(0, type.scale)]
      const precision = Math.min(most, Math.max(1, type.precision, scale))
      return { kind: 'decimal', bits: 128, precision, scale: Math.min(scale, precision) }
    }
    case 'fixed_binary':
      return { kind: 'binary' }
    case 'date':
      return { kind: 'date', unit: 'day' }
    case 'time':
      return { kind: 'time', unit: 'microsecond' }
    case 'timestamp':
      if (type.zone === null) return type
      return { ...type, unit: type.unit === 'nanosecond' ? 'nanosecond' : 'microsecond', zone: 'UTC' }
    case 'duration':
    case 'interval':
      return { kind: 'interval', unit: 'month_day_nano' }
    case 'dictionary':
      return closestType(type.value)
    case 'list':
    case 'large_list':
      return { kind: 'list', item: inside(type.item) }
    case 'fixed_list': {
      const isArray = type.size >= 1 && type.size <= MAX_ARRAY_ITEMS
      return isArray ? { ...type, item: inside(type.item) } : { kind: 'list', item: inside(type.item) }
    }
    case 'struct':
      return { kind: 'struct', fields: type.fields.map(inside) }
    case 'map':
      return { ...type, entries: inside(type.entries), sorted: false }
    default:
      return type
  }
}

/** Names of UTC in Arrow types. */
const UTC: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'GMT', 'Z', '+00:00', '+0000', '+00'])

/** A type whose values are the same and are stored in one way: no dictionaries, no large lists, decimals of 128 bits. */
function withoutEncoding(type: DataType): DataType {
  const inside = (field: Field): Field => ({ ...field, type: withoutEncoding(field.type) })
  switch (type.kind) {
    case 'dictionary':
      return withoutEncoding(type.value)
    case 'decimal':
      return type.precision <= DECIMAL_DIGITS[type.bits] && type.precision <= DECIMAL_DIGITS[128]
        ? { ...type, bits: 128 }
        : type
    case 'timestamp':
      return type.zone !== null && UTC.has(type.zone) ? { ...type, zone: 'UTC' } : type
    case 'list':
    case 'large_list':
      return { kind: 'list', item: inside(type.item) }
    case 'fixed_list':
      return { ...type, item: inside(type.item) }
    case 'struct':
      return { kind: 'struct', fields: type.fields.map(inside) }
    case 'map':
      return { ...type, entries: inside(type.entries), sorted: false }
    default:
      return type
  }
}

const INTEGERS = Object.freeze({ 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' } as const)

const TIMESTAMPS: Readonly<Record<TimeUnit, string>> = Object.freeze({
  second: 'TIMESTAMP_S',
  millisecond: 'TIMESTAMP_MS',
  microsecond: 'TIMESTAMP',
  nanosecond: 'TIMESTAMP_NS',
})

/** A type that DuckDB has. Null: it has none of this kind. */
function write(type: DataType): string | null {
  switch (type.kind) {
    case 'bool':
      return 'BOOLEAN'
    case 'int':
      return `${type.signed ? '' : 'U'}${INTEGERS[type.bits]}`
    case 'float':
      return type.bits === 64 ? 'DOUBLE' : 'FLOAT'
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`
    case 'utf8':
      return 'VARCHAR'
    case 'binary':
      return 'BLOB'
    case 'uuid':
      return 'UUID'
    case 'date':
      return 'DATE'
    case 'time':
      return 'TIME'
    case 'timestamp':
      if (type.zone === null) return TIMESTAMPS[type.unit]
      return type.unit === 'nanosecond' ? ZONED_NANOSECONDS : 'TIMESTAMPTZ'
    case 'interval':
      return 'INTERVAL'
    case 'list':
      return `${write(type.item.type)}[]`
    case 'fixed_list':
      return `${write(type.item.type)}[${type.size}]`
    case 'struct':
      return writeStruct(type.fields)
    case 'map': {
      const [key, value] = type.entries.type.kind === 'struct' ? type.entries.type.fields : []
      return key && value ? `MAP(${write(key.type)}, ${write(value.type)})` : null
    }
    default:
      return null
  }
}

/** Names of fields are distinct in DuckDB without regard to case, and none is empty. */
function writeStruct(fields: readonly Field[]): string | null {
  const names = new Set(fields.map(({ name }) => name.toLowerCase()))
  if (names.size < fields.length || names.has('') || names.size === 0) return null
  return `STRUCT(${fields.map(({ name, type }) => `${quoteSqlName(name)} ${write(type)}`).join(', ')})`
}
