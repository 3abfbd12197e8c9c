import { memoize } from '../../../plan/memoize.ts'
import type { Store } from '../../store/store.ts'
import type { Box, Slab, StoredArray } from './array-file.ts'
import { contains } from './boxes.ts'

/** A slab of at most so many bytes is small: a coordinate of 4096 numbers of 64 bits. */
export const SMALL_BYTES = 32 << 10

/** The last small slab of each array that was read from a store, which is that of one task, and is verified at its end. */
const lastSlabs = memoize((_store: Store) => new Map<StoredArray, Slab>())

/**
 * The slab that has all elements of a box, if a unit before has read it. Null: it has to be read. Each unit of a task reads coordinates of its
 * own, which are mostly in one chunk: to open and to read it takes a tenth of what a chunk of 400 kB takes.
 */
export function lastSlab(store: Store, array: StoredArray, box: Box): Slab | null {
  const slab = lastSlabs(store).get(array)
  return slab !== undefined && contains(slab, box) ? slab : null
}

/** Keeps a copy of a slab, if it is small. It must have all that is stored of its elements: none whose nulls a slab before it tells. */
export function keepSlab(store: Store, array: StoredArray, slab: Slab): void {
  if (slab.kind !== 'elements' || slab.bytes.length > SMALL_BYTES) return
  lastSlabs(store).set(array, { ...slab, bytes: slab.bytes.slice() })
}
