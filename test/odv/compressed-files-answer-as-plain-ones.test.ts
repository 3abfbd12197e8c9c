import t from 'tap'
import { startOdvService } from '../output/odv/odv-service.ts'
import { skipWithout } from '../support/python.ts'
import { compressed, odvText } from './compressed.ts'

/** More than a worker inflates where it reads it. */
const LARGE = odvText(500)
/** A few rows. */
const SMALL = odvText(2)

const QUERIES: Readonly<Record<string, (path: string) => Readonly<Record<string, unknown>>>> = {
  'all rows in JSON': (path) => ({
    select: ['Cruise', 'Depth', 'Temp', 'Temp.units'],
    from: { odv: { paths: [path] } },
  }),
  'a filter in JSON': (path) => ({
    select: ['Station', 'Depth', 'Temp'],
    from: { odv: { paths: [path] } },
    filters: [{ column: 'Depth', min: 480 }],
  }),
  'groups in the core': (path) => ({
    sql: `SELECT "Station", count(*) AS rows, sum("Temp") AS temp FROM read_odv('${path}') GROUP BY "Station" ORDER BY "Station"`,
  }),
  'a window in DuckDB': (path) => ({
    sql: `SELECT "Station", "Depth", row_number() OVER (PARTITION BY "Station" ORDER BY "Depth" DESC) AS n FROM read_odv_ascii('${path}') WHERE "Depth" < 30 ORDER BY ALL`,
  }),
  'the first rows': (path) => ({ sql: `SELECT * FROM read_odv('${path}') LIMIT 3` }),
  'a number': (path) => ({ sql: `SELECT count(*) AS n FROM read_odv('${path}')` }),
}

t.test('of each kind, of many rows and of few, by content', { skip: skipWithout('lzma, bz2') }, async (t) => {
  const [large, small] = [await compressed(LARGE), await compressed(SMALL)]
  const files = Object.fromEntries([
    ['large.txt', LARGE],
    ['small.txt', SMALL],
    ...Object.entries(large).map(([end, bytes]) => [`large.txt.${end}`, bytes]),
    ...Object.entries(small).map(([end, bytes]) => [`small.txt.${end}`, bytes]),
    // The name says nothing.
    ['named.txt', large['xz']],
    ['named.gz', large['bz2']],
  ])
  const { ask, temporaryFiles } = await startOdvService(t, files)
  const answer = async (query: Readonly<Record<string, unknown>>): Promise<string> => {
    const response = await ask({ ...query, output: { format: 'csv' } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    return text
  }
  const ends = Object.keys(large)
  for (const [what, queryOf] of Object.entries(QUERIES)) {
    const expected = { large: await answer(queryOf('large.txt')), small: await answer(queryOf('small.txt')) }
    for (const end of ends) {
      t.equal(await answer(queryOf(`large.txt.${end}`)), expected.large, `${what}: ${end}, many rows`)
      t.equal(await answer(queryOf(`small.txt.${end}`)), expected.small, `${what}: ${end}, few rows`)
    }
    t.equal(await answer(queryOf('named.txt')), expected.large, `${what}: another name`)
    t.equal(await answer(queryOf('named.gz')), expected.large, `${what}: the name of something else`)
  }
  const rows = 6 * 500 * 50
  t.equal(await answer({ sql: "SELECT count(*) AS n FROM read_odv('large.txt*')" }), `n\n${rows}\n`)
  t.same(temporaryFiles(), [], 'temporary files have no names')
})
