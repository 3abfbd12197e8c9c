import type { CsvText } from '../../../wasm/core/csv-text.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ReadContext } from '../provider.ts'
import type { Header } from './header.ts'
import type { CsvLimits } from './limits.ts'
import { lineAt, unreadable } from './unreadable.ts'

/** A file whose header has been read. */
export interface CsvFile {
  readonly header: Header
  readonly delimiter: string
  readonly limits: CsvLimits
}

/** Which records: those that begin in bytes `from`..`to`, the first at `begin`, at most `most`. */
export interface Stretch {
  readonly from: number
  readonly to: number
  /** Null: to be guessed. */
  readonly begin: number | null
  readonly most: number
}

/** Records in the core's memory. The first byte of `text` is byte `start` of the file. */
export interface Found extends Disposable {
  readonly text: CsvText
  readonly start: number
  readonly rows: number
  /** Bytes of the file at which the first record begins, and the first one after them. */
  readonly began: number
  readonly ended: number
  readonly isGuess: boolean
}

/** Why a read with a guessed beginning fails, whatever it meets: the error may not be the file's, and nobody reads it. */
export const MISPLACED = 'where a record begins was not guessed'

/** Reads the bytes of a stretch, and on to the end of its last record, and finds its records. */
export function findRecords(
  { header, delimiter, limits }: CsvFile,
  source: ByteSource,
  { from, to, begin, most }: Stretch,
  { core, stopwatch, checkCancelled }: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
): Found {
  // Whether a record begins at `from` is known of the byte before it.
  const start = begin ?? from - 1
  let at = start
  const text = core.csvText(delimiter, header.names.length)
  const read = (most: number): void => {
    checkCancelled()
    const length = Math.min(most, source.size - at)
    text.add(length, (target) => source.readInto(at, target))
    at += length
  }
  const fail = (position: number, what: string): Error =>
    begin === null
      ? unreadable(MISPLACED)
      : unreadable(`line ${lineAt(source, start + position, checkCancelled)} ${what}`)
  try {
    // A record may have gone on past the whole of the stretch.
    const limit = Math.max(0, to - start)
    read(limit + limits.tail)
    const began = begin === null ? text.guess(at === source.size) : 0
    if (began === null) throw unreadable(MISPLACED)
    for (let step = limits.tail; ; step *= 2) {
      const { state, rows, next, fields, found } = stopwatch.time('decode', () =>
        text.find(limit, most, at === source.size),
      )
      if (state === 'done') {
        return {
          text,
          start,
          rows,
          began: start + began,
          ended: start + next,
          isGuess: begin === null,
          [Symbol.dispose]: text.free,
        }
      }
      if (state === 'wrong_fields') throw fail(next, `has ${count(found, 'field')}, the header has ${fields}`)
      if (state === 'open_quote') throw fail(next, 'opens a quote that is never closed')
      if (at - start - next > limits.record)
        throw fail(next, `begins a record of over ${limits.record} bytes; is a quote not closed?`)
      read(step)
    }
  } catch (error) {
    text.free()
    throw error
  }
}

function count(number: number, of: string): string {
  return `${number} ${of}${number === 1 ? '' : 's'}`
}
