import { fault } from '../fault.ts'

/** Follows the frames of Zstandard data (RFC 8878) without inflating them, so that data that were cut are noticed. */
export interface ZstdFrames {
  /** To be called with all bytes, piece by piece. Throws `unreadable_file` for bytes behind a frame that begin no other one. */
  follow(bytes: Uint8Array): void
  /** Whether the bytes so far are whole frames. */
  isBetweenFrames(): boolean
}

const FRAME = 0xfd2fb528
/** Skippable frames have any of 16 numbers. */
const SKIPPABLE = 0x184d2a50

/** The fields of a frame, each of which says which bytes follow. */
type Field = 'magic' | 'skipped_size' | 'descriptor' | 'block_header'

const FIELD_BYTES: Readonly<Record<Field, number>> = Object.freeze({
  magic: 4,
  skipped_size: 4,
  descriptor: 1,
  block_header: 3,
})

/** A field, and how many bytes lie before it that need no look. */
interface Expected {
  readonly field: Field
  readonly skipped: number
}

export function createZstdFrames(): ZstdFrames {
  let field: Field = 'magic'
  /** The bytes of the field so far, and their value, little-endian. */
  let taken = 0
  let value = 0
  /** Bytes before the field that are still to come. */
  let skipping = 0
  let checksumBytes = 0

  function next(): Expected {
    switch (field) {
      case 'magic':
        if (value === FRAME) return { field: 'descriptor', skipped: 0 }
        if (value - (value % 16) === SKIPPABLE) return { field: 'skipped_size', skipped: 0 }
        throw fault('it has bytes behind its last frame that are no frame')
      case 'skipped_size':
        return { field: 'magic', skipped: value }
      case 'descriptor': {
        const isSingle = (value & 32) !== 0
        const sizeFlag = value >> 6
        const sizeBytes = sizeFlag === 0 ? Number(isSingle) : 1 << sizeFlag
        const dictionaryBytes = [0, 1, 2, 4][value & 3] ?? 0
        checksumBytes = value & 4
        return { field: 'block_header', skipped: Number(!isSingle) + dictionaryBytes + sizeBytes }
      }
      case 'block_header': {
        const isRepeated = ((value >> 1) & 3) === 1
        const bytes = isRepeated ? 1 : value >> 3
        const isLast = (value & 1) === 1
        return isLast
          ? { field: 'magic', skipped: bytes + checksumBytes }
          : { field: 'block_header', skipped: bytes }
      }
    }
  }

  return {
    follow(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const skipped = Math.min(skipping, bytes.length - at)
        skipping -= skipped
        at += skipped
        if (at === bytes.length) return
        value += (bytes[at] ?? 0) * 256 ** taken
        at++
        taken++
        if (taken < FIELD_BYTES[field]) continue
        const expected = next()
        field = expected.field
        skipping = expected.skipped
        taken = 0
        value = 0
      }
    },
    isBetweenFrames: () => field === 'magic' && taken === 0 && skipping === 0,
  }
}
