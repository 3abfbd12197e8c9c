import { writeFileSync } from 'node:fs'
import t from 'tap'
import { startAskedService } from '../answers/asking.ts'
import { post } from '../http/test-server.ts'
import { changingCatalog, csvSource } from './two-tables.ts'

const ROWS = `n,year,place
1,2023,a
2,2024,b
3,2024,
4,2025,a
`

async function startWithViews(t: Parameters<typeof startAskedService>[0]) {
  const catalog = changingCatalog()
  const service = await startAskedService(t, { catalog })
  writeFileSync(service.at('rows.csv'), ROWS)
  writeFileSync(service.at('other.csv'), 'm\n7\n')
  catalog.define('obs', csvSource('rows.csv'))
  catalog.view('recent', 'SELECT n AS number, year, place FROM obs WHERE year >= 2024', 'obs')
  catalog.view('recent_a', 'SELECT number AS "No", year FROM recent AS r WHERE r.place = \'a\'', 'recent')
  catalog.view('counts', 'SELECT year, count(*) AS rows FROM recent GROUP BY year', 'recent')
  await service.settle()
  const answer = async (query: object): Promise<unknown> => {
    const response = await service.post({ ...query, output: { format: 'csv' } })
    const text = await response.text()
    return response.status === 200 ? text.trim().split('\n') : JSON.parse(text)
  }
  const engine = async (query: object): Promise<string> => {
    const text = await (await post(`${service.url}/api/explain-query`, query)).text()
    return /"Engine": ?"DuckDB"/.test(text) ? 'DuckDB' : text.includes('"Engine"') ? 'core' : text
  }
  return { catalog, service, answer, engine }
}

t.test(
  'statements over views that choose rows and columns, and groups over them, run on the core',
  async (t) => {
    const { answer, engine } = await startWithViews(t)
    const asked: readonly (readonly [sql: string, rows: readonly string[]])[] = [
      ['SELECT * FROM recent', ['number,year,place', '2,2024,b', '3,2024,', '4,2025,a']],
      ['SELECT * FROM recent_a', ['No,year', '4,2025']],
      ['SELECT no FROM Recent_A AS x WHERE x.Year < 3000', ['No', '4']],
      [
        'SELECT year, sum(number) AS s FROM recent GROUP BY year ORDER BY year',
        ['year,s', '2024,5', '2025,4'],
      ],
      ['SELECT place, year FROM recent WHERE number = 4', ['place,year', 'a,2025']],
      ['SELECT rows FROM counts', ['rows', '2', '1']],
      ['SELECT count(*) AS c FROM counts', ['c', '2']],
      ['SELECT number FROM recent ORDER BY number DESC LIMIT 1', ['number', '4']],
      ['SELECT DISTINCT year FROM (SELECT year FROM recent) AS y ORDER BY year', ['year', '2024', '2025']],
    ]
    for (const [sql, rows] of asked) {
      t.same(await answer({ sql }), rows, sql)
      t.equal(await engine({ sql }), 'core', sql)
    }
  },
)

t.test('requests in JSON name the columns of a view', async (t) => {
  const { answer, engine } = await startWithViews(t)
  const asked: readonly (readonly [query: object, rows: readonly string[]])[] = [
    [{ from: 'recent', select: ['number', 'place'] }, ['number,place', '2,b', '3,', '4,a']],
    [{ from: 'public.recent', select: ['number'], filters: [{ column: 'year', gt: 2024 }] }, ['number', '4']],
    [{ from: 'SERVICE."public".Recent_A', select: [{ column: 'No', alias: 'x' }] }, ['x', '4']],
    [
      { from: 'recent', select: ['number'], filters: [{ is_null: { column: 'place' } }], limit: 1 },
      ['number', '3'],
    ],
    [
      { from: 'recent', select: ['number', 'year'], sort_by: [{ Desc: 'number' }], limit: 2 },
      ['number,year', '4,2025', '3,2024'],
    ],
    [{ from: 'recent', distinct: { on: ['year'], select: ['year'] } }, ['year', '2024', '2025']],
  ]
  for (const [query, rows] of asked) {
    t.same(await answer(query), rows, JSON.stringify(query))
    t.equal(await engine(query), 'core', JSON.stringify(query))
  }
  t.same(
    await answer({
      from: 'recent',
      select: [{ function: 'abs', args: ['number'], alias: 'a' }],
      filters: [{ column: 'year', eq: 2025 }],
    }),
    ['a', '4'],
    'functions over a view are those of DuckDB over the rows of the core',
  )
  t.match(
    await answer({ from: 'recent', select: ['n'] }),
    /there is no column "n" in recent; it has "number", "year", "place"/,
    'the columns of its table are not its own',
  )
})

for (const depth of [2, 3, 8, 16])
  t.test(`views nested ${depth} deep`, async (t) => {
    const { catalog, answer, engine } = await startWithViews(t)
    catalog.view('v1', 'SELECT n AS c1, year FROM obs WHERE n > 1', 'obs')
    for (let level = 2; level <= depth; level++) {
      const query = `SELECT c${level - 1} AS c${level}, year FROM v${level - 1} WHERE c${level - 1} <> ${-level}`
      catalog.view(`v${level}`, query, `v${level - 1}`)
    }
    const sql = `SELECT year, max(c${depth}) AS most FROM v${depth} GROUP BY year ORDER BY year`
    t.same(await answer({ sql }), ['year,most', '2024,3', '2025,4'])
    t.equal(await engine({ sql }), 'core')
    const json = { from: `v${depth}`, select: [`c${depth}`], filters: [{ column: 'year', eq: 2024 }] }
    t.same(await answer(json), [`c${depth}`, '2', '3'])
    catalog.view('v1', 'SELECT n AS c1, year FROM obs WHERE n > 2', 'obs')
    t.same(await answer(json), [`c${depth}`, '3'], 'the lowest one is another')
    catalog.define('obs', csvSource('other.csv'))
    t.match(await answer(json), /"n"|c1|n /, 'a column is gone')
    catalog.drop('obs')
    t.match(await answer(json), /The view "v1" reads "obs", and there is no such table/)
    t.match(await answer({ sql }), /The view "v1" reads "obs", and there is no such table/)
  })

t.test('a circle of views is an error', async (t) => {
  const { catalog, answer } = await startWithViews(t)
  catalog.view('one', 'SELECT n FROM two', 'two')
  catalog.view('two', 'SELECT n FROM three', 'three')
  catalog.view('three', 'SELECT n FROM one', 'one')
  for (const query of [{ sql: 'SELECT * FROM one' }, { from: 'one', select: ['n'] }])
    t.match(await answer(query), /The view "one" reads itself: one → two → three → one\./)
  catalog.view('three', 'SELECT n FROM obs', 'obs')
  t.same(await answer({ sql: 'SELECT * FROM one WHERE n = 1' }), ['n', '1'])
})

t.test('a condition above a view leaves files out', async (t) => {
  const { catalog, service, answer } = await startWithViews(t)
  catalog.view(
    'folders',
    "SELECT n AS number, y AS jahr FROM (SELECT n, year AS y FROM read_csv('tree/**/*.csv', hive_partitioning := true))",
  )
  catalog.view('later', 'SELECT jahr AS j, number FROM folders WHERE jahr > 2023')
  const { mkdirSync } = await import('node:fs')
  for (const year of [2023, 2024, 2025]) {
    mkdirSync(service.at(`tree/year=${year}`), { recursive: true })
    writeFileSync(service.at(`tree/year=${year}/rows.csv`), `n\n${year % 100}\n`)
  }
  await service.settle()
  const asked = [
    { sql: 'SELECT number FROM later WHERE j < 2025' },
    { from: 'later', select: ['number'], filters: [{ column: 'j', lt: 2025 }] },
  ]
  for (const query of asked) {
    t.same(await answer(query), ['number', '24'])
    const plan = await (await post(`${service.url}/api/explain-query`, query)).text()
    t.match(plan, /"File Count": ?1\b/)
  }
})
