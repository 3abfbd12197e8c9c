import type { StoredBatch } from './message.ts'

/** Inflated buffers by their offset in the file. */
export type HeldBuffers = Map<number, Uint8Array>

/** The most bytes of inflated buffers that a worker keeps, of all files together. */
const MAX_BYTES = 64 << 20

const batches = new Map<StoredBatch, { readonly buffers: HeldBuffers; readonly bytes: number }>()
let total = 0

/** The buffers of a dictionary batch that are still kept. Every record batch of the file needs them again. */
export function heldBuffers(batch: StoredBatch): HeldBuffers {
  return batches.get(batch)?.buffers ?? new Map()
}

/**
 * Keeps the buffers of a dictionary batch, and drops those that were used least recently if all come to more than the most.
 * Those of closed files go in this way too.
 */
export function holdBuffers(batch: StoredBatch, buffers: HeldBuffers): void {
  release(batch)
  const bytes = [...buffers.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
  if (bytes > MAX_BYTES) return
  batches.set(batch, { buffers, bytes })
  total += bytes
  for (const oldest of batches.keys()) {
    if (total <= MAX_BYTES) break
    release(oldest)
  }
}

function release(batch: StoredBatch): void {
  total -= batches.get(batch)?.bytes ?? 0
  batches.delete(batch)
}
