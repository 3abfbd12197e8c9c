import { productOf } from '../../../../plan/product-of.ts'
import type { BoxBlock } from '../../../../wasm/core/boxes/box-column.ts'
import type { Column } from '../../../../wasm/core/column.ts'
import type { Store } from '../../../store/store.ts'
import type { ReadContext } from '../../provider.ts'
import type { ArrayFile, Box, Slab, StoredArray } from '../array-file.ts'
import type { ArrayColumn } from '../columns.ts'
import { keepSlab, lastSlab } from '../small-slabs.ts'
import { boxInArray, boxSpecOf, type GridBox, placedIn, storedBox } from './box-spec.ts'
import { shareColumn } from './shared-columns.ts'

/** What a file of arrays is read with. */
export interface Reading {
  readonly file: ArrayFile
  readonly store: Store
  readonly context: ReadContext
}

/** A column of the rows of a box of the grid. Along axes that the array does not have, its elements are repeated. */
export function readArray(reading: Reading, column: ArrayColumn, box: GridBox): Column {
  const { store, context } = reading
  const spec = boxSpecOf(column, box)
  return shareColumn(store, column, spec, context, () => {
    const slabs = slabsOf(reading, column.array, storedBox(spec), boxInArray(column, spec, box))
    return context.stopwatch.time('decode', () => context.core.boxColumn(spec, slabs))
  })
}

/**
 * The same of boxes one after the other, along the same axes, as one column. Null: along some axis the array has fewer elements than a box has rows, and they
 * are repeated.
 */
export function readArrayOfBoxes(
  reading: Reading,
  column: ArrayColumn,
  boxes: readonly GridBox[],
): Column | null {
  const [first] = boxes
  if (first === undefined) return null
  const { core, stopwatch } = reading.context
  const common = boxSpecOf(column, first)
  const isRepeated = ({ extent }: GridBox) =>
    extent.some((rows, axis) => rows !== 1 && !common.axes.includes(axis))
  if (boxes.some(isRepeated)) return null
  function* blocks(): Iterable<BoxBlock> {
    for (const box of boxes) {
      const spec = { ...common, ...placedIn(common, box) }
      const slabs = slabsOf(reading, column.array, storedBox(spec), boxInArray(column, spec, box))
      yield { shape: spec.shape, origin: spec.origin, slabs }
    }
  }
  const rows = boxes.reduce((sum, { extent }) => sum + productOf(extent), 0)
  return stopwatch.time('decode', () => core.blocksColumn(common, rows, blocks()))
}

/** The slabs of a box. Reading ends between two of them when the query was cancelled. */
function* slabsOf(
  { file, store, context }: Reading,
  array: StoredArray,
  box: Box,
  exclusive: Box | null,
): Iterable<Slab> {
  if (box.extent.includes(0)) return
  const last = lastSlab(store, array, box)
  if (last !== null) {
    yield last
    return
  }
  let before: Slab | null = null
  for (const slab of file.slabs(store, array, box, context, exclusive)) {
    context.checkCancelled()
    // A validity tells which of the elements behind it are null.
    if (before?.kind !== 'validity') keepSlab(store, array, slab)
    before = slab
    yield slab
  }
}
