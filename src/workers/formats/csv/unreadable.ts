import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../../store/byte-source.ts'

/** What is wrong with a file; `locatingErrorsInFile` names it. */
export function unreadable(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}

/** Bytes in which lines are counted at a time. */
const PIECE = 1 << 20

/** The line in which a byte lies: lines end with LF, CR LF or CR, in quotes as well. Reads the file up to there. */
export function lineAt(source: ByteSource, offset: number, checkCancelled: () => void): number {
  const piece = Buffer.allocUnsafeSlow(Math.min(PIECE, offset))
  let line = 1
  let afterReturn = false
  for (let from = 0; from < offset; from += PIECE) {
    checkCancelled()
    const bytes = piece.subarray(0, offset - from)
    source.readInto(from, bytes)
    // `indexOf` of a Buffer is ten times as fast as a loop.
    for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) line++
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1))
      if (at === 0 ? !afterReturn : bytes[at - 1] !== CR) line++
    afterReturn = bytes.at(-1) === CR
  }
  return line
}

const LF = 10
const CR = 13

/** Characters of a value that a message shows. */
const SHOWN = 60

/** A value for a message. */
export function shown(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 4 * SHOWN)).toString('utf8')
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
}
