import { ServiceError } from '../../plan/errors.ts'
import type { ForeignLayout } from './layout.ts'

/** The buffers of an array in another module's memory. Implementations check that ranges are inside. */
export interface ForeignBuffers {
  /** Bytes of buffer 1 or 2. */
  bytes(index: 1 | 2, from: number, length: number): Uint8Array
  /** All bytes of the data buffers of views. */
  viewData(): readonly Uint8Array[]
}

/**
 * The parts of an array's buffers 1 and following that `assemble` needs for `rows` rows from row `start` on, and the range of
 * the children's rows that belong to them.
 */
export function sliceBuffers(
  { layout, width }: ForeignLayout,
  start: number,
  rows: number,
  { bytes, viewData }: ForeignBuffers,
): { readonly buffers: Uint8Array[]; readonly children: readonly [from: number, to: number] } {
  const none = [0, 0] as const
  switch (layout) {
    case 'bool':
      return { buffers: [sliceBits(start, rows, (from, length) => bytes(1, from, length))], children: none }
    case 'fixed':
      return { buffers: [bytes(1, start * width, rows * width)], children: none }
    case 'utf8':
    case 'binary':
    case 'large_utf8':
    case 'large_binary':
    case 'list':
    case 'large_list': {
      const offsetBytes = layout.startsWith('large') ? 8 : 4
      // An empty array may have no offset at all.
      if (rows === 0) return { buffers: [new Uint8Array(0), new Uint8Array(0)], children: none }
      const offsets = bytes(1, start * offsetBytes, (rows + 1) * offsetBytes)
      const [from, to] = ends(offsets, offsetBytes)
      if (layout.endsWith('list')) return { buffers: [offsets], children: [from, to] }
      return { buffers: [offsets, bytes(2, from, to - from)], children: none }
    }
    case 'utf8_view':
    case 'binary_view':
      return { buffers: [bytes(1, start * 16, rows * 16), ...viewData()], children: none }
    case 'fixed_list':
      return { buffers: [], children: [start * width, (start + rows) * width] }
    default:
      return { buffers: [], children: [start, start + rows] }
  }
}

/** The bytes with the bits of `rows` rows from row `start` on. The first is bit `start % 8` of the first byte. */
export function sliceBits(
  start: number,
  rows: number,
  bytes: (from: number, length: number) => Uint8Array,
): Uint8Array {
  return bytes(Math.floor(start / 8), Math.ceil(((start % 8) + rows) / 8))
}

/** The first and the last offset. An offset beyond 2^53 is not exact, but is refused later: no buffer is so long. */
function ends(offsets: Uint8Array, width: number): readonly [number, number] {
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.byteLength)
  const at = (position: number) =>
    width === 8 ? Number(view.getBigInt64(position, true)) : view.getInt32(position, true)
  const [from, to] = [at(0), at(offsets.length - width)]
  if (from < 0 || to < from) throw new ServiceError('unreadable_file', 'offsets that decrease')
  return [from, to]
}
