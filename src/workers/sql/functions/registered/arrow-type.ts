import { ServiceError } from '../../../../plan/errors.ts'
import { type DataType, field, typeName } from '../../../../plan/types/schema.ts'
import { createReader, type Reader } from '../../../../plan/types/type-reader.ts'
import { shorten } from '../../../../wasm/duckdb/functions/regex.ts'
import type { ScalarFunction } from '../../../../wasm/duckdb/functions/scalar-function.ts'
import { TYPE_ID } from '../../../../wasm/duckdb/logical-type.ts'
import { SIMPLE_TYPES } from '../../output/output-type.ts'
import { VARCHAR } from './types.ts'

/** `_arrow_type(typeof(x))`: the name in Arrow of a type that DuckDB prints, as columns of answers have it. */
export const ARROW_TYPE: ScalarFunction = {
  name: '_arrow_type',
  overloads: [
    {
      parameters: [VARCHAR],
      returns: VARCHAR,
      compute([type], result, row) {
        result.setBytes(row, Buffer.from(typeName(arrowTypeOf(type?.text(row) ?? ''))))
      },
    },
  ],
}

/** Types of whole columns that are others inside of lists and structs (`outputType`). */
const OF_COLUMNS: ReadonlyMap<string, DataType> = new Map<string, DataType>([
  ['HUGEINT', { kind: 'int', bits: 64, signed: true }],
  ['UHUGEINT', { kind: 'int', bits: 64, signed: false }],
  ['UUID', { kind: 'uuid' }],
])

/** The type in answers of a column whose type DuckDB prints so. Throws `not_supported` for a type that has no form in answers. */
function arrowTypeOf(text: string): DataType {
  const whole = OF_COLUMNS.get(text)
  if (whole !== undefined) return whole
  const reader = createReader(text)
  const type = readType(reader)
  if (type !== null && reader.isAtEnd()) return type
  throw new ServiceError('not_supported', `The type ${shorten(text)} of DuckDB has no form in an answer.`)
}

/** Names that differ from those of `TYPE_ID`. DuckDB makes integers of values that are all null. */
const IDS: Readonly<Record<string, number>> = Object.freeze({
  'TIMESTAMP WITH TIME ZONE': TYPE_ID.timestamp_tz,
  '"NULL"': TYPE_ID.integer,
})

function readType(reader: Reader): DataType | null {
  let type = readBare(reader)
  for (let size = reader.take(SIZE); type !== null && size !== null; size = reader.take(SIZE)) {
    const item = field('item', type)
    type = size === '' ? { kind: 'list', item } : { kind: 'fixed_list', item, size: Number(size) }
  }
  return type
}

/** Behind the type of an item: that of a list, or of an array with so many items. */
const SIZE = /\[(\d*)\]/y

function readBare(reader: Reader): DataType | null {
  if (reader.take(/STRUCT\(/y) !== null) return readStruct(reader)
  if (reader.take(/MAP\(/y) !== null) return readMap(reader)
  if (reader.take(/ENUM\((?:'(?:[^']|'')*'(?:, )?)*\)/y) !== null) return { kind: 'utf8' }
  const [precision, scale] = reader.take(/DECIMAL\((\d+,\d+)\)/y)?.split(',') ?? []
  if (precision !== undefined)
    return { kind: 'decimal', bits: 128, precision: Number(precision), scale: Number(scale) }
  if (reader.take(/TIMESTAMPTZ_NS\b/y) !== null) return { kind: 'timestamp', unit: 'nanosecond', zone: 'UTC' }
  const name = reader.take(/"NULL"|TIMESTAMP WITH TIME ZONE|\w+/y) ?? ''
  const id = IDS[name] ?? ID_BY_NAME.get(name)
  return id === undefined ? null : (SIMPLE_TYPES[id] ?? null)
}

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(
  Object.entries(TYPE_ID).map(([name, id]) => [name.toUpperCase(), id]),
)

/** The rest of a struct. Its fields have no names if it was made by `row`. */
function readStruct(reader: Reader): DataType | null {
  const fields = []
  do {
    const quoted = reader.take(/"((?:[^"]|"")*)" /y)?.replaceAll('""', '"')
    const name = quoted ?? reader.take(/(\w+) (?!WITH TIME ZONE)/y) ?? ''
    const type = readType(reader)
    if (type === null) return null
    fields.push(field(name, type))
  } while (reader.take(/,/y) !== null)
  return reader.take(/\)/y) === null ? null : { kind: 'struct', fields }
}

function readMap(reader: Reader): DataType | null {
  const key = readType(reader)
  const value = reader.take(/,/y) === null ? null : readType(reader)
  if (key === null || value === null || reader.take(/\)/y) === null) return null
  const fields = [field('key', key, false), field('value', value)]
  return { kind: 'map', entries: field('entries', { kind: 'struct', fields }, false), sorted: false }
}
