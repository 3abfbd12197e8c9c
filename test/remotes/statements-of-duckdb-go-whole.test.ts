import { join } from 'node:path'
import t from 'tap'
import { startTables } from '../external/tables.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { PATIENT } from '../postgres/server.ts'
import { fc } from '../support/generate.ts'
import { generatedCsv, LOCAL } from './orders-and-conditions.ts'
import { shownRows, startInBetween } from './services-in-between.ts'

const ROWS = 300
const RUNS = 40

const there = await startTables(t, PATIENT)
const here = await startTables(t, { ...PATIENT, dataDir: join(there.dataDir, 'here') })
const between = await startInBetween(t, there)
const { asked } = between

t.test('of another service of this version', async (t) => {
  for (const service of [there, here]) {
    service.put('local.csv', generatedCsv(ROWS))
    service.put('other.csv', 'id,kind,n\n1,a,1\n2,b,7\n3,a,\n4,é,7\n')
    await service.settle()
    for (const sql of [
      ...LOCAL,
      "CREATE EXTERNAL TABLE other (id BIGINT, kind VARCHAR, n BIGINT) STORED AS CSV LOCATION 'other.csv'",
      "CREATE VIEW odd AS SELECT sum(n) AS total, CAST(min(word) AS ENUM('z', 'a', 'B', '_')) AS sign FROM local GROUP BY id % 3",
    ])
      t.equal(await service.command(sql), '', sql)
  }
  const at = `service://127.0.0.1:${between.port}`
  for (const [name, location] of [
    ['far', 'local'],
    ['far_other', 'other'],
    ['far_odd', 'odd'],
  ])
    t.equal(
      await here.command(`CREATE EXTERNAL TABLE ${name} STORED AS REMOTE LOCATION '${at}/${location}'`),
      '',
    )
  t.equal(await here.command(`ATTACH '${at}' AS partner`), '')
  for (const sql of [
    'CREATE VIEW far_pairs AS SELECT a.id, a.word, b.kind FROM far a JOIN far_other b USING (id)',
    'CREATE VIEW far_ranks AS WITH q AS (SELECT * FROM partner.local) SELECT id, rank() OVER (ORDER BY n, id) AS r FROM q',
  ])
    t.equal(await here.command(sql), '', sql)
})

/** Statements over tables of the other service, in forms that DuckDB runs. */
const FORMS: readonly string[] = [
  'SELECT f.id, o.kind FROM far f JOIN far_other o ON f.id = o.id ORDER BY f.id',
  'SELECT id, word, kind FROM far JOIN far_other USING (id) ORDER BY id',
  'SELECT far.id, far_other.kind FROM far LEFT JOIN far_other ON far.n = far_other.n AND far.id < 9 ORDER BY 1, 2',
  'SELECT a.id, b.id AS other FROM far a, far b WHERE a.n = b.n AND a.id < b.id ORDER BY 1, 2 LIMIT 20',
  'SELECT f.id, kind FROM far f SEMI JOIN far_other o ON f.id = o.id JOIN far_other USING (id) ORDER BY ALL',
  'SELECT id, sum(n) OVER (PARTITION BY word ORDER BY id) AS s, lag(day) OVER (ORDER BY id) AS d FROM far ORDER BY id',
  'SELECT id, n, rank() OVER w AS r FROM far WINDOW w AS (PARTITION BY word ORDER BY n DESC, id) QUALIFY rank() OVER w <= 3 ORDER BY id',
  'WITH q AS (SELECT word, count(*) AS c FROM far GROUP BY word) SELECT a.word, b.c FROM q a JOIN q b ON a.c = b.c ORDER BY ALL',
  'WITH RECURSIVE steps AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM steps WHERE i < 5) SELECT i, (SELECT max(n) FROM far WHERE id < i) AS m FROM steps ORDER BY i',
  'SELECT id, n FROM far WHERE id < 5 UNION SELECT id, n FROM far_other ORDER BY ALL',
  'SELECT n FROM far EXCEPT SELECT n FROM far_other ORDER BY n',
  'SELECT n FROM far INTERSECT ALL SELECT n FROM far_other ORDER BY n',
  "SELECT id, regexp_replace(word, '[ab]', '*') AS w FROM far WHERE regexp_matches(word, '^.b?$') ORDER BY id",
  "SELECT word, string_agg(CAST(id AS VARCHAR), '|' ORDER BY id) AS ids FROM far GROUP BY word ORDER BY word",
  'SELECT f.id FROM far f WHERE n > (SELECT avg(n) FROM far g WHERE g.word = f.word) ORDER BY id',
  'SELECT id FROM far_other o WHERE EXISTS (SELECT * FROM far f WHERE f.n = o.n) ORDER BY id',
  'SELECT id FROM far WHERE n IN (SELECT n FROM far_other) ORDER BY id LIMIT 7',
  'SELECT second, third FROM (SELECT * FROM far ORDER BY 2 NULLS LAST, 1 LIMIT 4) AS s(first, second, third) ORDER BY ALL',
  'FROM far f(a, b) JOIN far_other ON a = far_other.id SELECT b, kind ORDER BY ALL',
  'SELECT x.id, y.c FROM far_other x, LATERAL (SELECT count(*) AS c FROM far WHERE far.n = x.n) y ORDER BY ALL',
  'SELECT l.id, o.kind AS "the ""kind""", \'it\'\'s -- no /* comment\' AS t FROM PARTNER.public.LOCAL l /* here */ JOIN partner.other o ON l.id = o.id -- and here\n ORDER BY l.id',
  'SELECT local.id, o.kind FROM partner.local JOIN partner.public.other o USING (id) ORDER BY local.id',
  'SELECT p.word, count(*) AS c FROM far_pairs p JOIN far_ranks r ON p.id = r.id GROUP BY p.word ORDER BY ALL',
  'SELECT id, r FROM far_ranks WHERE r < 9 ORDER BY r',
  'SELECT a.total // 2 AS half, a.total / 2 AS whole, b.sign FROM far_odd a JOIN far_odd b USING (sign) ORDER BY ALL',
  "SELECT b.sign FROM far_odd a JOIN far_odd b ON a.sign = b.sign WHERE a.sign > 'B' ORDER BY b.sign",
  'SELECT sum(price) FILTER (WHERE far.n > 3) AS s, mode(word) AS m FROM far JOIN far_other USING (id)',
  'SELECT * FROM (PIVOT (SELECT word, n % 2 AS r FROM far) ON r IN (0, 1) USING count(*)) ORDER BY word',
  'SELECT count(*) AS c FROM far CROSS JOIN far_other',
  'SELECT n, word, grouping(n) AS g, count(*) AS c FROM far GROUP BY GROUPING SETS ((n), (word)) ORDER BY ALL',
]

/** The same over the tables here. */
const ofHere = (sql: string): string =>
  sql
    .replace(/\bpartner\.(public\.)?(?=local|other)/gi, '')
    .replace(
      /\bfar_odd\b/g,
      '(SELECT CAST(total AS BIGINT) AS total, CAST(sign AS VARCHAR) AS sign FROM odd)',
    )
    .replace(/\bfar_pairs\b/g, '(SELECT a.id, a.word, b.kind FROM local a JOIN other b USING (id))')
    .replace(/\bfar_ranks\b/g, '(SELECT id, rank() OVER (ORDER BY n, id) AS r FROM local)')
    .replace(/\bfar_other\b/g, 'other')
    .replace(/\bfar\b/g, 'local')
    .replaceAll(/\bFROM \((SELECT [^()]*\([^)]*\)[^()]*)\)(?= (?:WHERE|ORDER))/g, 'FROM ($1) AS q')

async function bytesOf(sql: string, service = here): Promise<Uint8Array> {
  const answer = await service.post({ sql }, SUPER_USER)
  if (!answer.ok) t.fail(`${sql}: ${await answer.clone().text()}`)
  return new Uint8Array(await answer.arrayBuffer())
}

async function plan(sql: string): Promise<string> {
  return JSON.stringify(JSON.parse(await here.explain({ sql })))
}

t.test('each is one request, of which no more rows come than the answer has', async (t) => {
  for (const sql of FORMS) {
    const expected = shownRows(await bytesOf(ofHere(sql)))
    asked.length = 0
    t.strictSame(shownRows(await bytesOf(sql)), expected, sql)
    t.equal(asked.length, 1, sql)
    const [statement = ''] = asked
    t.strictSame(shownRows(await bytesOf(statement, there)), expected, `there: ${sql}`)
    const printed = await plan(sql)
    t.match(printed, /^\[\{"Plan":\{"Node Type":"Federated",[^{}]*"Relayed":true,[^{}]*\}\}\]$/, sql)
    const analyzed = JSON.stringify(JSON.parse(await here.analyze(sql)))
    t.match(analyzed, new RegExp(`"Rows Received":${expected[1].length},`), sql)
  }
})

t.test('in each format, with the notices that it has here', async (t) => {
  const sql =
    'SELECT word, sum(f.n) / 2 AS half, day FROM far f JOIN far_other o USING (id) GROUP BY ALL ORDER BY ALL'
  for (const format of ['csv', 'json', 'ndjson', 'parquet', 'arrow']) {
    const answerOf = async (query: string): Promise<readonly [string | null, Buffer]> => {
      const answer = await here.post({ sql: query, output: { format } })
      return [answer.headers.get('x-service-notice'), Buffer.from(await answer.arrayBuffer())]
    }
    asked.length = 0
    const [notice, bytes] = await answerOf(sql)
    const [expectedNotice, expected] = await answerOf(ofHere(sql))
    t.equal(asked.length, 1, format)
    t.ok(notice, format)
    t.equal(notice, expectedNotice, format)
    if (format === 'parquet') t.equal(bytes.subarray(-4).toString(), 'PAR1')
    else t.same(bytes.toString('latin1'), expected.toString('latin1'), format)
  }
})

/** Statements whose answer another service may not make, with why. */
const STAY: readonly (readonly [sql: string, why: string])[] = [
  ['SELECT f.id FROM far f JOIN other o USING (id)', 'it reads other tables than those of one service'],
  ["SELECT f.id FROM far f JOIN read_csv('other.csv') USING (id)", 'it reads other tables than those of one'],
  ['SELECT f.id FROM far f CROSS JOIN list_datasets()', 'it reads other tables than those of one'],
  [
    'SELECT f.id FROM far f CROSS JOIN information_schema.tables',
    'it reads other tables than those of one service',
  ],
  [
    'SELECT f.id, now() AS t FROM far f JOIN far_other USING (id)',
    'its answer may be another one at any time',
  ],
  [
    'SELECT f.id FROM far f JOIN far_other USING (id) USING SAMPLE 3',
    'its answer may be another one at any time',
  ],
  [
    'SELECT f.id, random() AS r FROM far f JOIN far_other USING (id)',
    'its answer may be another one at any time',
  ],
  ['SELECT a.id, b.id FROM far a JOIN far_other b USING (id)', 'its answer has equal names'],
  ['SELECT list(f.id) AS l FROM far f JOIN far_other USING (id)', 'its answer has nested columns'],
  [
    'WITH far AS (SELECT * FROM far_other) SELECT id, kind, row_number() OVER (ORDER BY id) AS r FROM far',
    'is a common table and another one',
  ],
  [
    'SELECT public.far.id FROM public.far JOIN far_other USING (id)',
    'it is not certain that its text is understood there',
  ],
]

t.test('what may have another answer there is computed here', async (t) => {
  for (const [sql, why] of STAY) {
    const printed = await plan(sql)
    t.match(printed, new RegExp(`"Not Relayed":"[^}]*${why}`), sql)
    t.notOk(printed.includes('"Relayed":true'), sql)
    await bytesOf(sql)
  }
})

t.test('what the other service refuses has the error that it has here', async (t) => {
  const sql = 'SELECT CAST(f.word AS BIGINT) AS w FROM far f JOIN far_other USING (id) ORDER BY w'
  asked.length = 0
  const [far, local] = [await here.ask(sql), await here.ask(ofHere(sql))]
  t.match(String(far), /Could not convert string/)
  t.same(far, local)
  t.equal(asked.length, 3)
})

t.test('of a service that breaks off when it makes the answer the rows are fetched', async (t) => {
  const sql = 'SELECT f.id, o.kind FROM far f JOIN far_other o USING (id) ORDER BY f.id'
  between.broken = / JOIN /
  asked.length = 0
  t.strictSame(shownRows(await bytesOf(sql)), shownRows(await bytesOf(ofHere(sql))))
  t.ok(asked.some((each) => !each.includes(' JOIN ')))
  between.broken = null
})

t.test('a column that has another type there by now is no part of an answer', async (t) => {
  const sql = 'SELECT f.id, o.kind FROM far f JOIN far_other o USING (id) ORDER BY f.id'
  t.equal(await there.command('DROP TABLE other'), '')
  t.equal(
    await there.command(
      "CREATE EXTERNAL TABLE other (id BIGINT, kind VARCHAR, n VARCHAR) STORED AS CSV LOCATION 'other.csv'",
    ),
    '',
  )
  t.strictSame(shownRows(await bytesOf(sql)), shownRows(await bytesOf(ofHere(sql))))
  const ofOther = 'SELECT f.id FROM far f JOIN far_other o ON f.n = o.n'
  t.match(String(await here.ask(ofOther)), /have changed in the service/)
  t.equal(await there.command('DROP TABLE other'), '')
  t.equal(
    await there.command(
      "CREATE EXTERNAL TABLE other (id BIGINT, kind VARCHAR, n BIGINT) STORED AS CSV LOCATION 'other.csv'",
    ),
    '',
  )
})

const tables = fc.constantFrom('far', 'far_other', 'partner.local', 'partner.public.other')
const key = fc.constantFrom('id', 'n')
const joins = fc.constantFrom('JOIN', 'LEFT JOIN', 'FULL JOIN', 'RIGHT JOIN')
const aggregates = fc.constantFrom('count(*)', 'max(a.id)', 'sum(a.n)', 'min(b.id)', 'count(DISTINCT b.n)')
const windows = fc.constantFrom('row_number()', 'rank()', 'lag(n)', 'sum(id)', 'ntile(3)')

/** Statements with one answer each, but for the order of rows without one. */
const statements = fc.oneof(
  fc
    .record({ left: tables, right: tables, join: joins, on: key, other: key, what: aggregates })
    .map(
      ({ left, right, join, on, other, what }) =>
        `SELECT a.n AS g, ${what} AS c FROM ${left} a ${join} ${right} b ON a.${on} = b.${other} GROUP BY a.n ORDER BY ALL`,
    ),
  fc
    .record({ table: tables, fn: windows, by: key, most: fc.integer({ min: 1, max: 4 }) })
    .map(
      ({ table, fn, by, most }) =>
        `SELECT id, n, ${fn} OVER (PARTITION BY ${by} ORDER BY id) AS w FROM ${table} WHERE id % ${most} = 0 ORDER BY id`,
    ),
  fc
    .record({
      left: tables,
      right: tables,
      set: fc.constantFrom('UNION', 'UNION ALL', 'EXCEPT', 'EXCEPT ALL', 'INTERSECT', 'INTERSECT ALL'),
      column: key,
      other: key,
    })
    .map(
      ({ left, right, set, column, other }) =>
        `SELECT ${column} AS v FROM ${left} ${set} SELECT ${other} FROM ${right} ORDER BY v`,
    ),
  fc
    .record({ outer: tables, inner: tables, on: key, not: fc.constantFrom('', 'NOT ') })
    .map(
      ({ outer, inner, on, not }) =>
        `WITH q AS (SELECT * FROM ${inner} WHERE id < 40), o AS (FROM ${outer}) SELECT o.id, (SELECT count(*) FROM q WHERE q.${on} = o.n) AS c FROM o WHERE ${not}EXISTS (SELECT 1 FROM q WHERE q.n > o.${on}) ORDER BY ALL`,
    ),
)

t.test('generated ones have the answer that they have if rows are fetched', async (t) => {
  const relayed: string[] = []
  await fc.assert(
    fc.asyncProperty(statements, async (sql) => {
      const expected = shownRows(await bytesOf(ofHere(sql)))
      asked.length = 0
      t.strictSame(shownRows(await bytesOf(sql)), expected, sql)
      if (asked.length === 1) relayed.push(sql)
      between.isOther = true
      await here.ask('SELECT count(id) FROM far')
      t.strictSame(shownRows(await bytesOf(sql)), expected, `fetched: ${sql}`)
      between.isOther = false
      await here.ask('SELECT count(id) FROM far')
    }),
    { numRuns: RUNS },
  )
  t.equal(relayed.length, RUNS)
})
