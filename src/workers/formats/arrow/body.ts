import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import { inflate } from '../inflate.ts'
import type { ReadContext } from '../provider.ts'
import { type Range, readRanges } from '../read-ranges.ts'
import type { HeldBuffers } from './held-buffers.ts'
import type { Codec, StoredArray } from './record-batch.ts'

/** The contents of a batch's buffers, inflated. */
export interface Body {
  /** `length` bytes of a buffer's content, from byte `from` on. Throws `unreadable_file` if it is shorter. */
  bytes(buffer: Range, from: number, length: number): Uint8Array
  /** A buffer's whole content. */
  whole(buffer: Range): Uint8Array
}

/** A buffer up to this size is read as a whole, in one call with its neighbours; of a larger one, only what is wanted. */
const SMALL_BUFFER_BYTES = 1 << 20

/** The most that a buffer may inflate to. */
const MAX_BUFFER_BYTES = 512 << 20

/** A compressed buffer begins with the length of its content (int64, little endian); -1: the content is not compressed. */
const LENGTH_BYTES = 8

/**
 * Reads the buffers of these arrays, but not those that `held` has. If `held` is not null, every buffer is read as a whole and
 * its content is added to it.
 */
export function openBody(
  arrays: readonly StoredArray[],
  codec: Codec | null,
  source: ByteSource,
  { core, stopwatch, checkCancelled }: ReadContext,
  held: HeldBuffers | null = null,
): Body {
  const isSmall = ({ offset, length }: Range) =>
    length > 0 && length <= SMALL_BUFFER_BYTES && !held?.has(offset)
  const stored = readRanges(source, arrays.flatMap(buffersOf).filter(isSmall))

  const inflateBuffer = (buffer: Range): Uint8Array => {
    if (buffer.length === 0) return new Uint8Array(0)
    const bytes = stored.of(buffer)
    if (codec === null) return bytes
    if (bytes.length < LENGTH_BYTES) throw fault(`a compressed buffer of ${bytes.length} bytes`)
    const size = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true))
    const content = bytes.subarray(LENGTH_BYTES)
    if (size === -1) return content
    if (size < 0) throw fault(`a compressed buffer claims ${size} bytes`)
    if (size > MAX_BUFFER_BYTES)
      throw new ServiceError(
        'memory_limit',
        `a compressed buffer claims ${size} bytes, at most ${MAX_BUFFER_BYTES} are inflated; write smaller batches`,
      )
    checkCancelled()
    return stopwatch.time('inflate', () =>
      codec === 'lz4' ? core.inflateLz4(content, size) : inflate('zstd', content, size),
    )
  }

  const whole = (buffer: Range): Uint8Array => {
    const heldBuffer = held?.get(buffer.offset)
    if (heldBuffer !== undefined) return heldBuffer
    const bytes = inflateBuffer(buffer)
    held?.set(buffer.offset, bytes)
    return bytes
  }

  return {
    bytes(buffer, from, length) {
      if (length === 0) return new Uint8Array(0)
      if (codec === null && held === null && buffer.length > SMALL_BUFFER_BYTES) {
        checkHolds(buffer.length, from, length)
        return source.read(buffer.offset + from, length)
      }
      const bytes = whole(buffer)
      checkHolds(bytes.length, from, length)
      return bytes.subarray(from, from + length)
    },
    whole,
  }
}

function buffersOf({ buffers, children }: StoredArray): Range[] {
  return [...buffers, ...children.flatMap(buffersOf)]
}

function checkHolds(bytes: number, from: number, length: number): void {
  if (from + length > bytes)
    throw fault(`a buffer holds ${bytes} bytes, less than the ${from + length} that its rows take`)
}
