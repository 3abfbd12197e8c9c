import type { Column } from '../../../../wasm/core/column.ts'
import type { Store } from '../../../store/store.ts'
import type { ReadContext } from '../../provider.ts'
import type { ArrayFile, Box, Slab, StoredArray } from '../array-file.ts'
import type { ArrayColumn } from '../columns.ts'
import { boxInArray, boxSpecOf, type GridBox, storedBox } from './box-spec.ts'

/** What a file of arrays is read with. */
export interface Reading {
  readonly file: ArrayFile
  readonly store: Store
  readonly context: ReadContext
}

/** A column of the rows of a box of the grid. Along axes that the array does not have, its elements are repeated. */
export function readArray(reading: Reading, column: ArrayColumn, box: GridBox): Column {
  const { core, stopwatch } = reading.context
  const spec = boxSpecOf(column, box)
  const slabs = slabsOf(reading, column.array, storedBox(spec), boxInArray(column, spec, box))
  return stopwatch.time('decode', () => core.boxColumn(spec, slabs))
}

/** The slabs of a box. Reading ends between two of them when the query was cancelled. */
function* slabsOf(
  { file, store, context }: Reading,
  array: StoredArray,
  box: Box,
  exclusive: Box | null,
): Iterable<Slab> {
  if (box.extent.includes(0)) return
  for (const slab of file.slabs(store, array, box, context, exclusive)) {
    context.checkCancelled()
    yield slab
  }
}
