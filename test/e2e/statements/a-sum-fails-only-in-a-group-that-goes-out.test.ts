import { join } from 'node:path'
import { Int32, Int64, Table, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { askBoth, show } from '../../sql/select/both-engines.ts'
import { answersOf } from '../answers.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 1 })
const { rowsOf, failure } = answersOf(service)
const MOST = 2n ** 63n - 1n
// Two values of the group 0 do not fit into 64 bits together, and so are the negative ones of the group 3.
const table = new Table({
  k: vectorFromArray([0, 0, 1, 1, 2, 3, 3], new Int32()),
  x: vectorFromArray([MOST, 1n, 5n, 6n, MOST, -MOST, -MOST], new Int64()),
})
writeParquetFile(join(service.datasets, 'a.parquet'), table, 10)
const FROM = "FROM read_parquet('a.parquet')"
const SUMS = `SELECT k, sum(x) AS s ${FROM} GROUP BY k`

/** Statements of which the groups that go out have sums that fit. */
const FITTING: Readonly<Record<string, readonly unknown[]>> = {
  [`${SUMS} HAVING k BETWEEN 1 AND 2 ORDER BY k`]: [
    { k: 1, s: 11 },
    { k: 2, s: `${MOST}` },
  ],
  [`${SUMS} HAVING count(*) = 1`]: [{ k: 2, s: `${MOST}` }],
  [`${SUMS} HAVING sum(x) BETWEEN 0 AND 9223372036854775807 ORDER BY k`]: [
    { k: 1, s: 11 },
    { k: 2, s: `${MOST}` },
  ],
  [`${SUMS} ORDER BY k LIMIT 2 OFFSET 1`]: [
    { k: 1, s: 11 },
    { k: 2, s: `${MOST}` },
  ],
  [`${SUMS} ORDER BY s DESC LIMIT 1 OFFSET 1`]: [{ k: 2, s: `${MOST}` }],
  [`SELECT k FROM (${SUMS}) WHERE s > 9000000000000000000 ORDER BY k`]: [{ k: 0 }, { k: 2 }],
  [`SELECT k, s FROM (${SUMS}) WHERE k = 1`]: [{ k: 1, s: 11 }],
  [`SELECT count(*) AS n FROM (${SUMS}) WHERE s < 0`]: [{ n: 1 }],
  [`SELECT min(k) AS k FROM (${SUMS}) WHERE s > (SELECT max(s) FROM (${SUMS} HAVING k > 0))`]: [{ k: 0 }],
}

/** Statements that compute of groups what fails in one that is left out. */
const COMPUTED: Readonly<Record<string, readonly unknown[]>> = {
  [`SELECT v FROM (SELECT k, max(x) + 1 AS v ${FROM} GROUP BY k) WHERE k = 1`]: [{ v: 7 }],
  [`SELECT max(v) AS v FROM (SELECT k, min(x) - 9 AS v ${FROM} GROUP BY k) WHERE k < 3`]: [
    { v: `${MOST - 9n}` },
  ],
}

t.test('a group that is left out fails no statement', async (t) => {
  for (const [sql, rows] of Object.entries({ ...FITTING, ...COMPUTED })) {
    const { engine, core, duck } = await askBoth(service, sql)
    t.equal(engine, 'core', sql)
    t.equal(show(core), show(duck), sql)
    t.same(await rowsOf({ sql }), rows, sql)
  }
})

t.test('one that goes out does', async (t) => {
  for (const sql of [
    SUMS,
    `${SUMS} ORDER BY k LIMIT 1`,
    `${SUMS} HAVING k <> 1`,
    `SELECT s FROM (${SUMS}) WHERE k = 3`,
    `SELECT max(s) FROM (${SUMS})`,
    `SELECT v FROM (SELECT k, max(x) + 1 AS v ${FROM} GROUP BY k) WHERE k = 2`,
  ])
    t.match(await failure({ sql }), /does not fit|out of range|[Oo]verflow/, sql)
})

t.test('all formats have the rows, and EXPLAIN ANALYZE tells who has made them', async (t) => {
  const sql = `${SUMS} ORDER BY k LIMIT 1 OFFSET 1`
  for (const format of ['json', 'csv', 'ndjson', 'parquet'])
    t.equal((await service.query({ sql, output: { format } })).status, 200, format)
  const response = await fetch(`${service.url}/api/explain-analyze-query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
  })
  t.match(await response.text(), /a value that does not fit, in a group that the answer may not have/)
})
