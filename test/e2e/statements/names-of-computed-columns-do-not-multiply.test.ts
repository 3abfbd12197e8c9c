import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import type { TableSource } from '../../../src/main/catalog/catalog.ts'
import { changingCatalog } from '../../catalog/two-tables.ts'
import { PARQUET } from '../../formats/product.ts'
import { post } from '../../http/test-server.ts'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const ROWS = 300
const catalog = changingCatalog()
const service = await startTestService(t, { workers: 1, catalog })
const numbers = tableFromArrays({
  n: Int32Array.from({ length: ROWS }, (_, row) => row % 7),
  x: Float64Array.from({ length: ROWS }, (_, row) => row),
})
writeParquetFile(join(service.datasets, 'a.parquet'), numbers, 100)
const source: TableSource = {
  kind: 'parts',
  format: PARQUET,
  parts: [{ paths: ['a.parquet'], constants: {} }],
}
catalog.define('a', source)

const FROM = "FROM read_parquet('a.parquet')"
const ROWS_OF_FILES = `SELECT n, x AS s ${FROM}`
const GROUPS = `SELECT n, max(x) AS s ${FROM} GROUP BY n`
const EIGHT = Array(8).fill('s').join(' + ')

/** A query with others around it, each of which computes `s` from the one inside of it. */
function nested(inner: string, computed: string, levels: number): string {
  return levels === 0 ? inner : nested(`SELECT n, ${computed} AS s FROM (${inner})`, computed, levels - 1)
}

/** The plan of a statement or a request, as EXPLAIN prints it. */
async function planOf(body: object): Promise<string> {
  const response = await post(`${service.url}/api/explain-query`, body)
  t.equal(response.status, 200)
  return response.text()
}

t.test('names of columns that name columns several times stand for a bounded number of parts', async (t) => {
  const few = nested(ROWS_OF_FILES, EIGHT, 3)
  const many = nested(ROWS_OF_FILES, EIGHT, 12)
  for (const [sql, engine] of [
    [few, 'core'],
    [`${few} WHERE s > 1 ORDER BY n, s`, 'core'],
    [`${many} ORDER BY n, s LIMIT 5`, 'DuckDB'],
    [`SELECT count(*), max(s) FROM (${many}) WHERE s > 1`, 'DuckDB'],
    [`SELECT n, s AS r, s FROM (${many}) WHERE s + s > s ORDER BY s + s LIMIT 3`, 'DuckDB'],
  ] as const) {
    const both = await askBoth(service, sql)
    t.equal(both.engine, engine, sql)
    t.ok(sameAnswers(both.core, both.duck, sql.includes('ORDER BY')), `${show(both.core)} ${show(both.duck)}`)
  }
  t.match(await planOf({ sql: many }), 'names that stand for more than 16384 parts of expressions')
})

t.test('so do aliases in the same query, and numbers of columns', async (t) => {
  const terms = `coalesce(${Array(135).fill('x').join(', ')})`
  const uses = `coalesce(${Array(135).fill('s').join(', ')})`
  const ones = Array(135).fill('1').join(', ')
  for (const sql of [
    `SELECT ${terms} AS s ${FROM} WHERE ${uses} > 1 ORDER BY s`,
    `SELECT ${terms} AS s, count(*) ${FROM} GROUP BY s HAVING ${uses} > 1 ORDER BY s`,
    `SELECT n, ${terms.replaceAll('x', 'max(x)')} AS s ${FROM} GROUP BY n HAVING ${uses} > 1 ORDER BY n`,
    `SELECT ${terms} AS s ${FROM} ORDER BY ${ones}`,
  ]) {
    t.match(await planOf({ sql }), 'names that stand for more than', sql.slice(-20))
    const rows = await service.rows({ sql })
    t.ok(rows.numRows > 0)
  }
})

t.test(
  'a column of another query that is moved counts once, however many queries are around it',
  async (t) => {
    const termsOf = (column: number): string =>
      Array.from({ length: 100 }, (_, term) => `x * ${100 * column + term}`).join(' + ')
    const wide = Array.from({ length: 90 }, (_, column) => `${termsOf(column)} AS c${column}`).join(', ')
    let sql = `SELECT ${wide} ${FROM}`
    for (let level = 0; level < 10; level++) sql = `SELECT * FROM (${sql})`
    t.notMatch(await planOf({ sql }), 'DuckDB')
  },
)

t.test('columns that are computed of each other are not nested deeper than the core goes', async (t) => {
  const deep = nested(ROWS_OF_FILES, `s${' + 1'.repeat(90)}`, 11)
  t.equal((await askBoth(service, deep)).engine, 'core')
  const sql = nested(ROWS_OF_FILES, `s${' + 1'.repeat(90)}`, 13)
  const both = await askBoth(service, `SELECT min(s), max(s) FROM (${sql})`)
  t.equal(both.engine, 'DuckDB')
  t.ok(sameAnswers(both.core, both.duck, true), show(both))
})

t.test('queries over groups compute each column once, and EXPLAIN prints it once', async (t) => {
  const sql = nested(GROUPS, EIGHT, 12)
  const both = await askBoth(service, `${sql} ORDER BY n`)
  t.equal(both.engine, 'core')
  t.ok(sameAnswers(both.core, both.duck, true), show(both))
  const plan = await planOf({ sql })
  t.ok(plan.length < 20_000, `${plan.length} characters`)
  t.match(plan, ' AS #1')
  t.equal((await service.query({ sql: `EXPLAIN ${sql}` })).status, 200)
})

t.test('views are bounded as the queries that they stand for', async (t) => {
  catalog.view('v0', 'SELECT n, x AS s FROM a', 'a')
  for (let view = 1; view <= 12; view++)
    catalog.view(`v${view}`, `SELECT n, ${EIGHT} AS s FROM v${view - 1}`, `v${view - 1}`)
  // In either order of binding them.
  for (const view of [12, 3, 12, 3]) {
    const { engine, core, duck } = await askBoth(
      service,
      `SELECT n, s + s AS s FROM v${view} ORDER BY s, n LIMIT 4`,
    )
    t.equal(engine, view === 3 ? 'core' : 'DuckDB', `v${view}`)
    t.ok(sameAnswers(core, duck, true), show(core))
  }
})

t.test('a JSON request names a computed column of a view as often as it likes', async (t) => {
  catalog.view('wide', `SELECT n, coalesce(${Array(400).fill('x').join(', ')}) AS s FROM a`, 'a')
  const request = (times: number) => ({
    select: Array.from({ length: times }, (_, n) => ({
      function: 'greatest',
      args: ['s', { value: n }],
      alias: `g${n}`,
    })),
    from: 'wide',
  })
  for (const times of [10, 200]) {
    const rows = await service.rows(request(times))
    t.equal(rows.get(3)?.[`g${times - 1}`], times - 1)
  }
  t.notMatch(await planOf(request(10)), 'DuckDB')
  t.match(await planOf(request(200)), 'names that stand for more than 16384 parts of expressions')
})
