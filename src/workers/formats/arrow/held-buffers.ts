import type { StoredBatch } from './message.ts'

/** Inflated buffers by where they lie in the file. */
export type HeldBuffers = Map<number, Uint8Array>

/** Of one worker, all its files. Bytes. */
const MAX_BYTES = 64 << 20

const batches = new Map<StoredBatch, { readonly buffers: HeldBuffers; readonly bytes: number }>()
let total = 0

/** The buffers of a dictionary's batch that are still there: each record batch refers to them again. */
export function heldBuffers(batch: StoredBatch): HeldBuffers {
  return batches.get(batch)?.buffers ?? new Map()
}

/** Keeps them, as the ones used last; the others go by age, and so do those of files that nobody has open any more. */
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
