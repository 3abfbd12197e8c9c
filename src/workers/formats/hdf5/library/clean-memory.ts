import type { Hdf5Module } from './module.ts'

/** The memory of an instance, kept to be restored before each use. */
export interface CleanMemory {
  /** Makes the memory what it was, and fills all that is free with `POISONS[poison]`. */
  restore(poison: number): void
}

/** What free memory is filled with: the second one is for another try. */
export const POISONS = [0xa5, 0x5a] as const

/** Memory is used in steps of so many bytes. */
const PAGE_BYTES = 64 << 10

/** The least gap that is filled. */
const MIN_GAP_BYTES = 32

/**
 * Keeps the memory of an instance that has nothing open. The memory behind the last byte that is not zero was never used: the library has
 * used some 4 of 19 MB when it has started.
 */
export function keepClean(library: Hdf5Module): CleanMemory {
  const memory = library.HEAPU8
  const words = new Int32Array(memory.buffer, memory.byteOffset, memory.length >> 2)
  const last = words.findLastIndex((word) => word !== 0)
  const used = Math.min(memory.length, (Math.floor((4 * last + 4) / PAGE_BYTES) + 1) * PAGE_BYTES)
  const clean = POISONS.map((poison) => {
    fillGaps(library, used, poison)
    return memory.slice(0, used)
  })
  return {
    restore(poison) {
      library.HEAPU8.set(clean[poison] ?? [])
      library.HEAPU8.fill(POISONS[poison] ?? 0, used)
    },
  }
}

/** Fills what is free below `end`: the largest gaps first, because smaller blocks would be taken from them. */
function fillGaps(library: Hdf5Module, end: number, poison: number): void {
  const taken: number[] = []
  for (let bytes = end; bytes >= MIN_GAP_BYTES; bytes >>= 1) {
    for (;;) {
      const pointer = library._malloc(bytes)
      taken.push(pointer)
      if (pointer === 0 || pointer + bytes > end) break
      library.HEAPU8.fill(poison, pointer, pointer + bytes)
    }
    // It is behind the end, and would be where the next one looks for a gap.
    library._free(taken.pop() ?? 0)
  }
  for (const pointer of taken) library._free(pointer)
}
