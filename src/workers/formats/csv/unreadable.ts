import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../../store/byte-source.ts'

/** An error about the content of a file. `locatingErrorsInFile` adds the file's name. */
export function unreadable(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}

/** How many bytes are read at a time to count their lines. */
const CHUNK = 1 << 20

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

const LF = 10
const CR = 13

/** The most characters of a value that a message quotes. */
const SHOWN = 60

/** The value in quotes, shortened, for a message. */
export function shown(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 4 * SHOWN)).toString('utf8')
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
}
