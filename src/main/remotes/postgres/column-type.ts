import { quoteSqlName } from '../../../plan/statement/statement.ts'
import { type DataType, DECIMAL_DIGITS, type Field } from '../../../plan/types/schema.ts'

/** A column as the catalogs of PostgreSQL describe it. Of a domain, its base type. */
export interface DescribedColumn {
  readonly name: string
  /** The name of the type. One that is not of `pg_catalog` has its schema before it. */
  readonly type: string
  /** The name of the type of the items of an array. Null: it is none. */
  readonly item: string | null
  /** `atttypmod`: of NUMERIC, its precision and scale. -1: there is none. */
  readonly modifier: number
}

/** The key of the name of a column's type in PostgreSQL among the metadata of its field. */
const TYPE_KEY = 'postgres:type'

/** The types whose binary form the core reads, with the type that they have here. NUMERIC depends on its precision. */
const TYPES: Readonly<Record<string, DataType>> = Object.freeze({
  bool: { kind: 'bool' },
  int2: { kind: 'int', bits: 16, signed: true },
  int4: { kind: 'int', bits: 32, signed: true },
  int8: { kind: 'int', bits: 64, signed: true },
  float4: { kind: 'float', bits: 32 },
  float8: { kind: 'float', bits: 64 },
  text: { kind: 'utf8' },
  varchar: { kind: 'utf8' },
  bpchar: { kind: 'utf8' },
  name: { kind: 'utf8' },
  json: { kind: 'utf8' },
  bytea: { kind: 'binary' },
  uuid: { kind: 'uuid' },
  date: { kind: 'date', unit: 'day' },
  time: { kind: 'time', unit: 'microsecond' },
  timestamp: { kind: 'timestamp', unit: 'microsecond', zone: null },
  timestamptz: { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' },
  interval: { kind: 'interval', unit: 'month_day_nano' },
} satisfies Record<string, DataType>)

const NUMERIC = 'numeric'
const TEXT: DataType = Object.freeze({ kind: 'utf8' })
const DOUBLE: DataType = Object.freeze({ kind: 'float', bits: 64 })

/** The column here: its type, and as metadata the name of the type there. */
export function fieldOf({ name, type, item, modifier }: DescribedColumn): Field {
  const value = typeOf(item ?? type, modifier)
  return Object.freeze({
    name,
    type:
      item === null
        ? value
        : Object.freeze({
            kind: 'list',
            item: Object.freeze({ name: 'item', type: value, nullable: true, metadata: Object.freeze({}) }),
          }),
    nullable: true,
    metadata: Object.freeze({ [TYPE_KEY]: item ?? type }),
  })
}

/** The field of a count, or of a sum of integers. */
export function countField(): Field {
  return fieldOf({ name: 'count', type: 'int8', item: null, modifier: -1 })
}

function typeOf(name: string, modifier: number): DataType {
  if (name === NUMERIC) return numericType(modifier)
  return (Object.hasOwn(TYPES, name) ? TYPES[name] : undefined) ?? TEXT
}

/** What the modifier of NUMERIC is more than precision and scale. */
const MODIFIER_OFFSET = 4

/** NUMERIC without a precision has numbers of any scale: it is a DOUBLE. One of more than 38 digits is text. */
function numericType(modifier: number): DataType {
  if (modifier < MODIFIER_OFFSET) return DOUBLE
  const packed = modifier - MODIFIER_OFFSET
  const digits = (packed >> 16) & 0xffff
  // Eleven bits with a sign: digits before the point may be rounded off, and there may be more behind it than in all.
  const written = ((packed & 0x7ff) ^ 1024) - 1024
  const scale = Math.max(written, 0)
  const precision = Math.max(digits - Math.min(written, 0), scale)
  return precision > DECIMAL_DIGITS[128]
    ? TEXT
    : Object.freeze({ kind: 'decimal', bits: 128, precision, scale })
}

/** The name of the type that a column, or an item of its arrays, has in PostgreSQL. '': the field is of no database. */
export function postgresType({ metadata }: Field): string {
  return metadata[TYPE_KEY] ?? ''
}

/** Whether a column is a NUMERIC without a precision, which a DOUBLE has not all digits of. */
export function isRounded(field: Field): boolean {
  return postgresType(field) === NUMERIC && itemType(field).kind === 'float'
}

function itemType({ type }: Field): DataType {
  return type.kind === 'list' ? type.item.type : type
}

/** A column in a list of SELECT, in the type that is read here. */
export function printColumn(field: Field): string {
  const name = quoteSqlName(field.name)
  const { kind } = itemType(field)
  const type = postgresType(field)
  const isAsStored = type === NUMERIC ? kind === 'decimal' : Object.hasOwn(TYPES, type)
  if (isAsStored) return name
  const target = kind === 'float' ? 'double precision' : 'text'
  return `CAST(${name} AS ${target}${field.type.kind === 'list' ? '[]' : ''})`
}
