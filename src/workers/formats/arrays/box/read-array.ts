import type { Column } from '../../../../wasm/core/column.ts'
import type { Store } from '../../../store/store.ts'
import type { ReadContext } from '../../provider.ts'
import type { ArrayFile, Box, Slab, StoredArray } from '../array-file.ts'
import { type Decoded, decodeNumbers } from '../cf/decode-numbers.ts'
import type { Decoding } from '../cf/decoding.ts'
import { collectTexts, type Texts, textsOfChars, textsOfSingleChars } from '../cf/text.ts'
import type { ArrayColumn } from '../columns.ts'
import { assembleNumbers, assembleTexts } from './assemble-box.ts'
import { boxSpecOf } from './box-spec.ts'
import { cellsIn } from './copy-slab.ts'
import { gather } from './gather.ts'
import { gatherTexts } from './gather-texts.ts'
import { type Spread, spreadOf } from './spread.ts'

/** What a file of arrays is read with. */
export interface Reading {
  readonly file: ArrayFile
  readonly store: Store
  readonly context: ReadContext
}

/** A box of the grid. `names` are the dimensions of its axes. */
export interface GridBox extends Box {
  readonly names: readonly string[]
}

/** A column of the rows of a box of the grid. Along axes that the array does not have, its cells are repeated. */
export function readArray(reading: Reading, column: ArrayColumn, box: GridBox): Column {
  const { core, stopwatch } = reading.context
  const { dimensions, array, content } = column
  const axes = dimensions.map(({ name }) => box.names.indexOf(name))
  const own = dimensions.map(({ size }, at) => {
    const axis = axes[at] ?? -1
    // A dimension with one index has the same cell all along its axis.
    if (size === 1 || axis < 0) return { from: 0, length: Math.min(size, 1) }
    return { from: box.origin[axis] ?? 0, length: box.extent[axis] ?? 0 }
  })
  const chars = array.dimensions.slice(dimensions.length).map(({ size }) => ({ from: 0, length: size }))
  const stored = {
    origin: [...own, ...chars].map(({ from }) => from),
    extent: [...own, ...chars].map(({ length }) => length),
  }
  const cells = own.map(({ length }) => length)
  const spread: Spread = spreadOf(box.extent, axes, cells)
  if (content.kind === 'numbers') {
    const spec = boxSpecOf(content.decoding, box, dimensions, axes, stored.origin)
    if (spec !== null)
      return stopwatch.time('decode', () => core.boxColumn(spec, slabsOf(reading, array, stored)))
    const decoded = readNumbers(reading, column, content.decoding, stored)
    return stopwatch.time('decode', () => assembleNumbers(core, decoded, spread))
  }
  const texts = readTexts(reading, column, content.fill, stored, cellsIn(cells))
  return stopwatch.time('decode', () => assembleTexts(core, texts, spread))
}

/** The slabs of a box. Reading ends between two of them when the query was cancelled. */
function* slabsOf({ file, store, context }: Reading, array: StoredArray, box: Box): Iterable<Slab> {
  if (cellsIn(box.extent) === 0) return
  for (const slab of file.slabs(store, array, box, context)) {
    context.checkCancelled()
    yield slab
  }
}

/** The decoded numbers of a box of an array, in C order. */
export function readNumbers(
  { file, store, context }: Reading,
  { array }: ArrayColumn,
  decoding: Decoding,
  box: Box,
): Decoded {
  const bytes = gather(file, store, array, box, decoding.stored.bits / 8, context)
  return context.stopwatch.time('decode', () => decodeNumbers(bytes, decoding))
}

function readTexts(
  { file, store, context }: Reading,
  { array, dimensions }: ArrayColumn,
  fill: Buffer | null,
  box: Box,
  count: number,
): Texts {
  if (array.element.kind === 'text') {
    const texts = gatherTexts(file, store, array, box, context)
    return collectTexts(count, fill, (index) => texts[index] ?? new Uint8Array())
  }
  const chars = gather(file, store, array, box, 1, context)
  if (dimensions.length === array.dimensions.length) return textsOfSingleChars(chars, fill)
  return textsOfChars(chars, count, array.dimensions.at(-1)?.size ?? 0, fill)
}
