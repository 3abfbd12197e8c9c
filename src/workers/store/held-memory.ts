import { whenTrimmed } from './when-trimmed.ts'

/** The most bytes of small files that are read before they are decoded together. */
export const HELD_BYTES = 4 << 20

let memory: Uint8Array | null = null

whenTrimmed(() => {
  memory = null
})

/**
 * The memory of the thread into which small files are read that are decoded together. It is used again for the next ones: a thread reads
 * the files of one task at a time.
 */
export function heldMemory(): Uint8Array {
  memory ??= new Uint8Array(HELD_BYTES)
  return memory
}
