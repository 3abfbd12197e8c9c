import type { ByteSource } from '../../store/byte-source.ts'

/** How many bytes are read at a time to count their lines. */
const CHUNK = 1 << 20

const LF = 10
const CR = 13

/**
 * The number of the line, counted from 1, that the byte at `offset` lies in. LF, CR LF and CR end a line, between quotes too,
 * as in an editor. Reads the file up to there.
 */
export function lineAt(source: ByteSource, offset: number, checkCancelled: () => void): number {
  const chunk = Buffer.allocUnsafeSlow(Math.min(CHUNK, offset))
  let line = 1
  let afterReturn = false
  for (let from = 0; from < offset; from += CHUNK) {
    checkCancelled()
    const bytes = chunk.subarray(0, offset - from)
    source.readInto(from, bytes)
    // `indexOf` of a Buffer is ten times as fast as a loop.
    for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) line++
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1))
      if (at === 0 ? !afterReturn : bytes[at - 1] !== CR) line++
    afterReturn = bytes.at(-1) === CR
  }
  return line
}

/** Lines that were left out, and the byte at which the next one begins. */
export interface Skipped {
  readonly lines: number
  readonly end: number
}

/** Leaves out lines from the byte `begin` on. If the file has fewer, it ends with the file. Lines end as for `lineAt`. */
export function skipLines(
  source: ByteSource,
  begin: number,
  lines: number,
  checkCancelled: () => void,
): Skipped {
  let [at, skipped] = [begin, 0]
  while (skipped < lines && at < source.size) {
    checkCancelled()
    const bytes = source.read(at, Math.min(CHUNK, source.size - at))
    const isLast = at + bytes.length === source.size
    const next = (byte: number, from: number): number => {
      const index = bytes.indexOf(byte, from)
      return index < 0 ? Number.POSITIVE_INFINITY : index
    }
    let [line, feed, back] = [0, next(LF, 0), next(CR, 0)]
    while (skipped < lines && line < bytes.length) {
      const end = Math.min(feed, back)
      const isOpen = end === Number.POSITIVE_INFINITY
      // What follows a CR at the end of the bytes is in the next ones.
      if (!isLast && (isOpen || (end === back && end === bytes.length - 1))) break
      line = isOpen ? bytes.length : end + (end === back && bytes[end + 1] === LF ? 2 : 1)
      skipped++
      if (feed < line) feed = next(LF, line)
      if (back < line) back = next(CR, line)
    }
    // A line that is longer than the bytes goes on in the next ones.
    at += line > 0 ? line : bytes.length - (bytes.at(-1) === CR && !isLast ? 1 : 0)
  }
  return { lines: skipped, end: at }
}
