import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'

/** How many bytes are read at a time. */
const CHUNK = 1 << 20

const LF = 10
const CR = 13
const SLASH = 47
const TAG = 60
const TAB = 9
const SPACE = 32

/** The most blanks before a tag. */
const MOST_BLANKS = 16

/**
 * The tags in the comments at the beginning of a file, from byte `begin` on: lines that begin with `//` and `<`, without their ends. LF,
 * CR LF and CR end a line. Returns the byte at which the first other line begins. Throws `unreadable_file` for a longer line than
 * `maxLine` bytes.
 */
export function* headerLines(
  source: ByteSource,
  begin: number,
  maxLine: number,
  checkCancelled: () => void,
): Generator<Buffer, number> {
  let [at, size] = [begin, CHUNK]
  while (at < source.size) {
    checkCancelled()
    const read = source.read(at, Math.min(size, source.size - at))
    const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
    const isLast = at + bytes.length === source.size
    const next = (byte: number, from: number): number => {
      const index = bytes.indexOf(byte, from)
      return index < 0 ? Number.POSITIVE_INFINITY : index
    }
    let [line, feed, back] = [0, next(LF, 0), next(CR, 0)]
    while (line < bytes.length) {
      const end = Math.min(feed, back, bytes.length)
      // What follows the end of the bytes is in the next ones.
      if (!isLast && (end === bytes.length || (end === back && end === bytes.length - 1))) break
      if (bytes[line] === SLASH && bytes[line + 1] === SLASH) {
        if (bytes[afterBlanks(bytes, line + 2, Math.min(end, line + 2 + MOST_BLANKS))] === TAG)
          yield bytes.subarray(line, end)
      } else if (afterBlanks(bytes, line, end) < end) return at + line
      line = end + (end === back && bytes[end + 1] === LF ? 2 : 1)
      if (feed < line) feed = next(LF, line)
      if (back < line) back = next(CR, line)
    }
    if (line === 0 && bytes.length > maxLine) throw fault(`its header has a line of over ${maxLine} bytes`)
    size = line === 0 ? 2 * size : CHUNK
    at += Math.min(line, bytes.length)
  }
  return source.size
}

/** The position of the first byte in `from`..`to` that is no blank. `to`: all are. */
function afterBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && (bytes[at] === SPACE || bytes[at] === TAB)) at++
  return at
}
