import { join } from 'node:path'
import t from 'tap'
import { startTables } from '../external/tables.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { connect } from '../mcp/mcp-client.ts'
import { PATIENT } from '../postgres/server.ts'
import { fc } from '../support/generate.ts'
import { generatedCsv, groupQueries, LOCAL } from './orders-and-conditions.ts'
import { shownRows, startInBetween } from './services-in-between.ts'

const ROWS = 300
const RUNS = 60

/** Near the greatest BIGINT. */
const BIG = '9223372036854775000'

const there = await startTables(t, PATIENT)
const here = await startTables(t, { ...PATIENT, dataDir: join(there.dataDir, 'here') })

const between = await startInBetween(t, there)
const { asked } = between

async function plan(query: object | string): Promise<string> {
  return JSON.stringify(JSON.parse(await here.explain(query)))
}

t.test('of another service of this version', async (t) => {
  for (const service of [there, here]) {
    service.put('local.csv', generatedCsv(ROWS))
    service.put('other.csv', 'id,kind\n1,a\n2,b\n3,a\n')
    service.put('odd.csv', 'Select,"a ""b""",C d\n1,x,2.5\n2,y,\n3,x,-1\n')
    await service.settle()
    for (const sql of [
      ...LOCAL,
      "CREATE EXTERNAL TABLE other (id BIGINT, kind VARCHAR) STORED AS CSV LOCATION 'other.csv'",
      'CREATE EXTERNAL TABLE "Odd ""name""" STORED AS CSV LOCATION \'odd.csv\'',
      'CREATE VIEW times AS SELECT id, n, CAST(day AS TIMESTAMP) AS seen, word FROM local',
      `CREATE VIEW signs AS SELECT id, ['z', 'a', 'B'][CAST(id % 3 AS INT) + 1]::ENUM('z', 'a', 'B') AS sign, id::HUGEINT + ${BIG} AS big FROM local`,
    ])
      t.equal(await service.command(sql), '', sql)
  }
  const at = `service://127.0.0.1:${between.port}`
  for (const [name, location] of [
    ['far', 'local'],
    ['far_other', 'other'],
    ['far_odd', '%22Odd%20%22%22name%22%22%22'],
    ['far_times', 'times'],
    ['far_signs', 'signs'],
  ])
    t.equal(
      await here.command(`CREATE EXTERNAL TABLE ${name} STORED AS REMOTE LOCATION '${at}/${location}'`),
      '',
    )
  t.equal(await here.command(`ATTACH '${at}' AS partner`), '')
  for (const sql of [
    'CREATE VIEW far_words AS SELECT word, n + 1 AS m, x FROM far WHERE id > 5',
    'CREATE VIEW far_groups AS SELECT word, count(*) AS c, max(n) AS top FROM far GROUP BY word',
    'CREATE VIEW far_attached AS SELECT * FROM partner.public.local WHERE n > 3',
  ])
    t.equal(await here.command(sql), '', sql)
})

/** Statements over tables of the other service, in the forms that the core runs. */
const FORMS: readonly string[] = [
  'SELECT count(*) FROM far',
  'SELECT count(*), sum(n), min(day), max(word), avg(n) FROM far WHERE x > 0.25',
  'SELECT word, count(*) AS c, sum(price) FROM far GROUP BY word ORDER BY word',
  'SELECT word, n % 3 AS r, median(n), quantile_disc(n, 0.25) FROM far GROUP BY ALL ORDER BY 1, 2 LIMIT 7 OFFSET 2',
  'SELECT n, count(*) FILTER (WHERE x IS NULL) FROM far GROUP BY n HAVING count(*) > 3 ORDER BY n DESC NULLS LAST',
  "SELECT upper(word) || '!' AS w, count(DISTINCT day) FROM far GROUP BY upper(word) || '!' ORDER BY w",
  'SELECT arg_max(word, id), arg_min(id, day) FROM far WHERE n BETWEEN 5 AND 40',
  'SELECT DISTINCT word FROM far ORDER BY word',
  'SELECT DISTINCT n, word FROM far WHERE n IN (1, 2, 3) ORDER BY n, word LIMIT 5',
  'SELECT DISTINCT ON (word) word, id, day FROM far ORDER BY word, id DESC',
  'SELECT * FROM far QUALIFY row_number() OVER (PARTITION BY word ORDER BY id) <= 2 ORDER BY id',
  'SELECT id, r FROM (SELECT id, word, row_number() OVER (PARTITION BY word ORDER BY day, id) AS r FROM far) WHERE r < 3 ORDER BY id',
  'SELECT count(*) FROM (SELECT DISTINCT word, n FROM far)',
  'SELECT max(c), avg(c) FROM (SELECT word, count(*) AS c FROM far GROUP BY word)',
  'SELECT c, count(*) FROM (SELECT n, count(*) AS c FROM far GROUP BY n) g WHERE g.n > 2 GROUP BY c ORDER BY c',
  'SELECT id FROM far WHERE n > (SELECT avg(n) FROM far) ORDER BY id',
  "SELECT id, n - (SELECT min(n) FROM far WHERE word = 'a') AS above FROM far WHERE id < (SELECT count(*) FROM far_other) * 4 ORDER BY id",
  'SELECT word, count(*) FROM far_words WHERE m < 30 GROUP BY word ORDER BY word',
  'SELECT top, c FROM far_groups WHERE c > 30 ORDER BY top, c',
  'SELECT count(*), min(x) FROM far_attached WHERE id < 200',
  'SELECT LOCAL.word, max(id) FROM PARTNER.public.LOCAL GROUP BY 1 ORDER BY 1',
  'SELECT ID, Far.Word FROM far ORDER BY ID LIMIT 4',
  'SELECT f."word", count(*) AS "the ""count""" FROM far AS f GROUP BY f.word ORDER BY 2 DESC, 1',
  'SELECT "Select" + 1, sum("C d"), max("a ""b""") FROM far_odd GROUP BY "Select" ORDER BY 1',
  "SELECT CASE WHEN n > 10 THEN 'it''s' WHEN n IS NULL THEN NULL ELSE 'less' END AS k, count(*) FROM far GROUP BY k ORDER BY k",
  "SELECT date_trunc('month', seen) AS m, extract(year FROM seen), count(*) FROM far_times WHERE seen >= TIMESTAMP '2024-02-01 00:00:00' - INTERVAL 3 DAY GROUP BY ALL ORDER BY m",
  "SELECT count(*) FROM far_times WHERE seen < now() AND seen + INTERVAL '1 day' < current_date",
  'SELECT count(*) FROM far WHERE -x < 1e0 AND NOT (n = -7 OR price <= -99.99) AND word IS DISTINCT FROM NULL',
  "SELECT position('b' IN word), substring(word FROM 1 FOR 1), trim(LEADING 'a' FROM word), count(*) FROM far GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
  'SELECT id, sign FROM far_signs ORDER BY sign, id LIMIT 200 OFFSET 50',
  'SELECT sign, count(*) AS c FROM far_signs GROUP BY sign ORDER BY sign DESC',
  'SELECT min(sign), max(sign), arg_min(id, sign), max(big) FROM far_signs',
  "SELECT count(*), min(id) FROM far_signs WHERE sign > 'B' AND big > 100",
  'SELECT DISTINCT ON (id % 2) id % 2 AS r, sign, id FROM far_signs ORDER BY r, sign DESC, id',
  'SELECT CAST(day AS TIMESTAMP) AS t, TRY_CAST(n AS TINYINT) AS i, n::DOUBLE / 3, count(*) FROM far GROUP BY ALL ORDER BY t, i LIMIT 9',
]

/** The same over the tables here. */
const ofHere = (sql: string): string =>
  sql
    .replace(/\bpartner\.public\.local\b/gi, 'local')
    .replace(/\bfar_odd\b/g, '"Odd ""name"""')
    .replace(/\bfar_other\b/g, 'other')
    .replace(/\bfar_times\b/g, 'times')
    .replace(/\bfar_signs\b/g, '(SELECT id, sign::VARCHAR AS sign, big::BIGINT AS big FROM signs)')
    .replace(/\bfar_words\b/g, '(SELECT word, n + 1 AS m, x FROM local WHERE id > 5)')
    .replace(/\bfar_groups\b/g, '(SELECT word, count(*) AS c, max(n) AS top FROM local GROUP BY word)')
    .replace(/\bfar_attached\b/g, '(SELECT * FROM local WHERE n > 3)')
    .replace(/\bfar\b/gi, 'local')

async function bytesOf(sql: string): Promise<Uint8Array> {
  const answer = await here.post({ sql }, SUPER_USER)
  if (!answer.ok) t.fail(`${sql}: ${await answer.clone().text()}`)
  return new Uint8Array(await answer.arrayBuffer())
}

t.test('each is one request, of which no more rows come than the answer has', async (t) => {
  for (const sql of FORMS) {
    const expected = shownRows(await bytesOf(ofHere(sql)))
    asked.length = 0
    t.strictSame(shownRows(await bytesOf(sql)), expected, sql)
    t.equal(asked.length, 1, sql)
    const printed = await plan({ sql })
    t.match(printed, /^\[\{"Plan":\{"Node Type":"Federated",[^{}]*"Relayed":true,[^{}]*\}\}\]$/, sql)
    const analyzed = JSON.stringify(JSON.parse(await here.analyze(sql)))
    t.match(analyzed, new RegExp(`"Rows Received":${expected[1].length},`), sql)
  }
})

t.test('columns are there what they are here: a sum that is too large is an error', async (t) => {
  for (const sql of [
    'SELECT count(*) FROM far_signs WHERE big + 1000 > id',
    'SELECT id FROM far_signs WHERE big + 1000 > id ORDER BY sign LIMIT 3',
  ]) {
    t.match(String(await here.ask(ofHere(sql))), /Overflow in addition of INT64/, sql)
    t.match(String(await here.ask(sql)), /Overflow in addition of INT64/, sql)
  }
})

const GROUPS = 'SELECT word, count(*) AS c, sum(n) / 2 AS half FROM far GROUP BY word ORDER BY word'

t.test('in each format, with the notices that it has here', async (t) => {
  for (const format of ['csv', 'json', 'ndjson', 'parquet', 'arrow']) {
    const answerOf = async (sql: string): Promise<readonly [string | null, Buffer]> => {
      const answer = await here.post({ sql, output: { format } })
      const notice = answer.headers.get('x-service-notice')
      return [notice, Buffer.from(await answer.arrayBuffer())]
    }
    asked.length = 0
    const [notice, bytes] = await answerOf(GROUPS)
    const [expectedNotice, expected] = await answerOf(ofHere(GROUPS))
    t.equal(asked.length, 1, format)
    t.ok(notice, format)
    t.equal(notice, expectedNotice, format)
    if (format === 'parquet') t.equal(bytes.subarray(-4).toString(), 'PAR1')
    else t.same(bytes.toString('latin1'), expected.toString('latin1'), format)
  }
})

t.test('of an answer that is cut behind some rows only these are asked for', async (t) => {
  const { json } = await connect(t, here.url, SUPER_USER)
  asked.length = 0
  await json('run_sql', { sql: 'SELECT word, count(*) AS c FROM far GROUP BY word ORDER BY word' })
  await json('run_sql', { sql: 'SELECT word, sum(n) AS s FROM far GROUP BY word ORDER BY word' })
  t.match(asked, [
    / ORDER BY "word" ASC NULLS LAST LIMIT 1001$/,
    / ORDER BY "word" ASC NULLS LAST LIMIT 1001$/,
  ])
})

t.test('what reads tables of here too, or of another login, has its rows fetched', async (t) => {
  t.equal(
    await here.command(
      `CREATE EXTERNAL TABLE far_by_name STORED AS REMOTE LOCATION 'service://localhost:${between.port}/local'`,
    ),
    '',
  )
  for (const other of ['rows_of_local', 'far_by_name']) {
    const sql = `SELECT count(*) FROM far WHERE id < (SELECT max(n) FROM ${other})`
    t.match(await plan(sql), /"Not Relayed":"it reads other tables than those of one service"/)
    t.same(await here.ask(sql), await here.ask(sql.replace('far ', 'local ')))
  }
})

const aggregates = ['count(*)', 'sum(n)', 'max(day)', 'min(word)', 'count(DISTINCT word)', 'median(id)']

/** Queries of groups, first rows of groups and queries over them, of which each has one answer. */
const statements = fc.oneof(
  groupQueries,
  fc
    .record({
      inner: groupQueries,
      outer: fc.constantFrom('count(*)', 'max(a0)', 'min(a0)'),
      most: fc.nat(60),
    })
    .map(
      ({ inner, outer, most }) =>
        (from: string) =>
          `SELECT ${outer} AS o FROM (${inner(from)}) q WHERE CAST(a0 AS VARCHAR) <> '${most}'`,
    ),
  fc
    .record({
      key: fc.constantFrom('word', 'n', 'day'),
      most: fc.integer({ min: 1, max: 4 }),
      limit: fc.nat(30),
    })
    .map(
      ({ key, most, limit }) =>
        (from: string) =>
          `SELECT *, ${key} AS k FROM ${from} QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY id DESC) <= ${most} ORDER BY id LIMIT ${limit}`,
    ),
  fc
    .record({
      sign: fc.constantFrom('<', '>=', '='),
      of: fc.constantFrom('avg(id)', 'max(n)', 'count(*)'),
      what: fc.constantFrom(...aggregates),
    })
    .map(
      ({ sign, of, what }) =>
        (from: string) =>
          `SELECT n, ${what} FROM ${from} WHERE id ${sign} (SELECT ${of} FROM ${from} WHERE x > 0) GROUP BY n ORDER BY n`,
    ),
)

t.test('generated ones have the answer that they have if rows are fetched', async (t) => {
  const relayed: string[] = []
  await fc.assert(
    fc.asyncProperty(statements, async (statement) => {
      const sql = statement('far')
      const expected = shownRows(await bytesOf(statement('local')))
      t.strictSame(shownRows(await bytesOf(sql)), expected, sql)
      if ((await plan(sql)).includes('"Relayed":true')) relayed.push(sql)
      between.isOther = true
      await here.ask('SELECT count(id) FROM far')
      t.strictSame(shownRows(await bytesOf(sql)), expected, `fetched: ${sql}`)
      between.isOther = false
      await here.ask('SELECT count(id) FROM far')
    }),
    { numRuns: RUNS },
  )
  t.ok(relayed.length > RUNS / 2, `${relayed.length} were relayed`)
})
