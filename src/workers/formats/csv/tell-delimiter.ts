import { WHITESPACE } from '../../../plan/format/csv-dialect-options.ts'
import type { CsvDialect } from '../../../wasm/core/text/csv-dialect.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { ReadContext } from '../provider.ts'
import type { CsvLimits } from './limits.ts'
import type { CsvOptions } from './options.ts'
import { TEXT_KIND } from './types.ts'

/** Delimiters that may be told. Of two that fit equally well it is the first: texts and numbers have commas more often. */
const CANDIDATES = [';', '\t', '|', ','] as const

/** The bytes that decide the delimiter. More are read if they have no whole record. */
const SAMPLE_BYTES = 64 << 10

/** The most records that decide the delimiter. */
const SAMPLE_RECORDS = 100

type Context = Pick<ReadContext, 'core' | 'checkCancelled'>

/** How well a delimiter fits. Better are: no record that differs, more records, fewer columns of text, more columns. */
interface Fit extends ToldDelimiter {
  readonly textShare: number
}

/** A delimiter, and how many columns it gives. */
export interface ToldDelimiter {
  readonly delimiter: string
  readonly fields: number
  /** Whether all records of the sample have so many fields. */
  readonly isWhole: boolean
  /** Records of the sample that fit, without a header. */
  readonly records: number
}

/**
 * The delimiter of a file by its first records, from byte `begin` on: that with which they all have the same number of fields,
 * more than one. If several fit, it is the one with which fewest columns are text, then the one that gives most columns. Null:
 * none fits.
 */
export function tellDelimiter(
  source: ByteSource,
  begin: number,
  { dialect, header }: Pick<CsvOptions, 'dialect' | 'header'>,
  limits: CsvLimits,
  context: Context,
  candidates: readonly string[] = CANDIDATES,
): ToldDelimiter | null {
  for (let bytes = SAMPLE_BYTES; ; bytes *= 4) {
    context.checkCancelled()
    const sample = source.read(begin, Math.min(bytes, source.size - begin))
    const isLast = begin + sample.length === source.size
    const fits = candidates
      .filter((each) => each !== dialect.decimal && each !== dialect.quote)
      .flatMap(
        (delimiter) => fitOf(sample, isLast, { ...dialect, delimiter }, header === true, context) ?? [],
      )
    if (fits.length === 0 && !isLast && bytes < limits.record) continue
    return fits.toSorted(byFit)[0] ?? null
  }
}

/** The fewest columns that make aligned text rather than a text of several words. */
const ALIGNED_COLUMNS = 3

/** Whether runs of blanks would give columns: all of the first records, at least two, have as many fields, three or more. */
export function tellAligned(
  source: ByteSource,
  begin: number,
  options: Pick<CsvOptions, 'dialect' | 'header'>,
  limits: CsvLimits,
  context: Context,
): ToldDelimiter | null {
  const whitespaceFit = tellDelimiter(source, begin, options, limits, context, [WHITESPACE])
  return whitespaceFit?.isWhole === true &&
    whitespaceFit.fields >= ALIGNED_COLUMNS &&
    whitespaceFit.records > 0
    ? whitespaceFit
    : null
}

function byFit(a: Fit, b: Fit): number {
  const whole = Number(b.isWhole) - Number(a.isWhole)
  // The number of records counts only where the rest of the sample does not fit.
  const records = a.isWhole && b.isWhole ? 0 : b.records - a.records
  return whole || records || a.textShare - b.textShare || b.fields - a.fields
}

/** How well the dialect's delimiter fits the sample. Null: it gives one column, or no record. */
function fitOf(
  sample: Uint8Array,
  isLast: boolean,
  dialect: CsvDialect,
  hasHeader: boolean,
  context: Context,
): Fit | null {
  const first = look(sample, isLast, dialect, 0, 1, context)
  if (first.records === 0 || first.fields < 2) return null
  const { delimiter } = dialect
  const rest = hasHeader ? sample.subarray(first.next) : sample
  // Numbers with a comma are numbers where the comma is no delimiter, whatever `decimal` says.
  const decimals = delimiter === ',' ? (['.'] as const) : (['.', ','] as const)
  const looks = decimals.map((decimal) =>
    look(rest, isLast, { ...dialect, decimal }, first.fields, SAMPLE_RECORDS, context),
  )
  const { isWhole = true, records = 0 } = looks[0] ?? {}
  const textColumns = Math.min(...looks.map((each) => each.textColumns))
  return { delimiter, isWhole, records, textShare: textColumns / first.fields, fields: first.fields }
}

/** The first records of a sample: whether all have as many fields, how many there are, and which columns are text. */
function look(
  sample: Uint8Array,
  isLast: boolean,
  dialect: CsvDialect,
  fields: number,
  records: number,
  { core }: Context,
) {
  const text = core.csvText(dialect, fields)
  try {
    text.add(sample.length, (target) => target.set(sample))
    const result = text.find(Number.POSITIVE_INFINITY, records, isLast)
    const kinds = result.rows === 0 ? [] : text.sample()
    return {
      isWhole: result.state === 'more' || result.state === 'done',
      records: result.rows,
      fields: result.fields,
      next: result.next,
      textColumns: kinds.filter(({ kinds }) => (kinds & TEXT_KIND) !== 0).length,
    }
  } finally {
    text.free()
  }
}
