import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCore } from '../../src/wasm/core/create-core.ts'
import type { Box } from '../../src/workers/formats/arrays/array-file.ts'
import {
  createDatasetReader,
  type DatasetReader,
} from '../../src/workers/formats/hdf5/data/dataset-reader.ts'
import type { DatasetArray } from '../../src/workers/formats/hdf5/data/slabs.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { type Elements, elementsInBox, elementsOfSlabs } from '../arrays/slab-elements.ts'
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
  const slabs = reader.slabs(store, dataset, box, reading.context ?? context, box)
  return elementsOfSlabs(slabs, box, { bytes: dataset.valueBytes, isText: dataset.text !== null })
}

/** The elements of a box, out of all elements. */
export function partOf(all: Elements, { shape }: Dataset, box: Box): Elements {
  return elementsInBox(all, shape, box)
}
