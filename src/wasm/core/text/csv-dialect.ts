import { isUtf8 } from 'node:buffer'
import { memoize } from '../../../plan/memoize.ts'

/** How the bytes of a file are characters. */
export type CsvEncoding = 'utf-8' | 'latin-1' | 'windows-1252' | typeof EITHER

/** UTF-8, or windows-1252 in fields that are no UTF-8. */
export const EITHER = 'utf-8 or windows-1252'

/** How a file is written (`csv_reader/dialect.rs`). The members are checked where they come from. */
export interface CsvDialect {
  /** One ASCII character, or `whitespace`: runs of spaces and tabs, which may also lie around the first and the last field. */
  readonly delimiter: string
  /** One ASCII character other than the delimiter. Empty: no field is quoted. */
  readonly quote: string
  /** At most 16 ASCII characters, with which lines begin that are left out. Empty: none are. */
  readonly comment: string
  /** What stands before the fraction of a float. */
  readonly decimal: '.' | ','
  readonly encoding: CsvEncoding
  /** Texts that are null. */
  readonly na: readonly string[]
  /** The form of dates and times besides those of ISO 8601, with directives of `strptime`. Empty: there is none. */
  readonly dateFormat: string
  /** Whether fields may be missing at the end of a record, and empty ones may follow the last column. Absent: false. */
  readonly isRagged?: boolean
}

/** The encodings in the order of their codes. */
const ENCODINGS: readonly CsvEncoding[] = ['utf-8', 'latin-1', 'windows-1252', EITHER]

const HAS_QUOTE = 1
const HAS_DECIMAL_COMMA = 2
const HAS_RUNS = 4
const IS_RAGGED = 8

/** The dialect as `Dialect::read` reads it. */
export const dialectBytes: (dialect: CsvDialect) => Uint8Array = memoize(pack)

function pack(dialect: CsvDialect): Uint8Array {
  const { delimiter, quote, comment, decimal, encoding, na, dateFormat, isRagged = false } = dialect
  const hasRuns = delimiter === 'whitespace'
  const flags =
    (quote === '' ? 0 : HAS_QUOTE) |
    (decimal === ',' ? HAS_DECIMAL_COMMA : 0) |
    (hasRuns ? HAS_RUNS : 0) |
    (isRagged ? IS_RAGGED : 0)
  const head = [
    (hasRuns ? ' ' : delimiter).charCodeAt(0),
    quote === '' ? 0 : quote.charCodeAt(0),
    flags,
    ENCODINGS.indexOf(encoding),
  ]
  const texts = [Buffer.from(comment), Buffer.from(dateFormat)]
  for (const text of na) {
    const bytes = bytesOfText(text, encoding)
    if (bytes !== null) texts.push(bytes)
  }
  return Buffer.concat([
    Buffer.from(head),
    ...texts.flatMap((text) => [Buffer.of(text.length & 0xff, text.length >> 8), text]),
  ])
}

/** The text in an encoding. Null: the encoding has no bytes for one of its characters, so that no file has the text. */
function bytesOfText(text: string, encoding: CsvEncoding): Buffer<ArrayBuffer> | null {
  if (encoding === 'utf-8' || encoding === EITHER) return Buffer.from(text)
  const bytes = [...text].map((character) => byteOf(character, encoding))
  return bytes.includes(null) ? null : Buffer.from(bytes.map(Number))
}

function byteOf(character: string, encoding: CsvEncoding): number | null {
  const code = character.codePointAt(0) ?? 0
  if (encoding === 'latin-1') return code < 256 ? code : null
  if (code < 0x80 || (code >= 0xa0 && code < 256)) return code
  const index = WINDOWS.indexOf(character)
  return index < 0 ? null : 0x80 + index
}

/** The characters of windows-1252 from 0x80 to 0x9f, as in `csv_reader/encoding.rs`. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Bytes of a file as text, for messages. */
export function textOf(bytes: Uint8Array, encoding: CsvEncoding): string {
  if (encoding === 'utf-8' || (encoding === EITHER && isUtf8(bytes)))
    return Buffer.from(bytes).toString('utf8')
  const text = Buffer.from(bytes).toString('latin1')
  if (encoding === 'latin-1') return text
  return text.replaceAll(/[\u0080-\u009f]/g, (control) => WINDOWS[control.charCodeAt(0) - 0x80] ?? control)
}
