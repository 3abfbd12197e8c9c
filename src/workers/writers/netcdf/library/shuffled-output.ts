import { writeError } from '../../../../plan/output/write-error.ts'
import { productOf } from '../../../../plan/product-of.ts'
import type { Extent, Hdf5Output } from './hdf5-output.ts'
import { type CompressedDataset, rewriteHeaders } from './rewrite-headers.ts'
import { createWholeChunks, type WholeChunks } from './whole-chunks.ts'

/** A compressed dataset. The library has it as large as its chunks, and its elements shuffled. */
interface Shuffled extends Omit<CompressedDataset, 'address' | 'shape'> {
  shape: readonly number[]
  readonly chunk: readonly number[]
  readonly chunks: WholeChunks
}

/**
 * An output that shuffles the elements of compressed datasets, which the library cannot be asked for, and hands it whole chunks alone: it
 * compresses a chunk each time that a part of it is written. `descriptor`: the file, whose headers are rewritten after the library has closed it.
 */
export function withShuffle(output: Hdf5Output, descriptor: number): Hdf5Output {
  const datasets = new Map<string, Shuffled>()
  let closedBytes: number | null = null

  function createShuffled(
    path: string,
    elementBytes: number,
    chunk: readonly number[],
    extent: Extent,
  ): void {
    const { shape, canGrow, deflate } = extent
    const chunks = createWholeChunks({
      chunk,
      shape: shape.map((length, axis) => (canGrow[axis] === true ? Number.POSITIVE_INFINITY : length)),
      elementBytes,
      write: (origin, bytes) => writeChunk(path, origin, chunk, bytes, elementBytes),
    })
    datasets.set(path, { chunk, shape, canGrow, elementBytes, deflate, chunks })
  }

  function writeChunk(
    path: string,
    origin: readonly number[],
    chunk: readonly number[],
    bytes: Uint8Array,
    elementBytes: number,
  ): void {
    const pointer = output.allocate(bytes.length)
    try {
      shuffle(bytes, elementBytes, output.heap().subarray(pointer, pointer + bytes.length))
      output.write(path, origin, chunk, pointer)
    } finally {
      output.free(pointer)
    }
  }

  return {
    get bytes() {
      return closedBytes ?? output.bytes
    },
    allocate: output.allocate,
    free: output.free,
    heap: output.heap,
    createDataset(path, type, extent) {
      const { chunks, deflate } = extent
      if (deflate === 0 || chunks === null) return output.createDataset(path, type, extent)
      createShuffled(path, type.size, chunks, extent)
      output.createDataset(path, type, { ...extent, shape: wholeShape(extent.shape, chunks) })
    },
    resize(path, shape) {
      const dataset = datasets.get(path)
      if (dataset !== undefined) dataset.shape = shape
      output.resize(path, dataset === undefined ? shape : wholeShape(shape, dataset.chunk))
    },
    write(path, from, count, pointer) {
      const dataset = datasets.get(path)
      if (dataset === undefined) return output.write(path, from, count, pointer)
      const length = productOf(count) * dataset.elementBytes
      // The heap moves when a chunk is written.
      dataset.chunks.add(from, count, () => output.heap().subarray(pointer, pointer + length))
    },
    createAttribute: output.createAttribute,
    setScale: output.setScale,
    attachScale: output.attachScale,
    addressOf: output.addressOf,
    close() {
      const compressed = [...datasets].map(([path, dataset]): CompressedDataset => {
        dataset.chunks.flush()
        return { ...dataset, address: output.addressOf(path) }
      })
      output.close()
      if (compressed.length === 0) return
      try {
        closedBytes = rewriteHeaders(descriptor, output.bytes, compressed)
      } catch (error) {
        throw error instanceof Error && 'code' in error ? writeError(error) : error
      }
    },
    discard: output.discard,
  }
}

/** The least shape that is made of whole chunks. */
function wholeShape(shape: readonly number[], chunk: readonly number[]): readonly number[] {
  return shape.map((length, axis) => {
    const step = chunk[axis] ?? 1
    return Math.ceil(length / step) * step
  })
}

/** Puts the first bytes of all elements in front, then the second ones, and so on: filter 2 of HDF5. */
function shuffle(source: Uint8Array, elementBytes: number, target: Uint8Array): void {
  const count = source.length / elementBytes
  for (let byte = 0; byte < elementBytes; byte++)
    for (let read = byte, write = byte * count; read < source.length; read += elementBytes)
      target[write++] = source[read] ?? 0
}
