import { distinctNames } from '../../../plan/types/names.ts'
import type { CsvDialect } from '../../../wasm/core/text/csv-dialect.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import type { ReadContext } from '../provider.ts'
import { adviceForForeign, foreignKind, isWide, markBytes } from './foreign.ts'
import type { CsvLimits } from './limits.ts'
import { skipLines } from './lines.ts'
import type { CsvOptions } from './options.ts'
import { count } from './shown.ts'
import { tellDelimiter } from './tell-delimiter.ts'

export interface Header {
  /** As written, without quotes. A name that repeats gets the first suffix of `_1`, `_2`, … that makes it unique. */
  readonly names: readonly string[]
  /** The unit of each column. Empty: the file has none. */
  readonly units: readonly string[]
  /** What has the columns' number that all records must have, for messages. */
  readonly origin: 'the header' | 'the first record' | 'its row of column names'
  /** Byte of the file at which the header begins, after lines that are left out. */
  readonly begin: number
  /** Byte of the file at which the line after the header begins. */
  readonly end: number
  /** The dialect of the file, with its delimiter. */
  readonly dialect: CsvDialect
}

type Context = Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>

/**
 * Reads the header: the first lines of a file that are neither left out nor empty, as far as the options say that they have
 * names and units. A file without such lines has no columns and no rows, unless the options name columns. Throws
 * `unreadable_file` if the header is too long, has too many columns, has a quote that is not closed, is no text of the encoding,
 * or if its records have different numbers of fields.
 */
export function readHeader(
  source: ByteSource,
  options: CsvOptions,
  limits: CsvLimits,
  context: Context,
): Header {
  const foreign =
    foreignKind(source) ?? (options.dialect.delimiter !== '\0' && isWide(source) ? 'UTF-16' : null)
  if (foreign !== null)
    throw fault(`it is ${foreign}, and CSV is plain UTF-8 text${adviceForForeign(foreign)}`)
  const begin = afterSkipped(source, options.skip, context)
  const delimiterFit = options.isDelimiterTold ? tellDelimiter(source, begin, options, limits, context) : null
  const dialect =
    delimiterFit === null ? options.dialect : { ...options.dialect, delimiter: delimiterFit.delimiter }
  const { header, hasUnits } = options
  const read = Number(header === true) + Number(hasUnits)
  const records = readRecords(source, begin, Math.max(1, read), dialect, limits, context)
  const [first, second] = records.texts
  const width = first?.length ?? 0
  if (width > limits.columns) throw fault(`it has ${width} columns, over ${limits.columns}`)
  return {
    names: distinctNames(namesOf(header, first)),
    units: (hasUnits && (header === true ? second : first)) || [],
    origin: header === true ? 'the header' : 'the first record',
    begin,
    end: read === 0 && first !== undefined ? begin : records.end,
    dialect,
  }
}

function afterSkipped(source: ByteSource, skip: number, { checkCancelled }: Context): number {
  const begin = markBytes(source)
  if (skip === 0 || source.size === begin) return begin
  const { lines, end } = skipLines(source, begin, skip, checkCancelled)
  if (lines < skip) throw fault(`it has ${count(lines, 'line')}, and skip leaves out ${skip}`)
  return end
}

/** The names of the columns. `first` is the first record, if the file has one. */
function namesOf(header: CsvOptions['header'], first: readonly string[] | undefined): readonly string[] {
  if (typeof header === 'boolean')
    return header ? (first ?? []) : (first ?? []).map((_, index) => `column${index}`)
  if (first !== undefined && first.length !== header.length)
    throw fault(`its first record has ${count(first.length, 'field')}, and header names ${header.length}`)
  return header
}

/** The fields of the first records, at most `wanted`, and the byte at which the line after them begins. */
export function readRecords(
  source: ByteSource,
  begin: number,
  wanted: number,
  dialect: CsvDialect,
  limits: CsvLimits,
  { core, checkCancelled }: Context,
): { readonly texts: readonly (readonly string[])[]; readonly end: number } {
  // A name may be one of the texts that are null: NDBC has a month `MM`, and writes MM for what is missing.
  const text = core.csvText({ ...dialect, na: [] }, 0)
  try {
    for (let at = begin, step = limits.tail; ; step *= 2) {
      checkCancelled()
      const length = Math.min(step, source.size - at)
      text.add(length, (target) => source.readInto(at, target))
      at += length
      const {
        state,
        rows,
        next,
        fields,
        otherFields: actualFields,
      } = text.find(Number.POSITIVE_INFINITY, wanted, at === source.size)
      if (state === 'open_quote') throw fault('a quote in its header is not closed')
      if (state === 'wrong_fields')
        throw fault(`its record of units has ${count(actualFields, 'field')}, the header has ${fields}`)
      if (state === 'more') {
        if (at - begin > limits.record)
          throw fault(`its header is longer than ${limits.record} bytes; is a quote missing?`)
        continue
      }
      const texts = Array.from({ length: rows }, (_, row) => text.names(row) ?? notText(dialect))
      return { texts, end: rows === 0 ? source.size : begin + next }
    }
  } finally {
    text.free()
  }
}

function notText({ encoding }: CsvDialect): never {
  throw fault(`its header is not ${encoding.toUpperCase()} text; ${ENCODING_ADVICE}`)
}

/** What helps with text that is not UTF-8. */
export const ENCODING_ADVICE = "encoding = 'windows-1252' or 'latin-1' reads other text"
