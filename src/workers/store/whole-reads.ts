import { SMALL_FILE_BYTES } from '../../plan/limits.ts'
import type { ByteSource } from './byte-source.ts'

type Reads = Pick<ByteSource, 'read' | 'readInto' | 'release'>

export interface WholeReads extends Required<Pick<ByteSource, 'read' | 'readInto' | 'release' | 'view'>> {
  /** Reads all bytes into memory of their number, which the caller keeps as it is until `end`. */
  hold(memory: Uint8Array): void
  /** The same for memory into which they have been read. */
  adopt(memory: Uint8Array): void
  /** Gives back the memory of the bytes. */
  end(): void
}

/** Memory that files were read into. It is used again: as garbage, that of ten thousand files has the collector visit all objects. */
const free: Uint8Array[] = []

/** As many files are seldom open at once in a thread. */
const MOST_FREE = 4

/** The reads of a file of `size` bytes, which is small: the first one reads all of it by `reads`, and the others need no system call. */
export function wholeReads(size: number, reads: Reads): WholeReads {
  let held: Uint8Array | null = null
  let isBorrowed = false

  function readAll(): Uint8Array {
    const memory = free.pop() ?? new Uint8Array(SMALL_FILE_BYTES)
    try {
      reads.readInto(0, memory.subarray(0, size))
      return memory
    } catch (error) {
      giveBack(memory)
      throw error
    }
  }

  /** All bytes. Null: the range is none of the file. */
  function all(offset: number, length: number): Uint8Array | null {
    const isInside = Number.isSafeInteger(offset) && offset >= 0 && length >= 0 && length <= size - offset
    if (!isInside) return null
    held ??= readAll()
    return held
  }

  function adopt(memory: Uint8Array): void {
    held = memory
    isBorrowed = true
  }

  return {
    read: (offset, length) =>
      all(offset, length)?.slice(offset, offset + length) ?? reads.read(offset, length),
    readInto(offset, target) {
      const bytes = all(offset, target.length)
      if (bytes === null) reads.readInto(offset, target)
      else target.set(bytes.subarray(offset, offset + target.length))
    },
    view: (offset, length) =>
      all(offset, length)?.subarray(offset, offset + length) ?? reads.read(offset, length),
    release: reads.release,
    hold(memory) {
      reads.readInto(0, memory)
      adopt(memory)
    },
    adopt,
    end() {
      if (held !== null && !isBorrowed) giveBack(held)
      held = null
    },
  }
}

function giveBack(memory: Uint8Array): void {
  if (free.length < MOST_FREE) free.push(memory)
}
