import { specBytes } from './boxes/box-spec.ts'
import type { Instance } from './instance.ts'

/** A box without elements. */
const EMPTY_BOX = specBytes({
  shape: [0],
  axes: [0],
  origin: [0],
  element: { kind: 'int', bits: 8, signed: true },
  decoding: { kind: 'stored' },
  fills: [],
})

/**
 * Has the memory of the core grow by so many bytes at once. The allocator keeps them, and until they are used they take no memory of the machine.
 * V8 gets a new `ArrayBuffer` of the whole memory for each growth, counts it as garbage with the one before, and collects all of the heap
 * every other time.
 */
export function reserve(instance: Instance, bytes: number): void {
  instance.setArguments(EMPTY_BOX)
  const box = instance.call('box_new')
  try {
    instance.call('box_room', box, bytes)
  } finally {
    if (!instance.isDead()) instance.call('box_free', box)
  }
}
