import { hash } from 'node:crypto'
import { type Encoding, isText } from '../../plan/task/encoding.ts'
import type { PartDictionary } from '../../plan/task/part.ts'
import { rowWidth } from '../../plan/types/row-width.ts'
import { type DataType, type Field, valueType } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { compressionOf } from './encoder.ts'

/** The dictionaries of the columns that have dictionary types. None for text, which has values. */
export function dictionariesOf(
  core: Core,
  columns: readonly Column[],
  types: readonly DataType[],
  encoding: Encoding,
): readonly PartDictionary[] {
  if (isText(encoding)) return []
  return types.flatMap((type, id) => {
    const column = columns[id]
    if (type.kind !== 'dictionary' || column === undefined) return []
    const bytes = core.encodeDictionary(column, id, compressionOf(encoding))
    return [{ id, key: hash('sha256', new Uint8Array(bytes)), bytes }]
  })
}

/** Up to this number of rows, sending and reading a dictionary takes longer than sending the texts. */
const FEW_ROWS = 1024

/** Bytes of an index. */
const INDEX_BYTES = 4

/**
 * The types in which rows are sent to another worker. Text in a dictionary that is shorter than the rows is sent as that, and so are
 * other values if that takes fewer bytes.
 */
export function transferTypes(
  core: Core,
  columns: readonly Column[],
  types: readonly DataType[],
  rows: number,
): readonly DataType[] {
  return types.map((type, i) => {
    const column = columns[i]
    const values = column === undefined ? 0 : core.duckDictionary(column)
    const isDictionary = values > 0 && rows > FEW_ROWS && isShorter(valueType(type), values, rows)
    return isDictionary ? dictionaryOf(type) : type
  })
}

/** The most values, and bytes, of a dictionary that is sent again with each part of its rows. */
const SHORT_VALUES = 2048
const SHORT_BYTES = 16 << 10

/** As `transferTypes`, for rows that are sent in many parts: only short dictionaries are kept. */
export function shortTransferTypes(
  core: Core,
  columns: readonly Column[],
  types: readonly DataType[],
  rows: number,
): readonly DataType[] {
  return transferTypes(core, columns, types, rows).map((type, id) => {
    const column = columns[id]
    if (type.kind !== 'dictionary' || column === undefined) return type
    const isShort =
      core.duckDictionary(column) <= SHORT_VALUES &&
      core.encodeDictionary(column, id).byteLength <= SHORT_BYTES
    return isShort ? type : valueType(type)
  })
}

function isShorter(type: DataType, values: number, rows: number): boolean {
  if (type.kind === 'utf8' || type.kind === 'binary') return values < rows
  const width = rowWidth(type)
  return INDEX_BYTES * rows + width * values < width * rows
}

/** The fields of rows that were sent in `transferTypes`: a column that comes with a dictionary has a dictionary type. */
export function transferFields(fields: readonly Field[], dictionaries: readonly PartDictionary[]): Field[] {
  const ids = new Set(dictionaries.map(({ id }) => id))
  return fields.map((field, i) => (ids.has(i) ? { ...field, type: dictionaryOf(field.type) } : field))
}

function dictionaryOf(type: DataType): DataType {
  if (type.kind === 'dictionary') return type
  return {
    kind: 'dictionary',
    index: { kind: 'int', bits: 32, signed: false },
    value: type,
    ordered: false,
  }
}
