import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import type { StationPlace } from '../../src/plan/source/range.ts'
import { createTextOrder, isInPlace, type Span } from '../../src/plan/source/text.ts'
import { field } from '../../src/plan/types/schema.ts'
import { segmentsIn } from '../formats/segments.ts'
import { readAll, readSegment, type SegmentValues } from '../formats/values.ts'
import { fc } from '../support/generate.ts'
import { context, openOdv } from './read.ts'

/** Columns: two keys, one of metadata behind the data, and flags. */
const TITLES = ['Cruise', 'Station', 'Depth [m]', 'Temp [degC]', 'Latitude [degrees_north]', 'QV:ODV']
const NAMES = ['Cruise', 'Station', 'Depth', 'Temp', 'Latitude', 'Latitude_qc']
const METADATA = [0, 1, 4, 5]
const FIELDS = NAMES.map((name) => field(name, { kind: 'utf8' }))

type Row = readonly string[]

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', 'a', 'b"c', '//x', 'é') },
  { weight: 1, arbitrary: fc.constantFrom('x\ty', 'two\nlines', '""', 'z'.repeat(70), '\r\n\t\t1') },
)

const row: fc.Arbitrary<Row> = fc
  .tuple(fc.boolean(), fc.array(text, { minLength: 6, maxLength: 6 }))
  .map(([isStation, cells]) => (isStation ? cells : ['', '', ...cells.slice(2)]))

const layout = fc.record({
  rows: fc.array(row, { maxLength: 25 }),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  /** Whether empty cells at the end of a row are left out, and lines of comments stand between rows. */
  isRagged: fc.boolean(),
  hasComments: fc.boolean(),
  limits: fc.record({
    firstBlock: fc.integer({ min: 1, max: 60 }),
    block: fc.integer({ min: 1, max: 90 }),
    tail: fc.integer({ min: 1, max: 60 }),
  }),
})

function written(cell: string): string {
  return /["\t\r\n]|^\/\//.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** What the issue says, row by row. */
function carried(rows: readonly Row[]): readonly (readonly (string | null)[])[] {
  let station: Row | null = null
  return rows.map((cells) => {
    if (cells[0] !== '' || cells[1] !== '') station = cells
    const above = station
    return cells.map((cell, column) =>
      cell === '' && above !== null && METADATA.includes(column) ? above[column] || null : cell || null,
    )
  })
}

function lineOf(cells: Row, isRagged: boolean): string {
  const end = isRagged ? Math.max(1, 1 + cells.findLastIndex((cell) => cell !== '')) : cells.length
  const line = cells.slice(0, end).map(written).join('\t')
  // A line without anything is no row.
  return line === '' ? '""' : line
}

/** Whether each segment has its rows from guessed beginnings and stations, or main sees that the guess was wrong. */
function areGuessesSeenThrough(opened: ReturnType<typeof openOdv>, hints: readonly StationPlace[]): boolean {
  const { file, source } = opened
  const order = createTextOrder()
  return segmentsIn(file).every((_, segment) => {
    const unit = { kind: 'text' as const, file: 0, segment, begin: null, decodedBytes: 0 }
    const placed = order.placed(unit)
    const right = readSegment(file, source, placed, FIELDS, context)
    order.ended(placed, right.span)
    return [undefined, ...hints].every((station) => {
      let guessed: SegmentValues
      try {
        guessed = readSegment(file, source, { ...unit, ...(station && { station }) }, FIELDS, context)
      } catch (error) {
        return isServiceError(error) && error.code === 'unreadable_file' && segment > 0
      }
      const isRight = isInPlace(placed, guessed.span)
      return !isRight || JSON.stringify(guessed.values) === JSON.stringify(right.values)
    })
  })
}

t.test('whatever the stations, line ends and sizes of blocks', async (t) => {
  const property = fc.property(layout, ({ rows, lineEnd, isRagged, hasComments, limits }) => {
    const comment = hasComments ? [`// a "comment${'\t'}`] : []
    const lines = rows.flatMap((cells) => [...comment, lineOf(cells, isRagged)])
    const bytes = [TITLES.join('\t'), ...lines].join(lineEnd) + lineEnd
    const opened = openOdv(bytes, { limits })
    const byColumn = (all: readonly (readonly (string | null)[])[]) =>
      NAMES.map((_, column) => all.map((cells) => cells[column] ?? null))
    const { file, source } = opened
    if (JSON.stringify(readAll(file, source, context, FIELDS)) !== JSON.stringify(byColumn(carried(rows))))
      return false
    const plain = openOdv(bytes, { limits, options: { carry_metadata: false } })
    const asWritten = byColumn(rows.map((cells) => cells.map((cell) => cell || null)))
    if (JSON.stringify(readAll(plain.file, plain.source, context, FIELDS)) !== JSON.stringify(asWritten))
      return false
    const hints = [0, 1, 2].map((n) => ({ at: bytes.length >> n, until: (bytes.length >> n) + n }))
    return areGuessesSeenThrough(opened, hints)
  })
  fc.assert(property, { numRuns: 200 })
  t.equal(context.core.usedBytes(), 0)
})

/** A file of one long station after some short ones. */
function longStation(rows: number): string {
  const short = Array.from({ length: 50 }, (_, i) => `C\tS${i}\t1\t2\t${i}.5\t1\n\t\t2\t3\n`)
  const long = Array.from({ length: rows }, (_, i) => `\t\t${i}\t${i / 8}\t\t\n`)
  return `${TITLES.join('\t')}\n${short.join('')}C\tlong\t0\t0\t7.5\t1\n${long.join('')}`
}

t.test('a long station is guessed right once main knows where it begins', async (t) => {
  const opened = openOdv(longStation(20_000), { limits: { firstBlock: 4096, block: 4096 } })
  const { file, source } = opened
  const order = createTextOrder()
  let station: StationPlace | undefined
  let [right, wrong] = [0, 0]
  for (const segment of segmentsIn(file).keys()) {
    const unit = { kind: 'text' as const, file: 0, segment, begin: null, decodedBytes: 0 }
    const placed = order.placed(unit)
    let span: Span | undefined
    try {
      span = readSegment(file, source, { ...unit, ...(station && { station }) }, FIELDS, context).span
    } catch (error) {
      if (!isServiceError(error)) throw error
    }
    if (isInPlace(placed, span)) right++
    else wrong++
    const { span: actual } = readSegment(file, source, placed, FIELDS, context)
    order.ended(placed, actual)
    if (actual !== undefined && segment % 4 === 0)
      station = { at: actual.station ?? actual.carried ?? 0, until: actual.ended }
  }
  t.ok(right > 50 && wrong <= 4, `${right} of ${right + wrong} are guessed right`)
})

t.test('without a column of stations nothing is carried', async (t) => {
  const { file, source } = openOdv('Latitude\tDepth\n1\t2\n\t3\n')
  t.same(readAll(file, source, context)[0], ['1', null])
})
