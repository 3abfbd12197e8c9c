import { quoteSqlName } from '../../../plan/statement/statement.ts'
import { type DataType, DECIMAL_DIGITS, type Field } from '../../../plan/types/schema.ts'

/** A column as the `information_schema` of MySQL describes it. */
export interface DescribedColumn {
  readonly name: string
  /** The name of the type, in lower case. */
  readonly type: string
  readonly isUnsigned: boolean
  /** Of a decimal. 0: it has none. */
  readonly precision: number
  readonly scale: number
  /** The character set of a text. '': it has none. */
  readonly charset: string
  /** The most characters of CHAR and VARCHAR, or bytes of BINARY and VARBINARY. 0: it is none of these. */
  readonly length: number
}

/** The keys of a column's type in MySQL, of its character set and of its length, among the metadata of its field. */
const TYPE_KEY = 'mysql:type'
const CHARSET_KEY = 'mysql:charset'
const LENGTH_KEY = 'mysql:length'

const INTEGERS: Readonly<Record<string, 8 | 16 | 32 | 64>> = Object.freeze({
  tinyint: 8,
  smallint: 16,
  mediumint: 32,
  int: 32,
  bigint: 64,
})

/** Other types that are read as they are sent, with the type that they have here. */
const TYPES: Readonly<Record<string, DataType>> = Object.freeze({
  year: { kind: 'int', bits: 16, signed: true },
  float: { kind: 'float', bits: 32 },
  double: { kind: 'float', bits: 64 },
  date: { kind: 'date', unit: 'day' },
  datetime: { kind: 'timestamp', unit: 'microsecond', zone: null },
  timestamp: { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' },
  ...ofType({ kind: 'utf8' }, [
    'char',
    'varchar',
    'tinytext',
    'text',
    'mediumtext',
    'longtext',
    'enum',
    'set',
  ]),
  ...ofType({ kind: 'binary' }, ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob']),
} satisfies Record<string, DataType>)

/** Types of which something else is asked. */
const CONVERTED: Readonly<
  Record<string, { readonly type: DataType; readonly print: (name: string) => string }>
> = Object.freeze({
  bit: { type: { kind: 'int', bits: 64, signed: false }, print: (name) => printBits(name) },
  uuid: { type: { kind: 'uuid' }, print: (name) => `CAST(${name} AS BINARY(16))` },
  ...Object.fromEntries(
    [
      ...['geometry', 'point', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon'],
      ...['geometrycollection', 'geomcollection'],
    ].map(
      (name) =>
        [name, { type: { kind: 'binary' }, print: (name: string) => `ST_AsBinary(${name})` }] as const,
    ),
  ),
})

/** A column of bits as a number. Other than of CAST, its type is that of 64 bits, however few there are. */
function printBits(name: string): string {
  return `(${name} | 0)`
}

const TEXT: DataType = Object.freeze({ kind: 'utf8' })
const DECIMAL = 'decimal'
const UNSIGNED = ' unsigned'

function ofType(type: DataType, names: readonly string[]): Readonly<Record<string, DataType>> {
  return Object.fromEntries(names.map((name) => [name, type]))
}

/** The column here: its type, and as metadata what it is there. */
export function fieldOf(column: DescribedColumn): Field {
  const { name, type, isUnsigned, charset, length } = column
  return Object.freeze({
    name,
    type: Object.freeze(typeOf(column)),
    nullable: true,
    metadata: Object.freeze({
      [TYPE_KEY]: `${type}${isUnsigned ? UNSIGNED : ''}`,
      ...(charset !== '' && { [CHARSET_KEY]: charset }),
      ...(length > 0 && { [LENGTH_KEY]: String(length) }),
    }),
  })
}

function typeOf({ type, isUnsigned, precision, scale }: DescribedColumn): DataType {
  const bits = lookUp(INTEGERS, type)
  if (bits !== undefined) return { kind: 'int', bits, signed: !isUnsigned }
  if (type === DECIMAL && precision <= DECIMAL_DIGITS[128])
    return { kind: 'decimal', bits: 128, precision, scale }
  return lookUp(TYPES, type) ?? lookUp(CONVERTED, type)?.type ?? TEXT
}

/** The name of the type that a column has in MySQL, without whether it is unsigned. '': the field is of no such database. */
export function mysqlType({ metadata }: Field): string {
  return (metadata[TYPE_KEY] ?? '').replace(UNSIGNED, '')
}

/** The character set of a text column. '': it has none. */
export function charsetOf({ metadata }: Field): string {
  return metadata[CHARSET_KEY] ?? ''
}

/** The most characters or bytes of a column, as its type says. Null: it does not say, or the field was stored before that was asked. */
export function lengthOf({ metadata }: Field): number | null {
  const length = metadata[LENGTH_KEY]
  return length === undefined ? null : Number(length)
}

/** Whether a column is there what its field says. Only if it says a length has that to be the same. */
export function isSameThere(asked: Field, now: Field): boolean {
  const length = lengthOf(asked)
  return (
    asked.metadata[TYPE_KEY] === now.metadata[TYPE_KEY] &&
    asked.metadata[CHARSET_KEY] === now.metadata[CHARSET_KEY] &&
    (length === null || length === lengthOf(now))
  )
}

/** Whether values are null here that are not there: dates that no calendar has. */
export function hasZeroDates({ type }: Field): boolean {
  return type.kind === 'date' || type.kind === 'timestamp'
}

/** A column in a list of SELECT, in the type that is read here. */
export function printColumn(field: Field): string {
  const name = quoteSqlName(field.name)
  const type = mysqlType(field)
  const isAsStored =
    type === DECIMAL
      ? field.type.kind === 'decimal'
      : Object.hasOwn(INTEGERS, type) || Object.hasOwn(TYPES, type)
  if (isAsStored) return name
  return lookUp(CONVERTED, type)?.print(name) ?? `CAST(${name} AS CHAR)`
}

/** Numbers of types in descriptions of columns (MySQL, "Column Definition"). */
const WIRE_TYPES = Object.freeze({
  int8: [1],
  int16: [2, 13],
  int32: [3, 9],
  int64: [8],
  float32: [4],
  float64: [5],
  date: [10, 14],
  timestamp: [7, 12],
  /** Decimals, texts and bytes, each behind its length. */
  measured: [0, 15, 16, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255],
})

/** Whether values of a column with this number are laid out as the core reads them for a type. */
export function isOfType(number: number, type: DataType): boolean {
  return WIRE_TYPES[wireType(type)].includes(number)
}

function wireType(type: DataType): keyof typeof WIRE_TYPES {
  switch (type.kind) {
    case 'int':
      return `int${type.bits}`
    case 'float':
      return type.bits === 32 ? 'float32' : 'float64'
    case 'date':
    case 'timestamp':
      return type.kind
    default:
      return 'measured'
  }
}

function lookUp<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
