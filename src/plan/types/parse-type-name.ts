import { type DataType, field, type TimeUnit } from './schema.ts'
import { createReader, type Reader } from './type-reader.ts'

const int = (bits: 8 | 16 | 32 | 64, signed: boolean): DataType =>
  Object.freeze({ kind: 'int', bits, signed })
const float = (bits: 16 | 32 | 64): DataType => Object.freeze({ kind: 'float', bits })
const UTF8: DataType = Object.freeze({ kind: 'utf8' })
const BINARY: DataType = Object.freeze({ kind: 'binary' })

/** Types without parameters. Texts and bytes have one type, whatever the lengths and places of their values are stored as. */
const SIMPLE: ReadonlyMap<string, DataType> = new Map<string, DataType>([
  ['Null', Object.freeze({ kind: 'null' })],
  ['Boolean', Object.freeze({ kind: 'bool' })],
  ...([8, 16, 32, 64] as const).flatMap((bits) => [
    [`Int${bits}`, int(bits, true)] as const,
    [`UInt${bits}`, int(bits, false)] as const,
  ]),
  ...([16, 32, 64] as const).map((bits) => [`Float${bits}`, float(bits)] as const),
  ...['Utf8', 'LargeUtf8', 'Utf8View'].map((name) => [name, UTF8] as const),
  ...['Binary', 'LargeBinary', 'BinaryView'].map((name) => [name, BINARY] as const),
  ['UUID', Object.freeze({ kind: 'uuid' })],
  ['Date32', Object.freeze({ kind: 'date', unit: 'day' })],
  ['Date64', Object.freeze({ kind: 'date', unit: 'millisecond' })],
])

/** The names of types, without their parameters. */
export const TYPE_NAMES: readonly string[] = Object.freeze([
  ...SIMPLE.keys(),
  ...['Time32', 'Time64', 'Timestamp', 'Duration', 'Interval'],
  ...['Decimal32', 'Decimal64', 'Decimal128', 'Decimal256', 'FixedSizeBinary', 'Dictionary'],
  ...['List', 'LargeList', 'ListView', 'LargeListView', 'FixedSizeList', 'Struct', 'Map'],
])

const UNITS: ReadonlyMap<string, TimeUnit> = new Map([
  ...(['second', 'Second', 's'] as const).map((name) => [name, 'second'] as const),
  ...(['millisecond', 'Millisecond', 'ms'] as const).map((name) => [name, 'millisecond'] as const),
  ...(['microsecond', 'Microsecond', 'us', 'µs'] as const).map((name) => [name, 'microsecond'] as const),
  ...(['nanosecond', 'Nanosecond', 'ns'] as const).map((name) => [name, 'nanosecond'] as const),
])

const INTERVALS = Object.freeze({
  YearMonth: 'year_month',
  year_month: 'year_month',
  DayTime: 'day_time',
  day_time: 'day_time',
  MonthDayNano: 'month_day_nano',
  month_day_nano: 'month_day_nano',
} as const)

const DECIMALS = Object.freeze({ Decimal32: 32, Decimal64: 64, Decimal128: 128, Decimal256: 256 } as const)

/** The most characters of a name, and the most levels of types inside of others. */
const MOST_CHARACTERS = 4096
const MOST_LEVELS = 32

/**
 * The type that a text names as implementations of Arrow write it, such as `Timestamp(Nanosecond, Some("UTC"))`, `Timestamp(ns, UTC)`,
 * `Decimal128(10, 2)`, `List(Int64)` or `Struct<a: Int8, b: Utf8>`: every text that `typeName` makes, if names of fields that are no
 * words are in double quotes. Null: it names none.
 */
export function parseTypeName(text: string): DataType | null {
  if (text.length > MOST_CHARACTERS) return null
  const reader = createReader(text)
  const type = readType(reader, 0)
  return type !== null && reader.isAtEnd() ? type : null
}

function readType(reader: Reader, level: number): DataType | null {
  const name = level > MOST_LEVELS ? null : reader.take(/[A-Za-z]\w*/y)
  if (name === null) return null
  const simple = SIMPLE.get(name)
  if (simple !== undefined) return simple
  if (reader.take(/[(<]/y) === null) return null
  const type = readParameters(reader, name, level)
  return type !== null && reader.take(/[)>]/y) !== null ? type : null
}

function readParameters(reader: Reader, name: string, level: number): DataType | null {
  switch (name) {
    case 'Time32':
    case 'Time64': {
      const unit = readUnit(reader)
      const isCoarse = unit === 'second' || unit === 'millisecond'
      return unit === null || isCoarse !== (name === 'Time32') ? null : { kind: 'time', unit }
    }
    case 'Duration': {
      const unit = readUnit(reader)
      return unit && { kind: 'duration', unit }
    }
    case 'Timestamp': {
      const unit = readUnit(reader)
      const zone = reader.take(/,/y) === null ? null : readZone(reader)
      return unit === null || zone === undefined ? null : { kind: 'timestamp', unit, zone }
    }
    case 'Interval': {
      const written = reader.take(/\w+/y) ?? ''
      return isKey(written, INTERVALS) ? { kind: 'interval', unit: INTERVALS[written] } : null
    }
    case 'FixedSizeBinary': {
      const width = readCount(reader)
      return width === null ? null : { kind: 'fixed_binary', width }
    }
    case 'Dictionary': {
      const index = readType(reader, level + 1)
      const value = reader.take(/,/y) === null ? null : readType(reader, level + 1)
      return index?.kind !== 'int' || value === null
        ? null
        : { kind: 'dictionary', index, value, ordered: false }
    }
    case 'FixedSizeList': {
      const first = readCount(reader)
      if (first !== null && reader.take(/[x,]/y) === null) return null
      const type = readItem(reader, level)
      const size = first ?? (reader.take(/,/y) === null ? null : readCount(reader))
      return type === null || size === null ? null : { kind: 'fixed_list', item: field('item', type), size }
    }
    case 'List':
    case 'ListView':
    case 'LargeList':
    case 'LargeListView': {
      const type = readItem(reader, level)
      const kind = name.startsWith('Large') ? 'large_list' : 'list'
      return type && { kind, item: field('item', type) }
    }
    case 'Struct':
      return readStruct(reader, level)
    case 'Map': {
      const entries = readItem(reader, level)
      const sorted = reader.take(/, *((?:un)?sorted)\b/y) === 'sorted'
      const isPair = entries?.kind === 'struct' && entries.fields.length === 2
      return isPair ? { kind: 'map', entries: field('entries', entries, false), sorted } : null
    }
  }
  return isKey(name, DECIMALS) ? readDecimal(reader, DECIMALS[name]) : null
}

function readDecimal(reader: Reader, bits: 32 | 64 | 128 | 256): DataType | null {
  const precision = readCount(reader)
  const scale = reader.take(/,/y) === null ? null : reader.take(/-?\d{1,3}\b/y)
  return precision === null || scale === null
    ? null
    : { kind: 'decimal', bits, precision, scale: Number(scale) }
}

function readUnit(reader: Reader): TimeUnit | null {
  return UNITS.get(reader.take(/[A-Za-zµ]+/y) ?? '') ?? null
}

/** A zone in quotes, with or without `Some(…)`, or bare. Null: `None`. Undefined: it is none. */
function readZone(reader: Reader): string | null | undefined {
  if (reader.take(/None\b/y) !== null) return null
  if (reader.take(/Some\(/y) === null)
    return reader.take(/"([^"]+)"/y) ?? reader.take(/[\w+:/-]+/y) ?? undefined
  const zone = reader.take(/"([^"]+)"/y)
  return zone === null || reader.take(/\)/y) === null ? undefined : zone
}

function readCount(reader: Reader): number | null {
  const digits = reader.take(/\d{1,9}\b/y)
  return digits === null ? null : Number(digits)
}

/** The type of a child. Whether it can be null is not part of a type in DuckDB. */
function readItem(reader: Reader, level: number): DataType | null {
  reader.take(/(?:nullable|non-null)\b/y)
  return readType(reader, level + 1)
}

function readStruct(reader: Reader, level: number): DataType | null {
  const fields = []
  do {
    const name = reader.take(/"((?:[^"])*)"/y) ?? reader.take(/\w[\w ]*(?=:)/y)
    if (name === null || reader.take(/:/y) === null) return null
    const type = readItem(reader, level)
    if (type === null) return null
    fields.push(field(name, type))
  } while (reader.take(/,/y) !== null)
  return { kind: 'struct', fields }
}

function isKey<T extends object>(text: string, table: T): text is string & keyof T {
  return Object.hasOwn(table, text)
}
