import assert from 'node:assert/strict'
import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { changingCatalog } from '../../catalog/two-tables.ts'
import { post } from '../../http/test-server.ts'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { fc } from '../../support/generate.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const ROWS = 60_000
const catalog = changingCatalog()
const service = await startTestService(t, { workers: 2, catalog })
const columns = tableFromArrays({
  id: Int32Array.from({ length: ROWS }, (_, row) => (row * 7919) % 60_013),
  x: Array.from({ length: ROWS }, (_, row) =>
    row % 13 === 0 ? null : row % 17 === 0 ? Number.NaN : ((row * 104_729) % 1009) / 10,
  ),
  key: Int32Array.from({ length: ROWS }, (_, row) => row % 20_000),
  tie: Int8Array.from({ length: ROWS }, (_, row) => row % 3),
  name: Array.from({ length: ROWS }, (_, row) => (row % 7 === 0 ? null : `name ${row % 11}`)),
  flag: Array.from({ length: ROWS }, (_, row) => row % 5 === 0),
  time: Array.from({ length: ROWS }, (_, row) => new Date(1_700_000_000_000 + ((row * 31) % 977) * 1000)),
})
writeParquetFile(join(service.datasets, 'a.parquet'), columns, 7000)

const FROM = "FROM read_parquet('a.parquet')"
const NUMBERED = `SELECT *, row_number() OVER (PARTITION BY name ORDER BY time DESC, id) AS rn ${FROM}`

catalog.view('numbered', `${NUMBERED} WHERE tie < 2`)
catalog.view('latest', `SELECT DISTINCT ON (name) name, time, id ${FROM} ORDER BY name, time DESC, id`)

/** What the core runs. */
const CORE = [
  `SELECT DISTINCT ON (name) name, time, x, id ${FROM} ORDER BY name, time DESC, id`,
  `SELECT DISTINCT ON (name, flag) * ${FROM} WHERE x > 20 ORDER BY name NULLS FIRST, flag, x, id DESC LIMIT 5 OFFSET 2`,
  `SELECT DISTINCT ON (tie) id, x ${FROM} ORDER BY x DESC NULLS LAST, id`,
  `SELECT DISTINCT ON (1) name AS n, round(x, 0) AS r, id ${FROM} ORDER BY 1, r, id`,
  `SELECT DISTINCT ON (id % 10) id % 10 AS d, id ${FROM} ORDER BY d, id DESC`,
  `SELECT DISTINCT ON (date_trunc('minute', time)) time, id ${FROM} ORDER BY time, id`,
  `SELECT * FROM (${NUMBERED}) WHERE rn = 1 ORDER BY name`,
  `SELECT name, rn, x FROM (${NUMBERED}) AS t WHERE rn <= 3 ORDER BY name, rn`,
  `SELECT id, x * 2 AS y FROM (${NUMBERED}) t WHERE t.rn < 3 ORDER BY y DESC, id LIMIT 7`,
  `SELECT count(*) FROM (${NUMBERED}) WHERE rn <= 4000`,
  `SELECT count(*) AS n FROM (SELECT DISTINCT ON (key) key, x ${FROM} ORDER BY key, id)`,
  `SELECT name, id ${FROM} QUALIFY row_number() OVER (PARTITION BY name ORDER BY x, id) = 1 ORDER BY id`,
  `SELECT name, id, row_number() OVER (PARTITION BY name, tie ORDER BY x DESC, id) AS rn ${FROM} WHERE flag QUALIFY rn <= 2 ORDER BY name, tie, rn`,
  `SELECT id ${FROM} QUALIFY row_number() OVER (ORDER BY id DESC) <= 10 ORDER BY id`,
  `SELECT key, id ${FROM} QUALIFY row_number() OVER (PARTITION BY key ORDER BY id) = 1 ORDER BY key`,
  'SELECT * FROM numbered WHERE rn = 1 ORDER BY name',
  'SELECT name, rn FROM numbered WHERE rn < 4 ORDER BY rn DESC, name',
  'SELECT count(*) FROM numbered WHERE rn = 1',
  'SELECT id, name FROM latest',
  'SELECT count(*) FROM latest',
  `SELECT id FROM (${NUMBERED}) WHERE rn = 1 AND 1 = 0`.replace(' AND 1 = 0', ' ORDER BY id'),
  `SELECT DISTINCT ON (name) name, id ${FROM} WHERE id < 0 ORDER BY name, id`,
  `SELECT count(*) FROM (SELECT id, row_number() OVER (PARTITION BY name ORDER BY id) AS rn ${FROM} WHERE id < 0) WHERE rn = 1`,
  `SELECT * FROM (${NUMBERED}) WHERE rn = 1 AND x > 5 ORDER BY name`,
  `SELECT max(x) FROM (${NUMBERED}) WHERE rn = 1`,
  `SELECT DISTINCT tie FROM (${NUMBERED}) WHERE rn = 1 ORDER BY tie`,
  'SELECT * FROM latest WHERE id > 100 ORDER BY name',
  `SELECT count(*) FROM (${NUMBERED}) WHERE x > 3 AND rn <= 20 AND name > 'name 2'`,
  `SELECT rn, avg(x), max(name) FROM (${NUMBERED}) WHERE rn <= 3 AND rn <> 2 GROUP BY rn ORDER BY rn`,
]

/** What it leaves to DuckDB, with what DuckDB says if that is an error. */
const LEFT: readonly (readonly [sql: string, error: RegExp | null])[] = [
  [`SELECT * FROM (${NUMBERED}) WHERE rn = 2 ORDER BY name`, null],
  [`SELECT * FROM (${NUMBERED}) WHERE rn <= 0`, null],
  [`SELECT * FROM (${NUMBERED}) WHERE rn > 19000 ORDER BY id`, null],
  [`SELECT rn * 2 AS y FROM (${NUMBERED}) WHERE rn <= 2 ORDER BY y`, null],
  [`SELECT max(rn) FROM (${NUMBERED})`, null],
  [`SELECT id, row_number() OVER (ORDER BY id) AS rn ${FROM} WHERE rn = 1`, /window/i],
  [`SELECT id, row_number() OVER (ORDER BY id) AS rn ${FROM} ORDER BY rn LIMIT 3`, null],
  [`SELECT name, count(*) ${FROM} GROUP BY name QUALIFY row_number() OVER (ORDER BY name) = 1`, null],
  [`SELECT id ${FROM} QUALIFY rank() OVER (PARTITION BY name ORDER BY id) = 1 ORDER BY id`, null],
  [`SELECT id ${FROM} QUALIFY row_number() OVER (ORDER BY id) = (SELECT 1) ORDER BY id`, null],
  ['SELECT max(id) FROM numbered', null],
]

t.test('first rows of groups are those of DuckDB', async (t) => {
  for (const sql of CORE) {
    const { engine, core, duck } = await askBoth(service, sql)
    t.equal(engine, 'core', sql)
    t.ok(sameAnswers(core, duck, true), `${sql}\n${show(core).slice(0, 500)}\n${show(duck).slice(0, 500)}`)
  }
})

t.test('what the core does not run has the answer or the error of DuckDB', async (t) => {
  for (const [sql, error] of LEFT) {
    const { engine, core, duck } = await askBoth(service, sql)
    t.equal(engine, 'DuckDB', sql)
    if (error === null) t.ok(sameAnswers(core, duck, true), `${sql}\n${show(core).slice(0, 300)}`)
    else t.match(core, error, sql)
  }
})

t.test('of equal rows the first one in the file is kept', async (t) => {
  const sql = `SELECT DISTINCT ON (tie) id ${FROM} ORDER BY tie`
  t.same(
    (await service.rows({ sql })).toArray().map((row) => row.toJSON().id),
    [0, 7919, 2 * 7919],
  )
  const firsts = `SELECT id, row_number() OVER (PARTITION BY tie) AS rn ${FROM} QUALIFY rn <= 2`
  t.same(
    (await service.rows({ sql: firsts })).toArray().map((row) => row.toJSON().id),
    [0, 1, 2, 3, 4, 5].map((row) => (row * 7919) % 60_013),
  )
})

t.test('a JSON query asks for distinct rows in any order', async (t) => {
  const from = { parquet: { paths: ['a.parquet'] } }
  const request = {
    select: ['name', 'id', 'x', 'time'],
    distinct: { on: ['name'], select: ['name', 'x', 'id'] },
    sort_by: [{ Desc: 'time' }, { Asc: 'id' }],
    from,
  }
  const answer = (await service.rows(request)).toArray().map((row) => row.toJSON())
  const sql = `SELECT DISTINCT ON (name) name, x, id ${FROM} ORDER BY time DESC, id`
  const duck = (await service.rows({ sql: `WITH unused AS (SELECT 1) ${sql}` }))
    .toArray()
    .map((row) => row.toJSON())
  t.equal(answer.length, 12)
  t.same(answer, duck)
  const plan = await (await post(`${service.url}/api/explain-query`, request)).text()
  t.match(plan, /"Node Type": ?"FirstRows"/)
  t.notMatch(plan, /DuckDB/)
})

const column = fc.constantFrom('name', 'tie', 'flag', 'x', 'time', 'key', 'id % 7', 'round(x, 0)')
const direction = fc.constantFrom('', ' DESC', ' NULLS FIRST', ' DESC NULLS LAST')
const order = fc
  .array(
    fc.tuple(column, direction).map(([name, words]) => `${name}${words}`),
    { maxLength: 3 },
  )
  .map((items) => [...items, 'id'].join(', '))
const keys = fc.uniqueArray(column, { minLength: 1, maxLength: 2 }).map((items) => items.join(', '))
const where = fc.constantFrom('', ' WHERE x > 50', ' WHERE name IS NOT NULL AND tie <> 1', ' WHERE id < 200')
const limit = fc.constantFrom('', ' LIMIT 20', ' LIMIT 5 OFFSET 3')

const statements = fc
  .record({ keys, order, where, limit, most: fc.constantFrom(1, 1, 2, 5, 100), form: fc.nat(2) })
  .map(({ keys, order, where, limit, most, form }) => {
    const number = `row_number() OVER (PARTITION BY ${keys} ORDER BY ${order})`
    if (form === 0) return `SELECT DISTINCT ON (${keys}) * ${FROM}${where} ORDER BY ${order}${limit}`
    if (form === 1)
      return `SELECT id, x, name ${FROM}${where} QUALIFY ${number} <= ${most} ORDER BY id${limit}`
    return `SELECT id, rn, time FROM (SELECT *, ${number} AS rn ${FROM}${where}) WHERE rn <= ${most} ORDER BY rn, id${limit}`
  })

t.test('first rows of any groups in any order are those of DuckDB', async (t) => {
  await fc.assert(
    fc.asyncProperty(statements, async (sql) => {
      const { engine, core, duck } = await askBoth(service, sql)
      assert.equal(engine, 'core', sql)
      assert.ok(
        sameAnswers(core, duck, true),
        `${sql}\n${show(core).slice(0, 300)}\n${show(duck).slice(0, 300)}`,
      )
    }),
    { numRuns: 30 },
  )
  t.pass()
})
