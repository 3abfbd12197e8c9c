import t from 'tap'
import { cutJson } from '../../src/main/history/cut-json.ts'
import { metricsJson } from '../../src/main/history/query-metrics.ts'
import { fromRow, rowSize, toRow } from '../../src/main/history/row.ts'
import { shorten } from '../../src/main/history/shortened.ts'
import { fc } from '../support/generate.ts'
import { someMetrics } from './metrics.ts'

const KIB = 1 << 10

t.test('a text that is cut is JSON, begins as before and says where it was cut', async (t) => {
  t.equal(cutJson('{"sql":"SELECT 1"}', 18), '{"sql":"SELECT 1"}')
  t.equal(cutJson('{"sql":"SELECT time FROM t","output":null}', 30), '{"sql":"SELECT time…"}')
  t.equal(
    cutJson('{"select":["time","platform"],"limit":18446744073709551615,"offset":null}', 70),
    '{"select":["time","platform"],"limit":18446744073709551615,"…":null}',
  )
  t.equal(
    cutJson('[{"Plan":{"Files":["a","b","c","d"],"Plans":[]}}]', 44),
    '[{"Plan":{"Files":["a","b","…"]}}]',
  )
  const most = fc.integer({ min: 16, max: 200 })
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), most, fc.boolean(), (text, most, isCompact) => {
      const json = isCompact ? JSON.stringify(JSON.parse(text)) : text
      const cut = cutJson(json, most)
      JSON.parse(cut)
      return json.length <= most ? cut === json : cut.length <= most && cut.includes('…')
    }),
    { numRuns: 2000 },
  )
})

/** Of one and two code units, and such that JSON escapes in two and six characters. */
const CHARACTERS = fc.constantFrom('a', 'é', '…', '𝄞', '"', '\\', '\n', '\u0001')

t.test('of a string no character is cut in two', async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: CHARACTERS, minLength: 60 }),
      fc.integer({ min: 32, max: 60 }),
      (value, most) => {
        const cut: unknown = JSON.parse(cutJson(JSON.stringify({ value }), most))
        const kept = String((cut as { value: string }).value)
        return kept.isWellFormed() && value.startsWith(kept.slice(0, -1))
      },
    ),
  )
})

t.test('a long value keeps its shape, its numbers and what comes last', async (t) => {
  const long = `${'a'.repeat(16_383)}𝄞`
  const value = {
    sql: long,
    select: Array.from({ length: 101 }, (_, n) => ({ n })),
    limit: JSON.rawJSON('18446744073709551615'),
    output: null,
  }
  t.equal(
    JSON.stringify(shorten(value)),
    JSON.stringify({
      sql: `${'a'.repeat(16_383)}…`,
      select: [...value.select.slice(0, 100), '…'],
      limit: value.limit,
      output: null,
    }),
  )
  const members = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`m${n}`, n]))
  t.equal(
    Object.entries(shorten(members) as object)
      .at(-1)
      ?.join(),
    '…,',
  )
  let deep: unknown = 1
  for (let level = 0; level < 1000; level++) deep = [deep]
  t.match(JSON.stringify(shorten(deep)), /^\[+"…"\]+$/)
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (small) => {
      t.same(shorten(small), small)
    }),
  )
})

t.test('nesting is closed within the bound', async (t) => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const cut = cutJson(deep, 64 * KIB)
  t.ok(cut.length <= 64 * KIB)
  t.ok(JSON.parse(cut))
})

t.test('metrics of a query of 2 MiB over many files take at most 64 Ki characters a text', async (t) => {
  const sql = `SELECT time FROM t WHERE ${"platform = 'ä' OR ".repeat(100_000)} true`
  const plan = JSON.stringify([{ Plan: { 'Node Type': 'Filter', Condition: sql, Plans: [] } }])
  const filePaths = Array.from({ length: 1000 }, (_, n) => `${'folder/'.repeat(500)}${n}.parquet`)
  const row = toRow(
    someMetrics({ query: JSON.stringify({ sql }), parsedPlan: plan, optimizedPlan: `${plan} `, filePaths }),
  )
  t.ok(rowSize(row) <= 4 * 64 * KIB + KIB)
  const kept = fromRow(row)
  t.ok(kept.filePaths.length > 10)
  t.same(kept.filePaths, filePaths.slice(0, kept.filePaths.length), 'paths are whole')
  const body = JSON.parse(metricsJson(kept))
  t.equal(body.query.sql, `${sql.slice(0, body.query.sql.length - 1)}…`)
  t.ok(body.query.sql.length > 60 * KIB)
  t.equal(body.parsed_logical_plan[0].Plan['Node Type'], 'Filter')
})
