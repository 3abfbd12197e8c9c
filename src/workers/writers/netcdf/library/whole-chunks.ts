import { getOrMake } from '../../../../plan/get-or-make.ts'
import { productOf } from '../../../../plan/product-of.ts'
import { chunkBox, chunksOf, copyShared } from '../../../formats/arrays/boxes.ts'

/** A chunk that is put together: the elements of it that are there, each once. */
interface OpenChunk {
  readonly bytes: Uint8Array
  /** Elements within the shape that are still to come. */
  missing: number
}

/** Boxes of a dataset as whole chunks. */
export interface WholeChunks {
  /** Adds a box of elements in C order. No element is added twice. `bytesOf` is called after each chunk that was written. */
  add(from: readonly number[], count: readonly number[], bytesOf: () => Uint8Array): void
  /** Writes the chunks that are not complete, with zeros in place of elements that were not added. */
  flush(): void
}

export interface WholeChunksOptions {
  readonly chunk: readonly number[]
  /** The length of each axis. Infinite: it grows. */
  readonly shape: readonly number[]
  readonly elementBytes: number
  /** Writes a chunk by the index of its first element. Its bytes are all elements of the chunk, also those beyond the shape. */
  write(origin: readonly number[], bytes: Uint8Array): void
}

/** Puts boxes together to chunks, which are written as soon as their last element comes. Boxes need not end where chunks do. */
export function createWholeChunks({ chunk, shape, elementBytes, write }: WholeChunksOptions): WholeChunks {
  const open = new Map<string, OpenChunk & { readonly origin: readonly number[] }>()
  const chunkBytes = productOf(chunk) * elementBytes

  function chunkAt(origin: readonly number[]): OpenChunk {
    return getOrMake(open, origin.join(), () => {
      const within = chunk.map((length, axis) => Math.min(length, (shape[axis] ?? 0) - (origin[axis] ?? 0)))
      return { origin, bytes: new Uint8Array(chunkBytes), missing: productOf(within) }
    })
  }

  return {
    add(from, count, bytesOf) {
      const box = { origin: from, extent: count }
      for (const position of chunksOf(box, chunk)) {
        const whole = chunkBox(position, chunk)
        const target = chunkAt(whole.origin)
        target.missing -= copyShared(bytesOf(), box, target.bytes, whole, elementBytes)
        if (target.missing > 0) continue
        open.delete(whole.origin.join())
        write(whole.origin, target.bytes)
      }
    },
    flush() {
      for (const { origin, bytes } of open.values()) write(origin, bytes)
      open.clear()
    },
  }
}
