import { createCore } from '../../../src/wasm/core/create-core.ts'
import type { Box } from '../../../src/workers/formats/arrays/array-file.ts'
import { chunkBox, chunksOf } from '../../../src/workers/formats/arrays/boxes.ts'
import type { ReadContext } from '../../../src/workers/formats/provider.ts'
import { slabsOfZarr } from '../../../src/workers/formats/zarr/data/zarr-slabs.ts'
import type { ZarrArray } from '../../../src/workers/formats/zarr/stored-zarr.ts'
import type { Store } from '../../../src/workers/store/store.ts'
import { type Elements, elementsOfSlabs } from '../../arrays/slab-elements.ts'
import { readContext } from '../../formats/context.ts'

const context: ReadContext = readContext(createCore({ maximumBytes: 1 << 26 }))

/** An array of 16-bit integers of these sizes, whose chunks are stored as they are, with some other properties. */
export function madeArray(
  shape: readonly number[],
  chunk: readonly number[],
  other: Partial<ZarrArray> = {},
): ZarrArray {
  return {
    name: 'group/values',
    folder: 'group/values',
    element: { kind: 'int', bits: 16, signed: false },
    data: { kind: 'int', bits: 16, signed: false },
    dimensions: shape.map((size, axis) => ({ name: `d${axis}`, size, isInvented: false })),
    shape,
    chunk,
    objectShape: chunk,
    isAtomic: true,
    storedBytes: 0,
    attributes: [],
    keys: { encoding: 'default', separator: '/' },
    codecs: {
      arrays: [],
      bytes: { name: 'bytes', configuration: { endian: 'little' } },
      compression: [],
    },
    fill: null,
    ...other,
  }
}

export function wholeOf(shape: readonly number[]): Box {
  return { origin: shape.map(() => 0), extent: shape }
}

/** Reads a box of numbers or texts. */
export function readBox(store: Store, array: ZarrArray, box: Box = wholeOf(array.shape)): Elements {
  const { data } = array
  const isText = data.kind === 'variable' || data.kind === 'fixed'
  const bytes = data.kind === 'int' || data.kind === 'float' ? data.bits / 8 : 1
  return elementsOfSlabs(slabsOfZarr(store, array, box, context), box, { bytes, isText })
}

/** The elements of each chunk of an array, in C order, by its key. Elements behind the edge are what `outside` makes. */
export function cutToChunks<T>(
  elements: readonly T[],
  shape: readonly number[],
  chunk: readonly number[],
  outside: T,
): Map<string, T[]> {
  const chunks = new Map<string, T[]>()
  for (const position of chunksOf(wholeOf(shape), chunk)) {
    const { origin, extent } = chunkBox(position, chunk)
    const indices = extent.reduce<number[][]>(
      (all, length, axis) =>
        all.flatMap((index) => Array.from({ length }, (_, each) => [...index, (origin[axis] ?? 0) + each])),
      [[]],
    )
    const values = indices.map((index) => {
      const isInside = index.every((at, axis) => at < (shape[axis] ?? 0))
      const place = index.reduce((sum, at, axis) => sum * (shape[axis] ?? 1) + at, 0)
      return isInside ? (elements[place] ?? outside) : outside
    })
    chunks.set(['group/values/c', ...position].join('/'), values)
  }
  return chunks
}
