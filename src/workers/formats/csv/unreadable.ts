import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../provider.ts'

/** What is wrong with a file; `ofFile` names it. */
export function unreadable(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}

/** Bytes in which lines are counted at a time. */
const PIECE = 1 << 20

/** The line in which a byte lies: lines end with LF, CR LF or CR, in quotes as well. Reads the file up to there. */
export function lineAt(source: ByteSource, offset: number, checkCancelled: () => void): number {
  let line = 1
  let afterReturn = false
  for (let from = 0; from < offset; from += PIECE) {
    checkCancelled()
    for (const byte of source.read(from, Math.min(PIECE, offset - from))) {
      if (byte === 13 || (byte === 10 && !afterReturn)) line++
      afterReturn = byte === 13
    }
  }
  return line
}

/** Characters of a value that a message shows. */
const SHOWN = 60

/** A value for a message. */
export function shown(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 4 * SHOWN)).toString('utf8')
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
}
