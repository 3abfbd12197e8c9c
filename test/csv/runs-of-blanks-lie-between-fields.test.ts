import t from 'tap'
import { field } from '../../src/plan/types/schema.ts'
import { readAll } from '../formats/values.ts'
import { fc } from '../support/generate.ts'
import { areGuessesSeenThrough } from './guessed-segments.ts'
import { context, csvError, openCsv, readCsv } from './read.ts'

const WHITESPACE = { delimiter: 'whitespace' }

/** The fields of each line that has any, by a plain splitter. */
function split(text: string): readonly (readonly string[])[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.split(/[ \t]+/).filter((each) => each !== ''))
    .filter((fields) => fields.length > 0)
}

const gap = fc.oneof(
  fc.constantFrom(' ', '\t', '  '),
  fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 90 }),
)
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '1', 'ü', ',', '.', '"'), minLength: 1, maxLength: 6 }),
  fc.constantFrom('MM', '-1', 'x'.repeat(70)),
)
const limits = fc.record({
  firstBlock: fc.integer({ min: 1, max: 90 }),
  block: fc.integer({ min: 1, max: 150 }),
  tail: fc.integer({ min: 1, max: 100 }),
})

const file = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    rows: fc.array(
      fc.record({
        words: fc.array(word, { minLength: width, maxLength: width }),
        gaps: fc.array(gap, { minLength: width + 1, maxLength: width + 1 }),
        end: fc.constantFrom('\n', '\r\n', '\r'),
        /** A line without fields, before it. */
        between: fc.option(gap, { nil: null }),
      }),
      { maxLength: 30 },
    ),
    hasLastEnd: fc.boolean(),
    limits,
  }),
)

t.test(
  'as a plain splitter says, in blocks of any size, from known and from guessed beginnings',
  async (t) => {
    const property = fc.property(file, ({ width, rows, hasLastEnd, limits }) => {
      const lines = rows.map(({ words, gaps, end, between }) => {
        const [margin = '', ...behind] = gaps
        const fields = words.map((each, index) => {
          const last = index === width - 1
          return each + (behind[index] || (last ? '' : ' '))
        })
        return `${between === null ? '' : between + end}${margin}${fields.join('')}${end}`
      })
      const names = Array.from({ length: width }, (_, index) => `c${index}`)
      const whole = `${names.join('\t ')}\n${lines.join('')}`
      const text = hasLastEnd ? whole : whole.replace(/[\r\n]+$/, '')
      const [, ...records] = split(text)
      const expected = names.map((_, column) => records.map((record) => record[column]))
      const fields = names.map((name) => field(name, { kind: 'utf8' }))
      const { file, source } = openCsv(text, { options: { ...WHITESPACE, quote: '' }, limits })
      if (JSON.stringify(readAll(file, source, context, fields)) !== JSON.stringify(expected)) return false
      return areGuessesSeenThrough(file, source, fields)
    })
    fc.assert(property, { numRuns: 1000 })
    t.equal(context.core.usedBytes(), 0)
  },
)

t.test('any text of blanks, words and line ends is split so, or refused', async () => {
  const text = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r', 'a', '1'), maxLength: 200 })
  const property = fc.property(text, limits, (text, limits) => {
    const records = split(text)
    const width = records[0]?.length ?? 0
    const options = { ...WHITESPACE, quote: '', header: false }
    const isTable = records.every((record) => record.length === width)
    if (!isTable)
      return /: line \d+ has \d+ fields?, the first record has/.test(csvError(text, { options, limits }))
    const { file, source } = openCsv(text, { options, limits })
    const fields = Array.from({ length: width }, (_, index) => field(`column${index}`, { kind: 'utf8' }))
    const expected = fields.map((_, column) => records.map((record) => record[column]))
    return JSON.stringify(readAll(file, source, context, fields)) === JSON.stringify(expected)
  })
  fc.assert(property, { numRuns: 2000 })
})

t.test('quotes, comments and nulls are as with any delimiter', async (t) => {
  const read = (text: string, options = {}) => readCsv(text, { options: { ...WHITESPACE, ...options } })
  t.same(read('  a   b\n "x  y"\t1 \n ""  2\n'), [
    ['x  y', null],
    [1n, 2n],
  ])
  t.same(read('a b\n"x ""y""" 1\n5" 2\n'), [
    ['x "y"', '5"'],
    [1n, 2n],
  ])
  t.same(read('# by hand, "open\na b\n#c\n  1  MM\n', { comment: '#', na: ['MM'] }), [[1n], [null]])
  t.same(read('a b\n1,5 2\n', { decimal: ',' }), [['1.5'], [2n]])
  t.same(read(' \t\n\n'), [])
  t.equal(
    csvError('a b\n1 2\n  3\n', { options: WHITESPACE }).includes('line 3 has 1 field, the header has 2'),
    true,
  )
})
