import { productOf } from '../../../../plan/product-of.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import type { Box, Slab } from '../../arrays/array-file.ts'
import { chunkBox, chunksOf, crop, elementsOf, intersectionOf, isInside } from '../../arrays/boxes.ts'
import { readStridedPart } from '../../arrays/strided/read-strided.ts'
import { inOrder, type StridedElements } from '../../arrays/strided/runs.ts'
import { fault } from '../../fault.ts'
import type { ReadContext } from '../../provider.ts'
import { type ElementForm, elementSlab, fillSlab, slabOf } from './elements.ts'
import { createHeap, type Heap } from './heap.ts'
import type { ChunkGrid } from './index/chunk-grid.ts'
import { openChunkIndex } from './index/chunk-index.ts'
import { type ChunkForm, type ChunkReader, createChunkReader } from './read-chunk.ts'
import type { DatasetStorage } from './structures/dataset.ts'
import type { ChunkedLayout } from './structures/messages/layout.ts'
import type { Structures } from './structures/structures.ts'

/** An array: a dataset, or a member of a compound dataset. */
export interface DatasetArray extends ElementForm {
  /** The address of the dataset's object header. */
  readonly address: number
  readonly shape: readonly number[]
  /** The greatest size along each dimension. Null: it is not limited. */
  readonly maximumShape: readonly (number | null)[]
}

/** What the elements of an array are read from. */
export interface OpenedDataset {
  readonly store: Store
  readonly structures: Structures
  readonly storage: DatasetStorage
  readonly array: DatasetArray
  /** As in `ArrayFile.slabs`. */
  readonly exclusiveBox: Box | null
}

/** The elements of a box, as `ArrayFile.slabs`. Throws `unreadable_file`. */
export function* slabsOfBox(dataset: OpenedDataset, box: Box, context: ReadContext): Generator<Slab> {
  const { structures, array, storage } = dataset
  const { layout, fill, filters } = storage
  const { shape, elementBytes } = array
  const heap = createHeap(structures)
  if (box.extent.includes(0)) return
  if (fill !== null && fill.length !== elementBytes)
    throw fault(`its fill value has ${fill.length} bytes, and its elements have ${elementBytes}`)
  if (layout.kind === 'chunked') {
    yield* slabsOfChunks(dataset, layout, heap, box, context)
    return
  }
  if (filters.length > 0) throw fault('it has filters and no chunks')
  const whole: Box = { origin: shape.map(() => 0), extent: shape }
  const bytes = elementsOf(whole) * elementBytes
  if (layout.kind === 'compact') {
    requireBytes(layout.bytes.length, bytes)
    yield slabOf(box, crop(layout.bytes, whole, box, elementBytes), array, heap)
    return
  }
  if (layout.address === null) {
    const slab = fillSlab(box, fill, array, heap)
    if (slab !== null) yield slab
    return
  }
  if (layout.bytes !== null) requireBytes(layout.bytes, bytes)
  const stored = inOrder(structures.placeOf(layout.address), shape, elementBytes)
  yield* slabsOfRuns(dataset, stored, { from: shape.map(() => 0), box }, heap, context)
}

function requireBytes(actualBytes: number, expected: number): void {
  if (actualBytes < expected) throw fault(`it has ${actualBytes} bytes for elements of ${expected} bytes`)
}

/** The elements of a box that are stored as they are, in a part of the array that begins at `from`. */
function* slabsOfRuns(
  { store, array }: OpenedDataset,
  stored: StridedElements,
  part: { readonly from: readonly number[]; readonly box: Box },
  heap: Heap,
  context: ReadContext,
): Generator<Slab> {
  for (const box of readStridedPart(onlyObject(store), stored, part, context.checkCancelled))
    yield slabOf(box, box.bytes, array, heap)
}

function* slabsOfChunks(
  dataset: OpenedDataset,
  layout: ChunkedLayout,
  heap: Heap,
  box: Box,
  context: ReadContext,
): Generator<Slab> {
  const { store, structures, array } = dataset
  const { filters, fill } = dataset.storage
  const { chunk, elementBytes } = layout
  const grid = gridOf(dataset, layout)
  const find = openChunkIndex(structures, grid, layout.index)
  if (layout.index.address === null) {
    const slab = fillSlab(box, fill, array, heap)
    if (slab !== null) yield slab
    return
  }
  let reader: ChunkReader | null = null
  for (const position of chunksOf(box, chunk)) {
    context.checkCancelled()
    const stored = find(position)
    const all = chunkBox(position, chunk)
    const part = intersectionOf(all, box)
    if (stored === null) {
      const slab = fillSlab(part, fill, array, heap)
      if (slab !== null) yield slab
      continue
    }
    const place = structures.placeOf(stored.address)
    const isEdge = all.origin.some((from, axis) => from + (chunk[axis] ?? 0) > (array.shape[axis] ?? 0))
    if (filters.length === 0 || (isEdge && layout.areEdgesUnfiltered)) {
      if (stored.bytes !== grid.chunkBytes)
        throw fault(`a chunk has ${stored.bytes} bytes instead of ${grid.chunkBytes}`)
      const runs = inOrder(place, chunk, elementBytes)
      yield* slabsOfRuns(dataset, runs, { from: all.origin, box: part }, heap, context)
      continue
    }
    reader ??= createChunkReader(store, formOf(dataset, grid), context)
    if (array.text === null) {
      const isReadOnce = dataset.exclusiveBox !== null && isInside(all, array.shape, dataset.exclusiveBox)
      const asked = { isReadOnce, isPart: elementsOf(part) < elementsOf(all) }
      yield elementSlab(all, reader.readElements(stored, place, asked), array)
    } else {
      const { bytes } = reader.read(stored, place)
      yield slabOf(part, crop(bytes, all, part, elementBytes), array, heap)
    }
  }
}

function formOf({ array, storage }: OpenedDataset, { chunkBytes }: ChunkGrid): ChunkForm {
  const { address, text, valueBytes, elementBytes } = array
  return {
    name: `${address}`,
    filters: storage.filters,
    chunkBytes,
    elementBytes,
    // The members of a compound share its chunks, and their bytes are not together in shuffled ones.
    keepsShuffle: text === null && valueBytes === elementBytes,
  }
}

function gridOf({ array, storage }: OpenedDataset, { chunk, elementBytes }: ChunkedLayout): ChunkGrid {
  if (chunk.length !== array.shape.length || elementBytes !== array.elementBytes)
    throw fault(
      `it has chunks of ${chunk.length} dimensions and elements of ${elementBytes} bytes, and is an array of ${array.shape.length} dimensions and elements of ${array.elementBytes} bytes`,
    )
  return {
    chunk,
    chunkBytes: productOf(chunk) * elementBytes,
    mostChunks: array.maximumShape.map((size, axis) =>
      size === null ? null : Math.ceil(size / (chunk[axis] ?? 1)),
    ),
    isFiltered: storage.filters.length > 0,
  }
}
