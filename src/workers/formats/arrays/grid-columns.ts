import type { GridColumn } from '../../../plan/source/array-grid.ts'
import { rowWidth } from '../../../plan/types/row-width.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { ArraysColumn } from './columns.ts'

/** What the grids of a file need of its columns. */
export function gridColumns(columns: Iterable<ArraysColumn>): readonly GridColumn[] {
  return Array.from(columns, (column) => ({
    bytes: bytesOfValue(column),
    dimensions: column.kind === 'array' ? column.dimensions : [],
  }))
}

/** Bytes of a text or other element of any length, as estimated. */
const TEXT_BYTES = 16

/** Bytes of a decoded value, as estimated. */
function bytesOfValue(column: ArraysColumn): number {
  if (column.kind === 'attribute')
    return bytesOfConstant(column.type, column.value.kind === 'bytes' ? column.value.value.length : 0)
  if (column.content.kind === 'numbers' || column.type.kind === 'bool') return rowWidth(column.type)
  const { array, dimensions } = column
  if (array.element.kind !== 'char') return 4 + TEXT_BYTES
  return bytesOfLetters(
    array.dimensions.slice(dimensions.length).reduce((chars, { size }) => chars * size, 1),
  )
}

/** The same of a text of so many letters. */
export function bytesOfLetters(letters: number): number {
  return 4 + letters
}

/**
 * The same of an attribute whose text has so many bytes. These are rounded up to a power of two: files whose texts are about as long have the same
 * layout, which main then has once for all of them.
 */
export function bytesOfConstant(type: DataType, textBytes: number): number {
  return rowWidth(type) + (textBytes === 0 ? 0 : Math.max(LEAST_TEXT, 2 ** Math.ceil(Math.log2(textBytes))))
}

const LEAST_TEXT = 32
