import type { ByteSource } from './byte-source.ts'

type Reads = Pick<ByteSource, 'read' | 'readInto' | 'release'>

/** The reads of a file of `size` bytes, which is small: the first one reads all of it by `reads`, and the others need no system call. */
export function wholeReads(size: number, reads: Reads): Reads {
  let held: Uint8Array | null = null

  /** All bytes. Null: the range is none of the file, of which `reads` tells. */
  function all(offset: number, length: number): Uint8Array | null {
    const isInside = Number.isSafeInteger(offset) && offset >= 0 && length >= 0 && length <= size - offset
    if (!isInside) return null
    held ??= reads.read(0, size)
    return held
  }

  return {
    read: (offset, length) =>
      all(offset, length)?.slice(offset, offset + length) ?? reads.read(offset, length),
    readInto(offset, target) {
      const bytes = all(offset, target.length)
      if (bytes === null) reads.readInto(offset, target)
      else target.set(bytes.subarray(offset, offset + target.length))
    },
    release: reads.release,
  }
}
