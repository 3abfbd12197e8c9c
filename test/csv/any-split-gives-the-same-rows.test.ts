import t from 'tap'
import { field } from '../../src/plan/types/schema.ts'
import { segmentsIn } from '../formats/segments.ts'
import { readAll, readSegment } from '../formats/values.ts'
import { fc } from '../support/generate.ts'
import { areGuessesSeenThrough } from './guessed-segments.ts'
import { context, openCsv } from './read.ts'

/** How a field is written: its text, and whether quotes are put around it that it does not need. */
interface Cell {
  readonly text: string
  readonly isQuoted: boolean
}

const cell: fc.Arbitrary<Cell> = fc.record({
  text: fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'ü', ' ', '"', ',', '\n', '\r', '\r\n', '1'), maxLength: 8 }),
    fc.constantFrom('', 'plain', '5" pipe', '"', '",\n"', '\n1,2\n3,4\n', 'x'.repeat(70)),
  ),
  isQuoted: fc.boolean(),
})

const file = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 30 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    /** Empty lines after each record. */
    gaps: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
    hasMark: fc.boolean(),
    hasLastEnd: fc.boolean(),
    limits: fc.record({
      firstBlock: fc.integer({ min: 1, max: 90 }),
      block: fc.integer({ min: 1, max: 150 }),
      tail: fc.integer({ min: 1, max: 100 }),
    }),
  }),
)

function write({ text, isQuoted }: Cell, width: number): string {
  const mustBe = /[,\n\r]|^"/.test(text) || (width === 1 && text === '')
  return mustBe || isQuoted ? `"${text.replaceAll('"', '""')}"` : text
}

const property = fc.property(file, ({ width, rows, lineEnd, gaps, hasMark, hasLastEnd, limits }) => {
  const names = Array.from({ length: width }, (_, i) => `c${i}`)
  const lines = [names.join(), ...rows.map((row) => row.map((each) => write(each, width)).join())]
  const text = lines.map((line, i) => line + lineEnd.repeat(1 + (gaps[i % gaps.length] ?? 0))).join('')
  const bytes = (hasMark ? '\ufeff' : '') + (hasLastEnd ? text : text.slice(0, text.length - lineEnd.length))
  const expected = names.map((_, column) => rows.map((row) => row[column]?.text || null))
  const fields = names.map((name) => field(name, { kind: 'utf8' }))

  const { file, source } = openCsv(bytes, { limits })
  if (JSON.stringify(readAll(file, source, context, fields)) !== JSON.stringify(expected)) return false
  return areGuessesSeenThrough(file, source, fields)
})

t.test(
  'whatever the quoting, line ends and sizes of blocks, from known and from guessed beginnings',
  async (t) => {
    fc.assert(property, { numRuns: 1000 })
    t.equal(context.core.usedBytes(), 0)
  },
)

t.test('blocks of ordinary files are guessed right', async (t) => {
  const plain = Array.from({ length: 5000 }, (_, i) => `${i},${i / 7},station ${i % 9}\n`)
  const quoted = Array.from(
    { length: 5000 },
    (_, i) => `${i},"a text, with ""quotes""\nand ${i} lines\n",x\n`,
  )
  for (const lines of [plain, quoted]) {
    const { file, source } = openCsv(`id,value,name\n${lines.join('')}`, {
      limits: { firstBlock: 1000, block: 4000 },
    })
    const fields = [field('id', { kind: 'int', bits: 64, signed: true })]
    let right = 0
    let ended: number | null = null
    for (const segment of segmentsIn(file).keys()) {
      const range = { kind: 'text', segment, begin: null } as const
      const { span } = readSegment(file, source, range, fields, context)
      right += Number(ended === null || span?.began === ended)
      ended = span?.ended ?? null
    }
    t.equal(right, segmentsIn(file).length)
  }
})
