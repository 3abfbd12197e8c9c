import { memoize } from '../memoize.ts'

/**
 * Units of time. Types are those of the Arrow columnar format (Schema.fbs), as plain frozen data that can be sent to workers,
 * printed and compared.
 */
export type TimeUnit = 'second' | 'millisecond' | 'microsecond' | 'nanosecond'

/** The decimal digits of the fraction of a second in each unit. */
export const SECOND_DIGITS: Readonly<Record<TimeUnit, number>> = Object.freeze({
  second: 0,
  millisecond: 3,
  microsecond: 6,
  nanosecond: 9,
})

/** The greatest precision of a decimal with so many bits (Schema.fbs, Decimal). */
export const DECIMAL_DIGITS: Readonly<Record<DecimalType['bits'], number>> = Object.freeze({
  32: 9,
  64: 18,
  128: 38,
  256: 76,
})

export type DecimalType = {
  readonly kind: 'decimal'
  readonly bits: 32 | 64 | 128 | 256
  readonly precision: number
  readonly scale: number
}

export type IntType = { readonly kind: 'int'; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }

export type DataType =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool' }
  | IntType
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64 }
  | DecimalType
  | { readonly kind: 'utf8' }
  | { readonly kind: 'binary' }
  | { readonly kind: 'fixed_binary'; readonly width: number }
  /** 16 bytes in the order of their text. Arrow has it as FixedSizeBinary(16), of which the field is marked `arrow.uuid`. */
  | { readonly kind: 'uuid' }
  | { readonly kind: 'date'; readonly unit: 'day' | 'millisecond' }
  | { readonly kind: 'time'; readonly unit: TimeUnit }
  | { readonly kind: 'timestamp'; readonly unit: TimeUnit; readonly zone: string | null }
  | { readonly kind: 'duration'; readonly unit: TimeUnit }
  | { readonly kind: 'interval'; readonly unit: 'year_month' | 'day_time' | 'month_day_nano' }
  | { readonly kind: 'list'; readonly item: Field }
  | { readonly kind: 'large_list'; readonly item: Field }
  | { readonly kind: 'fixed_list'; readonly item: Field; readonly size: number }
  | { readonly kind: 'struct'; readonly fields: readonly Field[] }
  | { readonly kind: 'map'; readonly entries: Field; readonly sorted: boolean }
  | DictionaryType

/** A dictionary of values, which are neither nested nor dictionaries. Only top-level columns can have this type. */
export type DictionaryType = {
  readonly kind: 'dictionary'
  readonly index: IntType
  readonly value: DataType
  readonly ordered: boolean
}

export interface Field {
  readonly name: string
  readonly type: DataType
  readonly nullable: boolean
  readonly metadata: Readonly<Record<string, string>>
}

export interface Schema {
  readonly fields: readonly Field[]
  readonly metadata: Readonly<Record<string, string>>
}

/** The index of each field by its name. Of equal names it is the last one. Every query of the same files needs those of their schema. */
export const fieldIndexes = memoize(
  (fields: readonly Field[]): ReadonlyMap<string, number> =>
    new Map(fields.map(({ name }, index) => [name, index])),
)

/** A field without metadata. By default it is nullable. */
export function field(name: string, type: DataType, nullable = true): Field {
  return Object.freeze({ name, type, nullable, metadata: Object.freeze({}) })
}

export function sameType(a: DataType, b: DataType): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** The type of a column's values. For a dictionary it is that of the dictionary's values. */
export function valueType(type: DataType): DataType {
  return type.kind === 'dictionary' ? type.value : type
}

const NESTED: readonly DataType['kind'][] = ['list', 'large_list', 'fixed_list', 'struct', 'map']

/** Whether values of the type consist of other values. */
export function isNested({ kind }: DataType): boolean {
  return NESTED.includes(kind)
}

/** A type in messages, as Arrow implementations print it: `Int64`, `Timestamp(ns, UTC)`, `List<Utf8>`. */
export function typeName(type: DataType): string {
  switch (type.kind) {
    case 'null':
      return 'Null'
    case 'bool':
      return 'Boolean'
    case 'int':
      return `${type.signed ? 'Int' : 'UInt'}${type.bits}`
    case 'float':
      return `Float${type.bits}`
    case 'decimal':
      return `Decimal${type.bits}(${type.precision}, ${type.scale})`
    case 'utf8':
      return 'Utf8'
    case 'binary':
      return 'Binary'
    case 'fixed_binary':
      return `FixedSizeBinary(${type.width})`
    case 'uuid':
      return 'UUID'
    case 'date':
      return type.unit === 'day' ? 'Date32' : 'Date64'
    case 'time':
      return `Time${type.unit === 'second' || type.unit === 'millisecond' ? 32 : 64}(${UNIT_SYMBOL[type.unit]})`
    case 'timestamp':
      return `Timestamp(${UNIT_SYMBOL[type.unit]}${type.zone === null ? '' : `, ${type.zone}`})`
    case 'duration':
      return `Duration(${UNIT_SYMBOL[type.unit]})`
    case 'interval':
      return `Interval(${type.unit})`
    case 'list':
      return `List<${typeName(type.item.type)}>`
    case 'large_list':
      return `LargeList<${typeName(type.item.type)}>`
    case 'fixed_list':
      return `FixedSizeList<${typeName(type.item.type)}, ${type.size}>`
    case 'struct':
      return `Struct<${type.fields.map((f) => `${f.name}: ${typeName(f.type)}`).join(', ')}>`
    case 'map':
      return `Map<${typeName(type.entries.type)}>`
    case 'dictionary':
      return `Dictionary(${typeName(type.index)}, ${typeName(type.value)})`
  }
}

const UNIT_SYMBOL: Readonly<Record<TimeUnit, string>> = Object.freeze({
  second: 's',
  millisecond: 'ms',
  microsecond: 'us',
  nanosecond: 'ns',
})
