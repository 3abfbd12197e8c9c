import type { Instance } from '../instance.ts'
import { addSlabPart } from './add-slab-part.ts'
import type { BoxSlab } from './box-column.ts'
import { type BoxPart, checkBytes, elementsOf, words } from './slab-parts.ts'

/**
 * Gathers elements of slabs that have few in a column, and adds them to it together: the calls of the core for a slab take some hundred times
 * as long as copying an element.
 */
export interface FewElements {
  /**
   * Takes the elements of a slab that are in a part, if they are few and follow each other in the column. False: they are to be added by
   * themselves. They may be, before those that were taken.
   */
  take(slab: BoxSlab, part: BoxPart): boolean
  /** Adds what was taken to the column. */
  add(): void
}

/** The most elements of a slab, and the most bytes that wait. */
const FEW = 64
const WAITING_BYTES = 4 << 10

export function createFewElements(instance: Instance, box: number): FewElements {
  let room: Uint8Array | null = null
  /** The place of the column in which the first one goes, the number of them, and the bytes of each. */
  let [start, count, width] = [0, 0, 0]
  let isBigEndian = false

  function add(): void {
    if (room === null || count === 0) return
    const elements = count
    count = 0
    addSlabPart(instance, box, {
      kind: 'strided',
      parts: [
        words(start, [{ from: 0, count: elements, stride: 1, step: 1 }]),
        room.subarray(0, elements * width),
      ],
      elements,
      stride: width,
      offset: 0,
      isBigEndian,
    })
  }

  return {
    take(slab, part) {
      if (slab.kind !== 'elements' || part.width === 0) return false
      const rank = slab.extent.length
      const all = elementsOf(slab.extent)
      let elements = 1
      let place = part.start
      // From the last dimension on: the elements taken so far have to be those of cells one after the other.
      for (let at = rank - 1; at >= 0; at--) {
        const [low, high] = [lowOf(slab, part, at), highOf(slab, part, at)]
        if (low >= high) return false
        if (high - low > 1 && part.strides[at] !== elements) return false
        elements *= high - low
        if (elements > FEW) return false
        place += (low - (part.origin[at] ?? 0)) * (part.strides[at] ?? 0)
      }
      checkBytes(slab, all, part.width)
      const isNext = place === start + count && slab.isBigEndian === isBigEndian
      if (!isNext || (count + elements) * part.width > WAITING_BYTES) add()
      if (count === 0) {
        start = place
        ;({ width } = part)
        ;({ isBigEndian } = slab)
      }
      room ??= new Uint8Array(WAITING_BYTES)
      copyElements(slab, part, all, room, count * width)
      count += elements
      return true
    },
    add,
  }
}

type StoredSlab = Extract<BoxSlab, { kind: 'elements' }>

/** The first index of a dimension that is in the slab and in the part, and the one behind the last. */
function lowOf({ origin }: StoredSlab, part: BoxPart, at: number): number {
  return Math.max(origin[at] ?? 0, part.origin[at] ?? 0)
}

function highOf({ origin, extent }: StoredSlab, part: BoxPart, at: number): number {
  return Math.min((origin[at] ?? 0) + (extent[at] ?? 0), (part.origin[at] ?? 0) + (part.extent[at] ?? 0))
}

/** Copies the elements of a slab of `all` elements that are in a part, in C order, to `room` from byte `to` on. */
function copyElements(slab: StoredSlab, part: BoxPart, all: number, room: Uint8Array, to: number): void {
  const { bytes, stride, offset, isShuffled, origin, extent } = slab
  const { width } = part
  const held = isShuffled ? Math.floor(bytes.length / stride) : 0
  let target = to

  function copyAlong(at: number, before: number, inner: number): void {
    if (at === extent.length) {
      for (let byte = 0; byte < width; byte++)
        room[target++] =
          bytes[isShuffled ? (offset + byte) * held + before : before * stride + offset + byte] ?? 0
      return
    }
    const step = inner / (extent[at] ?? 1)
    const high = highOf(slab, part, at)
    for (let index = lowOf(slab, part, at); index < high; index++)
      copyAlong(at + 1, before + (index - (origin[at] ?? 0)) * step, step)
  }

  copyAlong(0, 0, all)
}
