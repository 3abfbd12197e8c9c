import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import type { FormatOptions } from '../../src/plan/format/file-format.ts'
import { type DataType, type Field, field } from '../../src/plan/types/schema.ts'
import type { OpenFile } from '../../src/workers/formats/provider.ts'
import { segmentsIn } from '../formats/segments.ts'
import { readAll, readSegment, type SegmentValues, type Value } from '../formats/values.ts'
import { fc } from '../support/generate.ts'
import { context, openCsv } from './read.ts'

/** A column: its type, the options that its fields need, and its values with their texts. */
interface Kind {
  readonly type: DataType
  readonly cell: (dialect: Dialect) => fc.Arbitrary<{ readonly text: string; readonly value: Value }>
}

interface Dialect {
  readonly delimiter: string
  readonly quote: string
  readonly comment: string
  readonly decimal: '.' | ','
  readonly na: readonly string[]
  readonly encoding: 'utf-8' | 'latin-1' | 'windows-1252'
  readonly dateFormat: string
  readonly header: boolean | 'names'
  readonly units: boolean
  /** Lines before the header, whatever they hold. */
  readonly skipped: readonly string[]
  /** What stands in comments. */
  readonly remark: string
  readonly lineEnd: string
}

const INT64: DataType = { kind: 'int', bits: 64, signed: true }

/** The text of a day after 1970 in the formats that are generated. */
function dayText(day: number, format: string): string {
  const date = new Date(day * 86_400_000)
  const two = (number: number): string => String(number).padStart(2, '0')
  const parts: Readonly<Record<string, string>> = {
    '%Y': String(date.getUTCFullYear()),
    '%m': two(date.getUTCMonth() + 1),
    '%d': two(date.getUTCDate()),
    '%b': date.toLocaleString('en', { month: 'short', timeZone: 'UTC' }),
    '%j': String(day - Date.UTC(date.getUTCFullYear()) / 86_400_000 + 1).padStart(3, '0'),
  }
  return (format || '%Y-%m-%d').replaceAll(/%./g, (directive) => parts[directive] ?? '')
}

const KINDS: readonly Kind[] = [
  {
    type: INT64,
    cell: () =>
      fc.integer().map((value) => ({ text: String(value), value: BigInt.asUintN(64, BigInt(value)) })),
  },
  {
    type: { kind: 'float', bits: 64 },
    cell: ({ decimal }) =>
      fc.integer().map((hundredths) => {
        const value = hundredths / 100 + 0.005
        return { text: String(value).replace('.', decimal), value: String(value) }
      }),
  },
  {
    type: { kind: 'date', unit: 'day' },
    cell: ({ dateFormat }) =>
      fc.nat(20_000).map((day) => ({ text: dayText(day, dateFormat), value: BigInt(day) })),
  },
  { type: { kind: 'bool' }, cell: () => fc.boolean().map((value) => ({ text: String(value), value })) },
  {
    type: { kind: 'utf8' },
    cell: ({ delimiter, quote, encoding }) => {
      const special = quote === '' ? [] : [delimiter, quote, '\n', '\r\n']
      const euro = encoding === 'latin-1' ? [] : ['€']
      const unit = fc.constantFrom('a', 'ü', ' ', '1', '.', ...euro, ...special)
      return fc.string({ unit, maxLength: 8 }).map((text) => ({ text, value: text === '' ? null : text }))
    },
  },
]

const dialect: fc.Arbitrary<Dialect> = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    quote: fc.constantFrom('"', "'", ''),
    comment: fc.constantFrom('', '#', '//'),
    decimal: fc.constantFrom('.' as const, ',' as const),
    na: fc.constantFrom([], ['NA'], ['-999', 'n/a', 'ü']),
    encoding: fc.constantFrom('utf-8' as const, 'latin-1' as const, 'windows-1252' as const),
    dateFormat: fc.constantFrom('', '%d.%m.%Y', '%Y%m%d', '%d-%b-%Y', '%Y %j'),
    header: fc.constantFrom(true, false, 'names' as const),
    units: fc.boolean(),
    skipped: fc.array(fc.constantFrom('', 'a,b;c', '"open', 'one\ttwo'), { maxLength: 3 }),
    remark: fc.constantFrom('', ' "odd', '\'"', ',;\t|"', 'x'.repeat(90)),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  })
  .map((each) => (each.delimiter === ',' ? { ...each, decimal: '.' as const } : each))

const file = dialect.chain((dialect) =>
  fc.array(fc.constantFrom(...KINDS), { minLength: 2, maxLength: 5 }).chain((kinds) =>
    fc.record({
      dialect: fc.constant(dialect),
      kinds: fc.constant(kinds),
      rows: fc.array(
        fc.tuple(
          ...kinds.map((kind) =>
            fc.oneof(
              { weight: 5, arbitrary: kind.cell(dialect) },
              {
                weight: 1,
                arbitrary: fc.constantFrom('', ...dialect.na).map((text) => ({ text, value: null })),
              },
            ),
          ),
        ),
        { maxLength: 25 },
      ),
      /** How many comments precede each line. */
      remarks: fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
      limits: fc.record({
        firstBlock: fc.integer({ min: 1, max: 90 }),
        block: fc.integer({ min: 1, max: 150 }),
        tail: fc.integer({ min: 1, max: 100 }),
      }),
    }),
  ),
)

type Case = typeof file extends fc.Arbitrary<infer T> ? T : never

/** A field as it is written: in quotes if it must be. */
function written(text: string, { delimiter, quote }: Dialect): string {
  if (quote === '' || !(text.includes(delimiter) || /[\n\r]/.test(text) || text.startsWith(quote)))
    return text
  return quote + text.replaceAll(quote, quote + quote) + quote
}

function textOf({ dialect, kinds, rows, remarks }: Case): string {
  const { delimiter, comment, remark, lineEnd, header, units, skipped } = dialect
  const names = kinds.map((_, index) => `c${index}`)
  const records = [
    ...(header === true ? [names] : []),
    ...(units ? [kinds.map((_, index) => (index === 0 ? '' : `m ${index}`))] : []),
    ...rows.map((row) => row.map(({ text }) => text)),
  ]
  const lines = records.flatMap((fields, index) => [
    ...Array.from(
      { length: comment === '' ? 0 : (remarks[index % remarks.length] ?? 0) },
      () => comment + remark,
    ),
    fields.map((text) => written(text, dialect)).join(delimiter),
  ])
  return [...skipped, ...lines].map((line) => line + lineEnd).join('')
}

function bytesOf(text: string, encoding: Dialect['encoding']): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text)
  return Buffer.from(text.replaceAll('€', '\x80'), 'latin1')
}

function optionsOf({ dialect, kinds }: Case, isTold: boolean): FormatOptions {
  const { delimiter, quote, comment, decimal, na, encoding, dateFormat, header, units, skipped } = dialect
  return {
    delimiter: isTold ? 'auto' : delimiter,
    quote,
    comment,
    decimal,
    na,
    encoding,
    ...(dateFormat === '' ? {} : { date_format: dateFormat }),
    header: header === 'names' ? kinds.map((_, index) => `n${index}`) : header,
    units,
    skip: skipped.length,
  }
}

/** The bytes of each value, for numbers the same text. */
function comparable(values: readonly (readonly Value[])[]): string {
  return JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

/**
 * Whether each block that is read from a guessed beginning is what it is from where the one before it ended, or an error, or
 * begins elsewhere, which main notices.
 */
function areGuessesRight(
  file: OpenFile,
  source: ReturnType<typeof openCsv>['source'],
  fields: readonly Field[],
): boolean {
  let ended: number | null = null
  return segmentsIn(file).every((_, segment) => {
    const read = (begin: number | null): SegmentValues =>
      readSegment(file, source, { kind: 'text', segment, begin }, fields, context)
    const known = read(ended)
    ended = known.span?.ended ?? null
    try {
      const guessed = read(null)
      return (
        guessed.span?.began !== known.span?.began || comparable(guessed.values) === comparable(known.values)
      )
    } catch (error) {
      return isServiceError(error) && error.code === 'unreadable_file' && segment > 0
    }
  })
}

function isReadBack(given: Case, isTold: boolean): boolean {
  const { dialect, kinds, rows, limits } = given
  const { encoding, header, na } = dialect
  const { file, source } = openCsv(bytesOf(textOf(given), encoding), {
    options: optionsOf(given, isTold),
    limits,
  })
  const prefix = { true: 'c', false: 'column', names: 'n' }[String(header)]
  // Without a header a file without records has no columns.
  const isEmpty = header === false && rows.length === 0 && !dialect.units
  const fields = isEmpty ? [] : kinds.map(({ type }, index) => field(`${prefix}${index}`, type))
  const expected = fields.map((_, column) =>
    rows.map((row) => {
      const { text = '', value = null } = row[column] ?? {}
      return na.includes(text) ? null : value
    }),
  )
  if (!areGuessesRight(file, source, fields)) return false
  const names = file.schema.fields.map(({ name }) => name)
  const read = comparable(readAll(file, source, context, fields))
  return names.join() === fields.map(({ name }) => name).join() && read === comparable(expected)
}

/** A line of several empty fields is a record; no record may look like a comment, which no text here does. */
t.test('with its options given', async (t) => {
  fc.assert(
    fc.property(file, (given) => isReadBack(given, false)),
    { numRuns: 1000 },
  )
  t.equal(context.core.usedBytes(), 0)
})

t.test('with its delimiter told by its first records', async (t) => {
  fc.assert(
    fc.property(file, (given) => isReadBack(given, true)),
    { numRuns: 500 },
  )
  t.equal(context.core.usedBytes(), 0)
})
