import { discard } from './discard.ts'
import { whenTrimmed } from './when-trimmed.ts'

/** The most bytes that this thread keeps for the next borrower: the pages of a row group of 262 144 rows of eight columns. */
const MOST_BYTES = 16 << 20

/** The length of what is kept is a multiple of it, so that pages of nearly the same size take each other's place. */
const STEP = 64 << 10

/** The oldest first. */
const pool: Uint8Array[] = []
let keptBytes = 0

whenTrimmed(() => {
  for (const memory of pool.splice(0)) discard(memory)
  keptBytes = 0
})

/**
 * Memory of at least so many bytes, which hold anything. V8 counts the memory of buffers, and collects garbage once it has grown
 * by some ten MB, also if it is freed each time by `discard`. So large buffers that live for one unit are used again.
 */
export function borrowMemory(bytes: number): Uint8Array {
  if (bytes < STEP) return newMemory(bytes)
  const length = Math.ceil(bytes / STEP) * STEP
  const at = pool.findLastIndex((memory) => memory.length === length)
  const [memory] = at < 0 ? [] : pool.splice(at, 1)
  if (memory === undefined) return newMemory(length)
  keptBytes -= length
  return memory
}

/** Gives back what `borrowMemory` has returned, once. Nobody may use its bytes any more. */
export function returnMemory(memory: Uint8Array): void {
  if (memory.length < STEP || memory.length > MOST_BYTES) {
    discard(memory)
    return
  }
  pool.push(memory)
  keptBytes += memory.length
  while (keptBytes > MOST_BYTES) {
    const oldest = pool.shift()
    if (oldest === undefined) break
    keptBytes -= oldest.length
    discard(oldest)
  }
}

/** Memory that is not zeroed first. A Uint8Array, because views of a Buffer are expensive. */
function newMemory(bytes: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer)
}
