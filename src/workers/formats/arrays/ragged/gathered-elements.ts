import type { Reading } from '../box/read-array.ts'
import type { ArrayColumn } from '../columns.ts'
import { type ElementAt, readElements } from '../elements.ts'
import { placesIn, runsOf } from './index-runs.ts'

/** The decoded numbers of a stored column at indexes, in their order. Where an index is negative the element is null. */
export function gatheredElements(reading: Reading, stored: ArrayColumn, indexes: Float64Array): ElementAt {
  const runs = runsOf(indexes)
  const placeOf = placesIn(runs)
  const parts = runs.map(({ from, to }) => readElements(reading, stored, from, to))
  const [only] = parts
  if (only !== undefined && parts.length === 1)
    return (row) => {
      const index = indexes[row] ?? -1
      return index < 0 ? null : only(placeOf(index))
    }
  const values: (number | bigint | null)[] = []
  for (const [at, part] of parts.entries()) {
    const { from, to } = runs[at] ?? { from: 0, to: 0 }
    for (let offset = 0; offset < to - from; offset++) values.push(part(offset))
  }
  return (row) => {
    const index = indexes[row] ?? -1
    return index < 0 ? null : (values[placeOf(index)] ?? null)
  }
}
