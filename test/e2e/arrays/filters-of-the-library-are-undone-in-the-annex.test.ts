import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { answersOf, type Row } from '../answers.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'hdf5')

const service = await startTestService(t, { settings: { SERVICE_CACHE_BYTES: '0' } })
const { rowsOf } = answersOf(service)
const { datasets } = service
mkdirSync(join(datasets, 'made'))
/** v(y, x) under bitshuffle, w = -v under deflate, y under bzip2, x under shuffle and szip. y and x count by halves. */
copyFileSync(join(FIXTURES, 'filter-everywhere.h5'), join(datasets, 'made', 'everywhere.h5'))
const FROM = "FROM read_hdf5('made/everywhere.h5')"

const ALL: readonly Row[] = Array.from({ length: 40 * 30 }, (_, cell) => {
  const [y, x] = [Math.floor(cell / 30), cell % 30]
  return { y: y / 2, x: x / 2, v: 1000 * y + x, w: -(1000 * y + x) }
})

t.test('rows of JSON queries and of statements of both engines', async (t) => {
  const wanted = ALL.filter(({ y, v }) => Number(y) >= 12 && Number(v) % 7 === 0)
  const byValue = (rows: readonly Row[]) => rows.toSorted((a, b) => Number(a['v']) - Number(b['v']))
  const from = { hdf5: { paths: ['made/everywhere.h5'] } }
  const json = await rowsOf({ select: ['y', 'x', 'v', 'w'], from, filters: [{ column: 'y', min: 12 }] })
  t.same(byValue(json.filter(({ v }) => Number(v) % 7 === 0)), wanted)
  const core = await rowsOf({ sql: `SELECT y, x, v, w ${FROM} WHERE y >= 12` })
  t.same(core, json, 'SQL on the core')
  const duckdb = await rowsOf({ sql: `SELECT y, x, v, w ${FROM} WHERE y >= 12 AND v % 7 = 0` })
  t.same(byValue(duckdb), wanted, 'SQL in DuckDB')
  const many = await Promise.all(
    Array.from({ length: 8 }, (_, each) =>
      rowsOf({ sql: `SELECT sum(v) AS s, sum(w) AS n ${FROM} WHERE x >= ${each}` }),
    ),
  )
  for (const [each, rows] of many.entries()) {
    const sum = ALL.reduce((all, { x, v }) => all + (Number(x) >= each ? Number(v) : 0), 0)
    t.same(rows, [{ s: sum, n: -sum }], `clients beside each other: ${each}`)
  }
})

t.test('EXPLAIN tells what the annex undoes', async (t) => {
  const explain = (select: readonly string[]) =>
    ask(
      { select, from: { hdf5: { paths: ['made/everywhere.h5'] } }, filters: [{ column: 'w', max: 5 }] },
      'explain-query',
    )
  t.match(await (await explain(['y', 'v'])).text(), /"Annex": "v: bitshuffle \(32008\); y: bzip2 \(307\)"/)
  t.notMatch(await (await explain(['w'])).text(), /Annex/)
  const statement = await ask({ sql: `SELECT sum(v % 7) ${FROM} WHERE y > 5` }, 'explain-query')
  t.match(await statement.text(), /"Annex": "v: bitshuffle \(32008\); y: bzip2 \(307\)"/, 'in DuckDB')
})

t.test('a damaged chunk is an error that names the array and the filter', async (t) => {
  const bytes = readFileSync(join(FIXTURES, 'filter-everywhere.h5'))
  // The bits of the first block of bzip2.
  const at = bytes.indexOf('BZh')
  bytes.fill(0xff, at + 14, at + 24)
  writeFileSync(join(datasets, 'made', 'damaged.h5'), bytes)
  const response = await ask({ sql: "SELECT y FROM read_hdf5('made/damaged.h5')" })
  t.equal(response.status, 400)
  t.match(
    JSON.parse(await response.text()),
    /damaged\.h5.*"y": a chunk that has passed the filter bzip2 \(307\) is damaged/,
  )
  t.equal(
    (await rowsOf({ sql: `SELECT count(v) AS n ${FROM}` }))[0]?.['n'],
    ALL.length,
    'and the next file is read',
  )
})

function ask(query: object, route = 'query'): Promise<Response> {
  return fetch(`${service.url}/api/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(query),
  })
}
