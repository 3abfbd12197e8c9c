import type { Instance } from '../instance.ts'
import type { SlabPart } from './slab-parts.ts'

/** Adds elements to a column of a box that is not finished. */
export function addSlabPart(instance: Instance, box: number, slabPart: SlabPart): void {
  let bytes = 0
  for (const part of slabPart.parts) bytes += part.length
  instance.call('box_room', box, bytes)
  const room = instance.bytes(instance.result(0), bytes)
  let at = 0
  for (const part of slabPart.parts) {
    room.set(part, at)
    at += part.length
  }
  const { kind, first = 0, elements, stride, offset } = slabPart
  const isBigEndian = Number(slabPart.isBigEndian)
  if (kind === 'texts') instance.call('box_texts', box, elements)
  else if (kind === 'validity') instance.call('box_validity', box, elements)
  else if (kind === 'shuffled') instance.call('box_shuffled', box, elements, isBigEndian)
  else if (kind === 'inflated')
    instance.call('box_inflated', box, first, elements, stride, offset, isBigEndian)
  else instance.call('box_elements', box, elements, stride, offset, isBigEndian)
}
