import type { Reading } from '../box/read-array.ts'
import { type Cells, readCells } from '../cells.ts'
import type { ArrayColumn } from '../columns.ts'
import { placesIn, runsOf } from './index-runs.ts'

/** The decoded numbers of a stored column at indexes, in their order. Where an index is negative the cell is null. */
export function gatheredCells(reading: Reading, stored: ArrayColumn, indexes: Float64Array): Cells {
  const runs = runsOf(indexes)
  const placeOf = placesIn(runs)
  const parts = runs.map(({ from, to }) => readCells(reading, stored, from, to))
  const [only] = parts
  if (only !== undefined && parts.length === 1)
    return (row) => {
      const index = indexes[row] ?? -1
      return index < 0 ? null : only(placeOf(index))
    }
  const values: (number | bigint | null)[] = []
  for (const [at, part] of parts.entries()) {
    const { from, to } = runs[at] ?? { from: 0, to: 0 }
    for (let cell = 0; cell < to - from; cell++) values.push(part(cell))
  }
  return (row) => {
    const index = indexes[row] ?? -1
    return index < 0 ? null : (values[placeOf(index)] ?? null)
  }
}
