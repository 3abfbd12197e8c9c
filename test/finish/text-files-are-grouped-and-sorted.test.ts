import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { csvFormat } from '../formats/product.ts'
import { ascending, descending, planOf } from './plan-of.ts'
import { startPool } from './pool.ts'

const RECORDS = 250_000

/** Some records have line breaks in quotes, at which a worker may wrongly guess that a record begins. */
function record(i: number): string {
  const note = i % 500 === 7 ? `"${'several\nlines, '.repeat(20)}"` : `note ${i % 13}`
  return `${i},${(i * 7919) % 100_003},${note}\n`
}

t.test('blocks that begin at guessed places are counted once, on any number of workers', async (t) => {
  const folder = t.testdir({})
  const text = `id,key,note\n${Array.from({ length: RECORDS }, (_, i) => record(i)).join('')}`
  writeFileSync(join(folder, 'a.csv'), text)
  const keys = Array.from({ length: RECORDS }, (_, i) => (i * 7919) % 100_003)
  const answers: string[] = []
  for (const workers of [1, 3]) {
    const pool = startPool(t, workers)
    const table = await pool.table(folder, csvFormat())
    const grouping = {
      keys: [2],
      aggregates: [
        { kind: 'count_rows' },
        { kind: 'sum', argument: 0 },
        { kind: 'first', argument: 0 },
      ] as const,
      having: null,
    }
    const columns = ['id', 'key', 'note']
    const groups = await pool.run(planOf(table, { columns, grouping, order: [descending(1)] }), table)
    t.equal(groups.rows.length, 14)
    t.equal(
      groups.rows.reduce((sum, row) => sum + Number(row[1]), 0),
      RECORDS,
    )
    t.equal(
      groups.rows.reduce((sum, row) => sum + Number(row[2]), 0),
      (RECORDS * (RECORDS - 1)) / 2,
    )
    const counted = await pool.run(planOf(table, { columns, isCounted: true }), table)
    t.same(counted.rows, [[BigInt(RECORDS)]])
    const first = await pool.run(
      planOf(table, { columns, order: [ascending(1)], offset: 10, limit: 20 }),
      table,
    )
    const expected = keys.map((key, id) => ({ key, id })).toSorted((a, b) => a.key - b.key)
    t.same(
      first.rows.map(([id]) => Number(id)),
      expected.slice(10, 30).map(({ id }) => id),
    )
    const sorted = await pool.run(planOf(table, { columns, order: [descending(1)] }), table, {
      encoding: 'csv',
    })
    answers.push(...[groups, counted, first, sorted].map(({ bytes }) => bytes.toString('latin1')))
  }
  t.ok(answers.slice(0, 4).every((answer, at) => answer === answers[at + 4]))
})
