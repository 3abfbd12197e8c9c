import { hash } from 'node:crypto'
import type { PartDictionary } from '../../plan/task/part.ts'
import type { Encoding } from '../../plan/task/task.ts'
import type { DataType, Field } from '../../plan/types/schema.ts'
import type { Column } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { compressionOf } from './encoder.ts'

/** What the indices of the columns of dictionary types refer to; CSV has none. */
export function dictionariesOf(
  core: Core,
  columns: readonly Column[],
  types: readonly DataType[],
  encoding: Encoding,
): readonly PartDictionary[] {
  if (encoding === 'csv') return []
  return types.flatMap((type, id) => {
    const column = columns[id]
    if (type.kind !== 'dictionary' || column === undefined) return []
    const bytes = core.encodeDictionary(column, id, compressionOf(encoding))
    return [{ id, key: hash('sha256', new Uint8Array(bytes)), bytes }]
  })
}

/** Of no more rows a dictionary takes longer to send and to open than their texts. */
const FEW_ROWS = 1024

/** The types in which rows leave for another worker: text that is held as a dictionary smaller than many rows stays one. */
export function heldTypes(
  core: Core,
  columns: readonly Column[],
  types: readonly DataType[],
  rows: number,
): readonly DataType[] {
  return types.map((type, i) => {
    const column = columns[i]
    const values = column === undefined ? 0 : core.duckDictionary(column)
    return values > 0 && values < rows && rows > FEW_ROWS ? dictionaryOf(type) : type
  })
}

/** The fields of rows that have left so: those with a dictionary are of its type. */
export function heldFields(fields: readonly Field[], dictionaries: readonly PartDictionary[]): Field[] {
  const places = new Set(dictionaries.map(({ id }) => id))
  return fields.map((field, i) => (places.has(i) ? { ...field, type: dictionaryOf(field.type) } : field))
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
