import { ServiceError } from '../../plan/errors.ts'
import type { BoxSlab, BoxSpec } from './box-column.ts'
import { type BoxPiece, boxPieces } from './box-pieces.ts'
import { elementWidth, specBytes } from './box-spec.ts'
import type { Column } from './column.ts'
import type { Instance } from './instance.ts'

/**
 * Makes a column of slabs, which together have each element of the box. Only the bytes that are needed are copied, before the
 * next slab is asked for. Throws `unreadable_file` for slabs that have fewer bytes than they say, or leave elements out.
 */
export function makeBoxColumn(instance: Instance, spec: BoxSpec, slabs: Iterable<BoxSlab>): Column {
  instance.setArguments(specBytes(spec))
  const box = instance.call('box_new')
  let isFinished = false
  try {
    const extent = spec.axes.map((axis) => (axis === null ? 1 : (spec.shape[axis] ?? 0)))
    if (spec.decoding.kind === 'joined') extent.push(spec.decoding.length)
    if (spec.origin.length !== extent.length)
      throw new ServiceError('internal', 'a box of another rank than its array')
    const part = { origin: spec.origin, extent, width: elementWidth(spec.element) }
    for (const slab of slabs) {
      for (const piece of boxPieces(slab, part)) addPiece(instance, box, piece)
    }
    isFinished = true
    return instance.call('box_finish', box) as Column
  } catch (error) {
    if (!isFinished && !instance.isDead()) instance.call('box_free', box)
    throw error
  }
}

function addPiece(instance: Instance, box: number, piece: BoxPiece): void {
  const bytes = piece.parts.reduce((sum, part) => sum + part.length, 0)
  instance.call('box_room', box, bytes)
  const room = instance.bytes(instance.result(0), bytes)
  let at = 0
  for (const part of piece.parts) {
    room.set(part, at)
    at += part.length
  }
  const { kind, first = 0, elements, stride, offset } = piece
  const isBigEndian = Number(piece.isBigEndian)
  if (kind === 'texts') instance.call('box_texts', box, elements)
  else if (kind === 'shuffled') instance.call('box_shuffled', box, elements, isBigEndian)
  else if (kind === 'inflated')
    instance.call('box_inflated', box, first, elements, stride, offset, isBigEndian)
  else instance.call('box_elements', box, elements, stride, offset, isBigEndian)
}
