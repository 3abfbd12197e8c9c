import { join } from 'node:path'
import t from 'tap'
import { startTables, waysToAsk } from '../external/tables.ts'

const there = await startTables(t)
const here = await startTables(t, { dataDir: join(there.dataDir, 'here') })
const port = new URL(there.url).port

const ROWS = 3000
const COLUMNS = ['n', 'x', 'word', 'day', 'time', 'flag', 'gap']
there.put(
  'obs.csv',
  [
    COLUMNS.join(','),
    ...Array.from({ length: ROWS }, (_, i) =>
      [
        i,
        i % 7 === 0 ? -0.5 * i : i / 3,
        `word ${i % 11}'"`.replaceAll('"', '""').replace(/^(.*)$/, '"$1"'),
        `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`,
        `2024-02-01T00:00:00.${String(i % 1000).padStart(3, '0')}`,
        i % 2 === 0,
        i % 5 === 0 ? '' : i % 5,
      ].join(','),
    ),
    '',
  ].join('\n'),
)
there.put('empty.csv', 'a,b\n')
await there.settle()

const at = (table: string): string => `LOCATION 'service://127.0.0.1:${port}/${table}'`

t.test('its columns are those that it has there', async (t) => {
  t.equal(await there.command("CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'"), '')
  t.equal(await there.command('CREATE VIEW "A view" AS SELECT n, word FROM obs WHERE n < 10'), '')
  t.equal(await here.command(`CREATE EXTERNAL TABLE far STORED AS REMOTE ${at('obs')}`), '')
  t.same(await here.columns('far'), await there.columns('obs'))
  t.equal(await here.command(`CREATE EXTERNAL TABLE view_far STORED AS remote ${at('public.A%20view')}`), '')
  t.same(
    await here.ask('SELECT * FROM view_far ORDER BY n'),
    await there.ask('SELECT * FROM "A view" ORDER BY n'),
  )
})

t.test('its rows are the same in each way in which they are asked for', async (t) => {
  const expected = await there.ask({ sql: `SELECT ${COLUMNS.join(', ')} FROM obs` })
  for (const [way, query] of Object.entries(waysToAsk('far', COLUMNS)))
    t.same(await here.ask(query), expected, way)
})

const FILTERS = [
  'n = 17',
  'n <> 17',
  'n > 2990',
  'n BETWEEN 5 AND 9',
  'n IN (1, 2, 3000)',
  'x = 0',
  'x >= 0 AND x < 2',
  'x <= -0.0',
  "word = 'word 3''\"'",
  "word > 'word 8'",
  "word LIKE '%1''%'",
  "day = DATE '2024-01-05'",
  "day >= DATE '2024-01-27'",
  "time < TIMESTAMP '2024-02-01 00:00:00.01'",
  'flag',
  'NOT flag AND n < 20',
  'gap IS NULL AND n < 50',
  'gap IS NOT NULL AND n < 50',
  'n < 5 OR x > 990',
  "n < 5 OR word LIKE 'word 10%'",
  'n % 1000 = 1',
  'n > 10 AND n % 1000 = 1',
  'n > 5000',
]

t.test('filters leave the same rows, whatever of them is sent', async (t) => {
  for (const filter of FILTERS) {
    const expected = await there.ask(`SELECT n, x, word FROM obs WHERE ${filter}`)
    t.same(await here.ask(`SELECT n, x, word FROM far WHERE ${filter}`), expected, filter)
    const byDuckdb = await here.ask(
      `SELECT n, x, word FROM (SELECT *, row_number() OVER () FROM far WHERE ${filter}) ORDER BY n`,
    )
    t.same(byDuckdb, expected, `${filter} in DuckDB`)
  }
})

t.test('and so do all the clauses of a statement', async (t) => {
  for (const clause of [
    'SELECT count(*) FROM T',
    'SELECT count(*) FROM T WHERE n > 100',
    'SELECT min(n), max(x), count(gap) FROM T',
    'SELECT flag, count(*), sum(n) FROM T GROUP BY flag ORDER BY flag',
    'SELECT DISTINCT gap FROM T ORDER BY gap',
    'SELECT n FROM T ORDER BY x DESC, n LIMIT 5',
    'SELECT n FROM T LIMIT 7 OFFSET 3',
    'SELECT n + 1 AS m FROM T WHERE x > 100 ORDER BY m LIMIT 3',
    'SELECT a.n FROM T a JOIN T b ON a.n = b.n + 1 WHERE b.n < 5 ORDER BY a.n',
    'SELECT n FROM T WHERE n = (SELECT max(n) FROM T)',
    'SELECT n FROM T WHERE n < 3 UNION ALL SELECT n FROM T WHERE n > 2996 ORDER BY n',
    'WITH w AS (SELECT n, lag(n) OVER (ORDER BY n) AS l FROM T) SELECT * FROM w WHERE n < 4 ORDER BY n',
  ])
    t.same(
      await here.ask(clause.replaceAll('FROM T', 'FROM far').replaceAll('JOIN T', 'JOIN far')),
      await there.ask(clause.replaceAll('FROM T', 'FROM obs').replaceAll('JOIN T', 'JOIN obs')),
      clause,
    )
  const json = { select: ['n', 'word'], filters: [{ column: 'n', min: 5, max: 8 }], sort_by: ['n'] }
  t.same(await here.ask({ ...json, from: 'far' }), await there.ask({ ...json, from: 'obs' }))
})

t.test('it joins tables of this service, and views are made over it', async (t) => {
  here.put('names.csv', 'n,name\n1,one\n2,two\n')
  await here.settle()
  t.same(await here.ask("SELECT name, x FROM read_csv('names.csv') JOIN far USING (n) ORDER BY name"), [
    'name,x',
    'one,0.3333333333333333',
    'two,0.6666666666666666',
  ])
  t.equal(await here.command('CREATE VIEW above AS SELECT n, word FROM far WHERE n < 3'), '')
  t.same(await here.ask('SELECT n FROM above WHERE n > 0'), ['n', '1', '2'])
  t.same(await here.ask({ from: 'above', select: ['n'] }), ['n', '0', '1', '2'])
})

t.test('it is read again for each query', async (t) => {
  there.put('changing.csv', 'a\n1\n')
  await there.settle()
  t.equal(await there.command("CREATE EXTERNAL TABLE changing STORED AS CSV LOCATION 'changing.csv'"), '')
  t.equal(await here.command(`CREATE EXTERNAL TABLE changing STORED AS REMOTE ${at('changing')}`), '')
  t.same(await here.ask('SELECT a FROM changing'), ['a', '1'])
  there.put('changing.csv', 'a\n2\n3\n')
  await there.settle()
  t.same(await here.ask('SELECT a FROM changing'), ['a', '2', '3'])
  const answer = await here.post({ sql: 'SELECT a FROM changing' })
  await answer.arrayBuffer()
  t.equal(answer.headers.get('etag'), null)

  there.put('changing.csv', 'b\nx\n')
  await there.settle()
  t.equal(await there.command('REFRESH TABLE changing'), '')
  t.match(await here.ask('SELECT a FROM changing'), /has answered 400|columns of "changing" have changed/)
  t.equal(await here.command('REFRESH TABLE changing'), '')
  t.same(await here.ask('SELECT * FROM changing'), ['b', 'x'])
})

t.test('what is wrong with it is said', async (t) => {
  t.match(
    await here.command(`CREATE EXTERNAL TABLE no STORED AS REMOTE ${at('nope')}`),
    /has answered 400: .*nope/s,
  )
  t.match(
    await here.command(`CREATE EXTERNAL TABLE no (a INT) STORED AS REMOTE ${at('obs')}`),
    /list of columns/,
  )
  t.match(
    await here.command(`CREATE EXTERNAL TABLE no STORED AS REMOTE PARTITIONED BY (a) ${at('obs')}`),
    /PARTITIONED BY is for files/,
  )
  t.match(
    await here.command(`CREATE EXTERNAL TABLE no STORED AS REMOTE LOCATION 'grpc://127.0.0.1:${port}/obs'`),
    /answers HTTP/,
  )
  t.match(await here.command("CREATE EXTERNAL TABLE no STORED AS REMOTE LOCATION 'obs/'"), /no port|no table/)
  t.match(
    await here.command("CREATE EXTERNAL TABLE no STORED AS REMOTE LOCATION 'service://127.0.0.1:1/obs'"),
    /127\.0\.0\.1:1 cannot be reached/,
  )
  t.match(
    await here.command(`CREATE EXTERNAL TABLE no STORED AS REMOTE ${at('obs')} OPTIONS (tls 'maybe')`),
    /"tls" is true or false/,
  )
})

t.test('it is there after a restart, whether or not the other service is', async (t) => {
  await here.close()
  const again = await startTables(t, { dataDir: here.dataDir })
  t.same(await again.ask('SELECT n FROM far WHERE n < 2'), ['n', '0', '1'])
  await again.close()
  await there.close()
  const alone = await startTables(t, { dataDir: here.dataDir })
  t.equal((await alone.columns('far')).length, COLUMNS.length)
  const answer = await alone.post({ sql: 'SELECT n FROM far' })
  t.equal(answer.status, 503)
  t.equal(answer.headers.get('retry-after'), '10')
  t.equal(await answer.json(), 'The service that has the rows cannot be reached (ECONNREFUSED).')
})
