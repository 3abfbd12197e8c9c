import type { Column } from '../../../src/wasm/core/column.ts'
import type { Core } from '../../../src/wasm/core/core.ts'
import type { Box, Slab } from '../../../src/workers/formats/arrays/array-file.ts'
import type { GridBox } from '../../../src/workers/formats/arrays/box/box-spec.ts'
import type { ArrayColumn } from '../../../src/workers/formats/arrays/columns.ts'
import { assembleNumbers, assembleTexts } from './assemble-box.ts'
import { cellsIn } from './copy-slab.ts'
import { decodeNumbers } from './decode-numbers.ts'
import { gather } from './gather.ts'
import { gatherTexts } from './gather-texts.ts'
import { spreadOf } from './spread.ts'
import { collectTexts, type Texts, textsOfChars, textsOfSingleChars } from './texts.ts'

/** What `readArray` of the source makes, element by element in JavaScript. `slabsOf` are the slabs of a box of the array. */
export function readArraySlowly(
  core: Core,
  column: ArrayColumn,
  box: GridBox,
  slabsOf: (stored: Box) => Iterable<Slab>,
): Column {
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
  const spread = spreadOf(box.extent, axes, cells)
  if (content.kind === 'plain') {
    const fill = content.fill?.kind === 'bytes' ? Buffer.from(content.fill.value) : null
    return assembleTexts(core, textsOf(column, slabsOf(stored), stored, fill), spread)
  }
  if (content.kind === 'names') throw new RangeError('an array of names')
  const bytes = gather(slabsOf(stored), stored, content.decoding.stored.bits / 8)
  return assembleNumbers(core, decodeNumbers(bytes, content.decoding), spread)
}

function textsOf(
  { array, dimensions }: ArrayColumn,
  slabs: Iterable<Slab>,
  stored: Box,
  fill: Buffer | null,
): Texts {
  const count = cellsIn(stored.extent.slice(0, dimensions.length))
  if (array.element.kind === 'text') {
    const texts = gatherTexts(slabs, stored)
    return collectTexts(count, fill, (index) => texts[index] ?? new Uint8Array())
  }
  const chars = gather(slabs, stored, 1)
  if (dimensions.length === array.dimensions.length) return textsOfSingleChars(chars, fill)
  return textsOfChars(chars, count, array.dimensions.at(-1)?.size ?? 0, fill)
}
