import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'

/** Reads a file from its beginning on, big-endian. Each call throws `unreadable_file` if the file ends before. */
export interface HeaderCursor {
  /** The bytes that were taken so far. */
  readonly position: number
  /** The bytes of the file that are left. */
  readonly remainingBytes: number
  uint32(): number
  /** Throws `unreadable_file` beyond 2^53: no file has so many of anything. */
  uint64(): number
  /** The next bytes as text, if they are printable ASCII, as nearly all names and texts are. Null: they are not, and come next. */
  ascii(length: number): string | null
  /** The next bytes. They are not valid any more after the next call. */
  take(length: number): DataView
  skip(length: number): void
}

/** How much is read at a time, if no more is asked for. Most headers are smaller. */
const WINDOW_BYTES = 32 << 10

/** The largest header that is read. Those of real files with thousands of variables have about 1 MiB. */
const MAX_HEADER_BYTES = 32 << 20

/** The cursor reads in few calls and never holds more than the header. Throws `memory_limit` if that is very long. */
export function createHeaderCursor(source: ByteSource): HeaderCursor {
  let held: DataView = new DataView(new ArrayBuffer(0))
  let bytes: Buffer = Buffer.alloc(0)
  let start = 0
  let position = 0

  function require(length: number): void {
    if (length > source.size - position)
      throw fault(`it is cut short: its header goes on for ${length} bytes at ${position} of ${source.size}`)
    if (position + length > MAX_HEADER_BYTES)
      throw new ServiceError(
        'memory_limit',
        `its header has more than the ${MAX_HEADER_BYTES} bytes that are read`,
      )
  }

  /** Holds the next bytes. Returns where they begin in what is held. */
  function hold(length: number): number {
    require(length)
    if (position + length > start + held.byteLength) {
      const read = source.read(position, Math.min(source.size - position, Math.max(length, WINDOW_BYTES)))
      held = new DataView(read.buffer, read.byteOffset, read.length)
      bytes = Buffer.from(read.buffer, read.byteOffset, read.length)
      start = position
    }
    return position - start
  }

  function take(length: number): DataView {
    hold(length)
    const view = new DataView(held.buffer, held.byteOffset + position - start, length)
    position += length
    return view
  }

  return {
    get position() {
      return position
    },
    get remainingBytes() {
      return source.size - position
    },
    uint32() {
      const at = hold(4)
      position += 4
      return held.getUint32(at)
    },
    uint64() {
      const value = take(8).getBigUint64(0)
      if (value > BigInt(Number.MAX_SAFE_INTEGER))
        throw fault(`it says ${value} at ${position - 8}, more than any file has`)
      return Number(value)
    },
    ascii(length) {
      const at = hold(length)
      for (let index = at; index < at + length; index++) {
        const byte = bytes[index] ?? 0
        if (byte < 0x20 || byte > 0x7e) return null
      }
      position += length
      return bytes.toString('latin1', at, at + length)
    },
    take,
    skip(length) {
      require(length)
      position += length
    },
  }
}
