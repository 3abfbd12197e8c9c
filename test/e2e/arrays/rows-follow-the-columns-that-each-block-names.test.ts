import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { post } from '../../http/test-server.ts'
import { show } from '../../sql/select/both-engines.ts'
import { arrowRows, nativeRows, sameRows } from '../../sql/select/plain-values.ts'
import { ofDuckDb, startNamedRows, withScans } from './named-rows/grid.ts'

const named = await startNamedRows(t)
const { service, native } = named

/** What stands for a scan, and how the service is asked. */
const SCANS = ["read_toygrid('a.toygrid')", 't', 'public.t', 'service.public."T"']

await named.makeView('places', 'SELECT lat, depth, temp FROM $[lat,depth,temp]')
await named.makeView('high', 'SELECT lat, depth FROM places WHERE lat > -1')
await named.makeView('common', 'WITH c AS (SELECT lat, lon FROM $[lat,lon]) SELECT lat FROM c')
await named.makeView('expressed', 'SELECT lat + 0 AS lat, temp FROM $[lat,temp]')
await named.makeView('everything', 'FROM $[*]')
await named.makeView('sums', 'SELECT lat AS v FROM $[lat] UNION ALL SELECT flag FROM $[flag]')

/** Statements, and where that is another one, what it is over the rows; each `$[…]` is a scan of arrays, with the columns that its block names. None: the whole grid. */
const STATEMENTS = [
  // One block.
  'SELECT lat FROM $[lat]',
  'SELECT count(*) FROM $[]',
  'SELECT count(*), max(1) FROM $[]',
  'SELECT time FROM $[time]',
  'SELECT count(time) FROM $[time]',
  'SELECT count(*) FROM $[lat] WHERE lat > 0',
  'SELECT count(*) FROM $[time] WHERE time > 0',
  'SELECT avg(lat) FROM $[lat,temp] HAVING max(temp) > 0',
  'SELECT * FROM $[*]',
  'FROM $[*]',
  'FROM $[lat,depth] SELECT lat, depth',
  'SELECT x.* FROM $[*] AS x',
  ['SELECT * EXCLUDE (temp, time, flag) FROM $[]', 'SELECT lat, lon, depth, mask FROM $[lat,lon,depth,mask]'],
  [
    'SELECT * EXCLUDE (temp, time, flag, mask) REPLACE (mask + 1 AS lon) FROM $[]',
    'SELECT lat, mask + 1 AS lon, depth FROM $[lat,depth,mask]',
  ],
  ['SELECT b FROM $[] AS x(a, b)', 'SELECT lat AS b FROM $[lat]'],
  ['SELECT temp FROM $[] AS x(lat, lon)', 'SELECT temp FROM $[temp]'],
  [
    'SELECT lat, lon, depth FROM $[] AS x(lon, lat, temp)',
    'SELECT lat AS lat, time AS lon, depth FROM $[lat,time,depth]',
  ],
  "SELECT max(COLUMNS('^l|depth')) FROM $[lat,lon,depth]",
  "SELECT count(*) FROM (SELECT COLUMNS(c -> c LIKE '%a%') FROM $[lat,mask,flag])",
  'SELECT lat FROM $[lat,lon] ORDER BY lon, lat',
  'SELECT lat, count(*) FROM $[lat] GROUP BY lat',
  'SELECT depth, count(*) FROM $[depth] GROUP BY ALL',
  'SELECT count(*) FROM $[lat] WHERE false AND lat > 0',
  'SELECT lat FROM $[lat,flag] WHERE false OR flag > 20',
  'SELECT lat, flag FROM $[lat,flag] QUALIFY row_number() OVER (PARTITION BY lat ORDER BY flag) = 1',
  'SELECT lat, sum(depth) OVER (ORDER BY mask, lat) FROM $[lat,depth,mask]',
  'SELECT DISTINCT ON (lat) lat FROM $[lat,lon] ORDER BY lat, lon',
  'SELECT x.b FROM $[*] AS x(a, b, c, d, e, f, g) WHERE x.d > 0 AND x.a + x.c + x.e + x.f + x.g > 0',
  'SELECT count(*) FILTER (WHERE depth > 20) FROM $[depth]',
  // Subqueries.
  'SELECT count(*) FROM (SELECT lat FROM $[lat])',
  'SELECT count(lat) FROM (SELECT lat, lon FROM $[lat,lon])',
  'SELECT avg(lat) FROM (SELECT time, lat, temp FROM $[time,lat,temp])',
  'SELECT avg(lat), max(temp) FROM (SELECT time, lat, temp FROM $[time,lat,temp])',
  'SELECT count(*) FROM (SELECT * FROM $[*])',
  'SELECT max(lon) FROM (SELECT * FROM (SELECT lon, temp FROM $[lon,temp] WHERE temp > 120))',
  'SELECT (SELECT count(lat) FROM $[lat]) + (SELECT count(temp) FROM $[temp])',
  'SELECT count(*) FROM $[lat] WHERE lat IN (SELECT time FROM $[time,flag] WHERE flag > 20)',
  'SELECT lat FROM $[lat] AS a WHERE EXISTS (SELECT 1 FROM $[time] AS b WHERE b.time = a.lat)',
  'SELECT count(*) FROM $[lat] AS a WHERE NOT EXISTS (FROM $[*] AS b WHERE b.time = a.lat)',
  'SELECT a.lon, (SELECT max(b.temp) FROM $[lon,temp] AS b WHERE b.lon = a.lon) FROM $[lon,depth] AS a WHERE a.depth > 20',
  'SELECT (SELECT max(a.depth + b.flag) FROM $[flag] AS b) FROM $[depth] AS a',
  'SELECT a.lat, b.n FROM $[lat] AS a, LATERAL (SELECT count(*) AS n FROM $[time,lon] AS b WHERE b.time > a.lat AND b.lon > 5) AS b',
  // Joins.
  'SELECT count(*) FROM $[lat] AS a JOIN $[time] AS b ON a.lat = b.time',
  'SELECT count(*) FROM $[time] AS a JOIN $[time,temp] AS b USING (time) WHERE b.temp > 0',
  'SELECT count(*) FROM $[lat,lon] AS a LEFT JOIN $[lat] AS b ON a.lat = b.lat AND a.lon = 5',
  'SELECT a.lat, b.flag FROM $[lat] AS a CROSS JOIN $[flag] AS b',
  'SELECT count(*) FROM $[depth] AS a, $[] AS b WHERE a.depth > 20',
  'SELECT a.lat, b.flag FROM $[lat] AS a ASOF JOIN $[time,flag] AS b ON a.lat >= b.time',
  'SELECT count(*) FROM (SELECT lat, lon FROM $[lat,lon]) NATURAL JOIN (SELECT lat, depth FROM $[lat,depth])',
  'SELECT a.lat, b.flag FROM (SELECT lat FROM $[lat]) AS a POSITIONAL JOIN (SELECT flag FROM $[flag]) AS b',
  'SELECT count(*) FROM $[lat] AS a SEMI JOIN $[time] AS b ON a.lat = b.time',
  // Common tables.
  'WITH c AS (SELECT lat, lon FROM $[lat,lon]) SELECT count(lat) FROM c',
  'WITH c AS (FROM $[*]) SELECT count(lat) FROM c',
  'WITH c AS (SELECT lat, temp FROM $[lat,temp]) SELECT (SELECT max(lat) FROM c), (SELECT count(temp) FROM c), (SELECT count(*) FROM c)',
  'WITH c AS MATERIALIZED (SELECT lat, temp FROM $[lat,temp]) SELECT (SELECT count(lat) FROM c), (SELECT count(*) FROM c)',
  'WITH c AS NOT MATERIALIZED (SELECT lat, temp FROM $[lat,temp]) SELECT (SELECT count(lat) FROM c), (SELECT max(temp) FROM c)',
  'WITH c AS NOT MATERIALIZED (SELECT lat, lon, mask FROM $[lat,lon,mask]) SELECT count(a.lat) FROM c AS a JOIN c AS b ON a.lat = b.lat',
  'WITH c AS NOT MATERIALIZED (SELECT lat, lon FROM $[lat,lon]) SELECT (SELECT count(*) FROM c), (SELECT count(lat) FROM c), (SELECT count(lat) FROM $[lat])',
  'WITH c AS NOT MATERIALIZED (SELECT a.lat, b.flag FROM $[lat,lon] AS a JOIN $[time,flag,depth] AS b ON a.lon > 5 AND b.time = a.lat AND b.depth > 20) SELECT (SELECT count(flag) FROM c), (SELECT sum(lat) FROM c)',
  'WITH c AS NOT MATERIALIZED (SELECT lat FROM places) SELECT (SELECT count(*) FROM c), (SELECT count(lat) FROM c), (SELECT count(lat) FROM $[lat])',
  'WITH c(a, b) AS (SELECT time, depth FROM $[time,depth]) SELECT count(a) FROM c',
  'WITH RECURSIVE r AS (SELECT min(lat) AS k FROM $[lat] UNION ALL SELECT k + 1 FROM r WHERE k < (SELECT count(flag) FROM $[flag])) SELECT count(*), max(k) FROM r',
  'WITH c AS (SELECT lat FROM $[lat]), d AS (SELECT lat FROM c UNION ALL SELECT time FROM $[time]) SELECT count(*) FROM d',
  // Set operations.
  'SELECT lat FROM $[lat] UNION ALL SELECT flag FROM $[flag]',
  'SELECT count(*) FROM (SELECT lat, lon FROM $[lat,lon] UNION SELECT time, 5 FROM $[time])',
  'SELECT lat FROM $[lat] INTERSECT ALL SELECT time FROM $[time,lon] WHERE lon > 0',
  'SELECT lat FROM $[lat,mask] WHERE mask > 0 EXCEPT SELECT time FROM $[time]',
  'SELECT count(*) FROM (SELECT lat FROM $[lat] UNION ALL BY NAME SELECT lon, lat FROM $[lat,lon])',
  // PIVOT.
  'FROM (PIVOT (SELECT lat, lon, mask FROM $[lat,lon,mask]) ON lon IN (5, 6) USING sum(mask))',
  'FROM (PIVOT $[lat,time,flag] ON time IN (0, 1) USING sum(flag) GROUP BY lat)',
  'SELECT count(*) FROM (PIVOT $[*] ON lon IN (5, 6) USING count(*))',
  'FROM (UNPIVOT (SELECT lat, depth FROM $[lat,depth]) ON lat, depth)',
  // Views.
  'SELECT avg(lat) FROM places',
  'SELECT avg(lat), max(temp) FROM places',
  'SELECT count(*) FROM places',
  'SELECT count(depth) FROM high WHERE depth > 20',
  'SELECT count(lat) FROM common',
  'SELECT count(flag) FROM everything',
  'SELECT sum(v), count(*) FROM sums',
  'SELECT count(*) FROM places AS a JOIN $[lat] AS b USING (lat)',
  'WITH c AS (SELECT lat FROM high) SELECT count(*) FROM c AS a, c AS b',
]

async function answerOf(query: object) {
  const response = await service.query(query)
  if (response.status !== 200) return `${response.status}: ${await response.text()}`
  return arrowRows(tableFromIPC(new Uint8Array(await response.arrayBuffer())))
}

/** Whether DuckDB reads the arrays of a statement. */
async function isOfDuckDb(sql: string): Promise<boolean> {
  const explained = await post(`${service.url}/api/explain-query`, { sql })
  return /"Engine": ?"DuckDB"/.test(await explained.text())
}

let ofDuck = 0

for (const each of STATEMENTS) {
  const [sql = '', over = sql] = typeof each === 'string' ? [each] : each
  t.test(sql, async (t) => {
    const expected = nativeRows(await native.runAndReadAll(await named.overRows(over)))
    for (const scan of SCANS) {
      const asked = ofDuckDb(withScans(sql, () => scan))
      const rows = await answerOf({ sql: asked })
      t.ok(
        typeof rows !== 'string' && sameRows(rows, expected, false),
        `${asked}\n${show(rows)}\n${show(expected)}`,
      )
    }
    if (await isOfDuckDb(ofDuckDb(withScans(sql, () => 't')))) ofDuck++
  })
}

t.test('columns with the schema of their table', async (t) => {
  await named.define(
    'CREATE VIEW of_schema AS SELECT public.t.depth + 0 AS depth FROM t WHERE public.t.mask > 0',
  )
  for (const [sql, over] of [
    ['SELECT public.t.lat FROM public.t', 'SELECT lat FROM $[lat]'],
    [
      'SELECT service.public.t.depth FROM public.t WHERE "public"."T".flag > 31',
      'SELECT depth FROM $[depth,flag] WHERE flag > 31',
    ],
    [
      "SELECT count(public.t.lat), 'public.t.x' /* public.t.temp */ FROM t",
      "SELECT count(lat), 'public.t.x' FROM $[lat]",
    ],
    ['SELECT count(depth) FROM of_schema', 'SELECT count(depth) FROM $[depth,mask] WHERE mask > 0'],
  ] as const) {
    const rows = await answerOf({ sql: ofDuckDb(sql) })
    const expected = nativeRows(await native.runAndReadAll(await named.overRows(over)))
    t.ok(
      typeof rows !== 'string' && sameRows(rows, expected, false),
      `${sql}\n${show(rows)}\n${show(expected)}`,
    )
  }
})

t.test('a JSON request over a view that DuckDB runs', async (t) => {
  for (const [select, sql] of [
    [['lat'], 'SELECT lat FROM expressed'],
    [['temp'], 'SELECT temp FROM expressed'],
  ] as const) {
    const rows = await answerOf({ from: 'expressed', select })
    const expected = nativeRows(await native.runAndReadAll(sql))
    t.ok(typeof rows !== 'string' && sameRows(rows, expected, false), `${show(rows)}\n${show(expected)}`)
  }
})

t.test('DuckDB runs most of them', async (t) => {
  t.ok(ofDuck > 0.8 * STATEMENTS.length, `${ofDuck} of ${STATEMENTS.length}`)
})
