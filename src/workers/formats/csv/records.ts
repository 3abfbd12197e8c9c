import { textOf } from '../../../wasm/core/text/csv-dialect.ts'
import type { CsvText } from '../../../wasm/core/text/csv-text.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import type { ReadContext } from '../provider.ts'
import type { Header } from './header.ts'
import type { CsvLimits } from './limits.ts'
import { lineAt } from './lines.ts'
import { count } from './shown.ts'

/** A file whose header has been read. */
export interface CsvFile {
  readonly header: Header
  readonly limits: CsvLimits
}

/** The bytes of a line that tell whether it is a comment. */
const SIGN_BYTES = 2

/** The first `maxRecords` of the records that begin in bytes `from`..`to` of a file. */
export interface RecordRange {
  readonly from: number
  readonly to: number
  /** The byte at which the first of them begins. Null: it has to be guessed. */
  readonly begin: number | null
  readonly maxRecords: number
}

/** Records that were located, with their bytes in the core's memory. Disposing of it frees the bytes. */
export interface FoundRecords extends Disposable {
  readonly text: CsvText
  /** The byte of the file that is the first byte of `text`. */
  readonly start: number
  /** How many bytes of the file `text` has. */
  readonly length: number
  readonly rows: number
  /** The byte of the file at which the first record begins. */
  readonly began: number
  /** The byte of the file at which the first record after these begins. */
  readonly ended: number
  /** Whether `began` was guessed. */
  readonly isGuess: boolean
}

/**
 * The message of every failure of a read that began at a guessed position. If the guess was wrong, the file may be fine:
 * main then repeats the read from the right position, and no user sees this message.
 */
export const MISPLACED = 'where a record begins was not guessed'

/**
 * Locates the records of a range; reads its bytes and those after it up to the end of its last record. Throws
 * `unreadable_file` for a record with too few or too many fields, one that is too long, and a quote that is not closed.
 */
export function findRecords(
  { header, limits }: CsvFile,
  source: ByteSource,
  { from, to, begin, maxRecords }: RecordRange,
  { core, stopwatch, checkCancelled }: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
): FoundRecords {
  // A record begins at `from` if the byte before is a line end.
  const start = begin ?? from - 1
  let at = start
  const text = core.csvText(header.dialect, header.names.length)
  const read = (maxBytes: number): void => {
    checkCancelled()
    const length = Math.min(maxBytes, source.size - at)
    text.add(length, (target) => source.readInto(at, target))
    at += length
  }
  const fail = (position: number, what: string): Error =>
    begin === null
      ? fault(MISPLACED)
      : fault(`line ${lineAt(source, start + position, checkCancelled)} ${what}`)
  const adviceAt = (position: number): string => {
    const at = start + position
    if (begin === null) return ''
    return adviceForFields(header, textOf(source.read(at, Math.min(SIGN_BYTES, source.size - at)), 'latin-1'))
  }
  try {
    // `to` lies before `start` where a record of an earlier range goes on past the whole of this one.
    const limit = Math.max(0, to - start)
    read(limit + limits.tail)
    const began = begin === null ? text.guess(at === source.size) : 0
    if (began === null) throw fault(MISPLACED)
    for (let step = limits.tail; ; step *= 2) {
      const {
        state,
        rows,
        next,
        fields,
        otherFields: actualFields,
      } = stopwatch.time('decode', () => text.find(limit, maxRecords, at === source.size))
      if (state === 'done') {
        return {
          text,
          start,
          length: at - start,
          rows,
          began: start + began,
          ended: start + next,
          isGuess: begin === null,
          [Symbol.dispose]: text.free,
        }
      }
      if (state === 'wrong_fields')
        throw fail(
          next,
          `has ${count(actualFields, 'field')}, ${header.origin} has ${fields}${adviceAt(next)}`,
        )
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

/** What comments begin with in the files of data centres. */
const COMMENT_SIGNS = ['#', '//', '%', '!']

const DELIMITERS = [';', '\t', '|', ',']

/**
 * What helps with a record that has another number of fields than the header, as the end of a message: the option that leaves out
 * a line which begins as comments do, or lines above the header, or that names the delimiter. Empty: nothing is known. `line` is
 * the beginning of the record.
 */
function adviceForFields({ names, dialect, origin }: Header, line: string): string {
  const { comment, delimiter } = dialect
  const [name = ''] = names
  const isRemark = (sign: string): boolean =>
    line.startsWith(sign) || (names.length === 1 && name.startsWith(sign))
  const sign = COMMENT_SIGNS.find(isRemark)
  if (sign !== undefined && comment === '') return `; comment = '${sign}' leaves out lines that begin so`
  if (names.length !== 1 || origin !== 'the header') return ''
  const other = DELIMITERS.find((each) => each !== delimiter && name.includes(each))
  if (other === undefined) return '; skip leaves out lines above the header'
  return `; delimiter = '${other === '\t' ? '\\t' : other}' may be meant, or 'auto'`
}
