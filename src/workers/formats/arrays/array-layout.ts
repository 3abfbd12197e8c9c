import type { GridColumn } from '../../../plan/source/array-grid.ts'
import type { LaidOutArray, LaidOutArrays } from '../../../plan/source/array-layout.ts'
import type { ArraysColumn } from './columns.ts'

/**
 * The layout of a file whose grid has these dimensions. `inGrid` are the columns as grids need them, `refused` the names of arrays that are
 * no columns. Null: values are gathered, or arrays have different sizes along a dimension.
 */
export function layoutOf(
  columns: ReadonlyMap<string, ArraysColumn>,
  dimensions: readonly string[],
  inGrid: readonly GridColumn[],
  refused: readonly string[],
): LaidOutArrays | null {
  const indexes = new Map(dimensions.map((name, index) => [name, index]))
  const sizes: number[] = []
  const arrays: LaidOutArray[] = []
  let field = -1
  for (const column of columns.values()) {
    field++
    if (column.kind === 'attribute') continue
    const { name, array, lookup } = column
    if (lookup !== undefined) return null
    const dimensionIndexes: number[] = []
    for (const dimension of column.dimensions) {
      const index = indexes.get(dimension.name)
      if (index === undefined) return null
      sizes[index] ??= dimension.size
      if (sizes[index] !== dimension.size) return null
      dimensionIndexes.push(index)
    }
    const { isAtomic, annexFilters } = array
    const chunk = array.chunk && chunkInLayout(array.chunk, dimensionIndexes, sizes)
    arrays.push({
      name,
      field,
      dimensions: dimensionIndexes,
      chunk,
      isAtomic,
      ...(annexFilters && { annexFilters }),
    })
  }
  return { layout: { dimensions, arrays, bytes: inGrid.map(({ bytes }) => bytes), refused }, sizes }
}

/** A chunk as layouts have it, of an array along some of the dimensions of these sizes. */
export function chunkInLayout(
  chunk: readonly number[],
  dimensions: readonly number[],
  sizes: readonly number[],
): readonly number[] {
  return dimensions.map((index, at) => wholeAsZero(chunk[at] ?? 1, sizes[index] ?? 0))
}

/** A chunk that has all indices of a dimension, however many those are in other files. */
function wholeAsZero(chunk: number, size: number): number {
  return chunk >= size ? 0 : chunk
}
