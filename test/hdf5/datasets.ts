import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCore } from '../../src/wasm/core/create-core.ts'
import type { Box, Slab } from '../../src/workers/formats/arrays/array-file.ts'
import {
  createDatasetReader,
  type DatasetReader,
} from '../../src/workers/formats/hdf5/data/dataset-reader.ts'
import type { DatasetArray } from '../../src/workers/formats/hdf5/data/slabs.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'

/** A dataset of a fixture, or a member of one. */
export interface Dataset extends DatasetArray {
  readonly name: string
  /** Of all elements, as h5py reads them. */
  readonly sha256: string
}

const FOLDER = join(import.meta.dirname, '../fixtures/hdf5-chunks')

/** The datasets of each fixture, by its name. */
export const DATASETS: Readonly<Record<string, readonly Dataset[]>> = JSON.parse(
  readFileSync(join(FOLDER, 'datasets.json'), 'utf8'),
)

export const context: ReadContext = readContext(createCore({ maximumBytes: 1 << 26 }))

export function bytesOfFixture(name: string): Uint8Array {
  return readFileSync(join(FOLDER, `${name}.h5`))
}

export function storeOf(bytes: Uint8Array, name = 'memory.h5'): ReturnType<typeof memorySource> {
  return memorySource(bytes, name)
}

/** The elements of a box: bytes of numbers, little-endian, or texts. In C order. */
export type Elements = readonly (Buffer | string)[]

export interface Reading {
  readonly store: Store
  readonly dataset: Dataset
  readonly reader?: DatasetReader
  readonly context?: ReadContext
}

export function wholeOf({ shape }: Dataset): Box {
  return { origin: shape.map(() => 0), extent: shape }
}

/** Reads a box. Throws if a slab has not all it says, or if elements of the box come twice or not at all. */
export function elementsOf(reading: Reading, box: Box = wholeOf(reading.dataset)): Elements {
  const { store, dataset, reader = createDatasetReader() } = reading
  const elements: (Buffer | string)[] = []
  for (const slab of reader.slabs(store, dataset, box, reading.context ?? context, true)) {
    const elementOf = elementReader(slab, dataset)
    for (const [number, index] of indicesIn(slab).entries()) {
      const inBox = index.map((each, axis) => each - (box.origin[axis] ?? 0))
      if (!inBox.every((each, axis) => each >= 0 && each < (box.extent[axis] ?? 0))) continue
      const to = inBox.reduce((sum, each, axis) => sum * (box.extent[axis] ?? 1) + each, 0)
      if (elements[to] !== undefined) throw new Error(`element ${index} comes twice`)
      elements[to] = elementOf(number)
    }
  }
  const count = box.extent.reduce((product, length) => product * length, 1)
  for (let each = 0; each < count; each++)
    if (elements[each] === undefined) throw new Error(`element ${each} of ${count} does not come`)
  return elements
}

function elementReader(slab: Slab, { valueBytes, text }: Dataset): (number: number) => Buffer | string {
  const bytes = Buffer.from(slab.kind === 'inflated' ? new Uint8Array(slab.bytes.copy()) : slab.bytes)
  if (slab.kind === 'texts')
    return (number) => bytes.toString('utf8', slab.offsets[number], slab.offsets[number + 1])
  if (slab.kind === 'repeated') return () => (text === null ? bytes : bytes.toString())
  const { stride, offset, isShuffled, isBigEndian } = slab
  const count = bytes.length / stride
  return (number) => {
    const element = Buffer.alloc(valueBytes)
    for (let byte = 0; byte < valueBytes; byte++) {
      const at = isShuffled ? (offset + byte) * count + number : number * stride + offset + byte
      if (at >= bytes.length) throw new Error('an element is not in its slab')
      element[isBigEndian ? valueBytes - 1 - byte : byte] = bytes[at] ?? 0
    }
    return element
  }
}

/** The indices of all elements of a box, in C order. */
function indicesIn({ origin, extent }: Box): number[][] {
  return extent.reduce<number[][]>(
    (all, length, axis) =>
      all.flatMap((index) => Array.from({ length }, (_, each) => [...index, (origin[axis] ?? 0) + each])),
    [[]],
  )
}

/** The elements of a box, out of all elements. */
export function partOf(all: Elements, { shape }: Dataset, box: Box): Elements {
  return indicesIn(box).map(
    (index) => all[index.reduce((sum, at, axis) => sum * (shape[axis] ?? 1) + at, 0)] ?? '',
  )
}
