import type { Reading } from '../box/read-array.ts'
import type { IndexVariable, Lookup } from '../columns.ts'
import { indexesByCounts } from './counted-rows.ts'
import { gatheredElements } from './gathered-elements.ts'

/** The index of no value: the row is null. */
const NOWHERE = -1

/**
 * For each of the rows `from`..`to` the index of its value in the stored column. It is negative if there is none: the instance has
 * fewer observations than rows, or an index is null or out of range. Throws `unreadable_file`.
 */
export function indexesOf(reading: Reading, lookup: Lookup, from: number, to: number): Float64Array {
  const { stored, counted, through } = lookup
  const begin =
    counted === null
      ? Float64Array.from({ length: to - from }, (_, row) => from + row)
      : indexesByCounts(reading, counted, from, to)
  const arrays = [...through.map(({ column }) => column), stored]
  return arrays.reduce((indexes, { dimensions }, at) => {
    const size = dimensions[0]?.size ?? 0
    const before = arrays[at - 1]
    const valueAt = before === undefined ? null : gatheredElements(reading, before, indexes)
    return indexes.map((ownIndex, row) => {
      const index = valueAt === null ? ownIndex : Number(valueAt(row) ?? NOWHERE)
      return index >= 0 && index < size ? index : NOWHERE
    })
  }, begin)
}

/**
 * The index variables that lead to a dimension, the first one first, and the dimension that this one has. `isRow` tells the dimensions
 * of rows, at which it ends.
 */
export function wayTo(
  dimension: string,
  indexes: readonly IndexVariable[],
  isRow: (dimension: string) => boolean,
): { readonly from: string; readonly through: readonly IndexVariable[] } {
  const through: IndexVariable[] = []
  let from = dimension
  while (!isRow(from)) {
    const index = indexes.find(({ instances }) => instances === from)
    if (index === undefined || through.includes(index)) break
    through.unshift(index)
    from = index.column.dimensions[0]?.name ?? ''
  }
  return { from, through }
}
