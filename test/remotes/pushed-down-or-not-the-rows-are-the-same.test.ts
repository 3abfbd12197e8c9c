import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startTables, type Tables } from '../external/tables.ts'
import { skipWithoutMysql, startMysql } from '../mysql/server.ts'
import { PASSWORD, PATIENT, skipWithoutPostgres, startPostgres } from '../postgres/server.ts'
import { fc } from '../support/generate.ts'
import { generatedCsv, groupQueries, LOCAL, queries } from './orders-and-conditions.ts'

const ROWS = 300
const RUNS = 60

/** Asks generated queries of the table elsewhere, and of the same rows here. */
async function requireSameRows(t: Test, here: Tables): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.oneof(queries, groupQueries), async (query) => {
      t.strictSame(await here.ask(query('far')), await here.ask(query('local')), query('far'))
    }),
    { numRuns: RUNS },
  )
}

/** The plan of a statement, as JSON without spaces. */
function plansOf(here: Tables): (sql: string) => Promise<string> {
  return async (sql) => JSON.stringify(JSON.parse(await here.explain(sql)))
}

t.test('of another service', async (t) => {
  const there = await startTables(t, PATIENT)
  // One of the same version would make the whole answer.
  const remotes = { ...PATIENT.remotes, version: 'another one' }
  const here = await startTables(t, { ...PATIENT, remotes, dataDir: join(there.dataDir, 'here') })
  for (const service of [there, here]) {
    service.put('local.csv', generatedCsv(ROWS))
    await service.settle()
    for (const sql of LOCAL) t.equal(await service.command(sql), '')
  }
  const { host } = new URL(there.url)
  t.equal(
    await here.command(`CREATE EXTERNAL TABLE far STORED AS REMOTE LOCATION 'service://${host}/local'`),
    '',
  )
  await requireSameRows(t, here)
  const plan = plansOf(here)
  t.match(
    await plan("SELECT id FROM far WHERE NOT (n = 7 OR word = 'a') ORDER BY day DESC, id LIMIT 5 OFFSET 2"),
    /WHERE NOT \(.*\) ORDER BY .*day.* DESC NULLS FIRST, .*id.* ASC NULLS LAST LIMIT 7"/,
  )
  t.match(await plan('SELECT id FROM far WHERE n = 7 LIMIT 5'), /LIMIT 5"/)
  t.match(
    await plan('SELECT id FROM far ORDER BY x LIMIT 5'),
    /"Limit Applied Here":"[^"]*\\"x\\" is ordered/,
  )
  t.match(await plan('SELECT id FROM far WHERE x > 1 LIMIT 5'), /"Limit Applied Here":"[^"]*all conditions/)
  t.match(
    await plan(
      'SELECT word, count(*) AS c, max(n) AS m FROM far WHERE n > 7 GROUP BY word HAVING count(*) > 1',
    ),
    /"Remote Statement":"SELECT [^}]*count\(\*\) AS [^}]* WHERE [^}]* GROUP BY \\"word\\""/,
  )
  t.match(await plan('SELECT count(*) AS c FROM far'), /"Remote Statement":"SELECT count\(\*\) AS /)
  t.match(await plan('SELECT sum(x) AS s FROM far'), /"Groups Made Here":"[^}]*is the same there/)
  t.match(await plan('SELECT x, count(*) AS c FROM far GROUP BY x'), /"Groups Made Here":"[^}]*values of/)
  t.match(await plan('SELECT count(*) AS c FROM far WHERE x > 1'), /"Groups Made Here":"[^}]*all conditions/)
  t.match(await plan('SELECT avg(n) AS a FROM far'), /"Groups Made Here":"avg is computed here/)
  t.match(await plan("SELECT id FROM far WHERE word LIKE 'a%'"), /word.* >= 'a' AND .*word.* < 'b'/)
})

t.test('of PostgreSQL', { skip: skipWithoutPostgres() }, async (t) => {
  const there = await startPostgres(t)
  const here = await startTables(t, PATIENT)
  here.put('local.csv', generatedCsv(ROWS))
  await here.settle()
  for (const sql of LOCAL) t.equal(await here.command(sql), '')
  const rows = generatedCsv(ROWS).trim().split('\n').slice(1)
  const literal = (value: string): string => (value === '' ? 'NULL' : `'${value.replaceAll("'", "''")}'`)
  await there.run(`CREATE TABLE local (id bigint, n bigint, x float8, word text, day date, price numeric(9,2));
    INSERT INTO local VALUES ${rows.map((row) => `(${row.split(',').map(literal).join(', ')})`).join(', ')}`)
  t.equal(
    await here.command(
      `CREATE TEMPORARY SECRET s (TYPE postgres, HOST '127.0.0.1', PORT '${there.port}', USER 'owner', PASSWORD '${PASSWORD}', DATABASE 'sea')`,
    ),
    '',
  )
  t.equal(
    await here.command(
      "CREATE EXTERNAL TABLE far STORED AS POSTGRES LOCATION 'local' OPTIONS ('secret' 's')",
    ),
    '',
  )
  await requireSameRows(t, here)
  const plan = plansOf(here)
  t.match(
    await plan('SELECT id FROM far WHERE NOT (x < 1) ORDER BY word, x DESC LIMIT 3'),
    /WHERE NOT \(.*\) ORDER BY .*word.* COLLATE .*C.* ASC NULLS LAST, .*x.* DESC NULLS FIRST LIMIT 3"/,
  )
  t.match(
    await plan('SELECT word, min(word) AS m, sum(n) AS s FROM far GROUP BY word'),
    /min\(\\"word\\" COLLATE \\"C\\"\).*CAST\(sum\(\\"n\\"\) AS int8\).* GROUP BY \\"word\\" COLLATE/,
  )
  t.match(await here.analyze('SELECT n, count(*) AS c FROM far GROUP BY n'), /"Rows Received": *51,/)
  t.match(
    await plan("SELECT id FROM far WHERE word = 'a' LIMIT 3"),
    /"Limit Applied Here":"[^"]*all conditions/,
  )
})

t.test('of MariaDB', { skip: skipWithoutMysql() }, async (t) => {
  const there = await startMysql(t)
  const here = await startTables(t, PATIENT)
  // MariaDB stores no zero with a sign.
  const csv = generatedCsv(ROWS).replaceAll(',-0.0,', ',0.0,')
  here.put('local.csv', csv)
  await here.settle()
  for (const sql of LOCAL) t.equal(await here.command(sql), '')
  const rows = csv.trim().split('\n').slice(1)
  // What is null here are dates there that no calendar has, and nulls.
  const noDates = ["'0000-00-00'", "'2024-00-00'", "'2024-03-00'", "'2024-02-31'", 'NULL']
  const literal = (value: string, column: number, row: number): string =>
    value !== ''
      ? `'${value.replaceAll("'", "''")}'`
      : ((column === DAY ? noDates[row % noDates.length] : null) ?? 'NULL')
  const values = rows.map(
    (line, row) =>
      `(${line
        .split(',')
        .map((value, column) => literal(value, column, row))
        .join(', ')})`,
  )
  there.run(`SET sql_mode = 'ALLOW_INVALID_DATES';
    CREATE TABLE local (id bigint, n bigint, x double, word varchar(20), day date, price decimal(9,2)) CHARACTER SET utf8mb4;
    INSERT INTO local VALUES ${values.join(', ')}`)
  for (const sql of [
    `CREATE TEMPORARY SECRET s (TYPE mysql, HOST '127.0.0.1', PORT '${there.port}', USER 'owner', PASSWORD '${PASSWORD}', DATABASE 'sea')`,
    "CREATE EXTERNAL TABLE far STORED AS MYSQL LOCATION 'local' OPTIONS ('secret' 's')",
  ])
    t.equal(await here.command(sql), '', sql)
  await requireSameRows(t, here)
  const plan = plansOf(here)
  t.match(
    await plan(
      'SELECT id FROM far WHERE NOT (x < 1) ORDER BY word, x DESC NULLS LAST, n NULLS FIRST LIMIT 3',
    ),
    /WHERE NOT \(.*\) ORDER BY \(CAST\(\\"word\\" AS BINARY\) IS NULL\) ASC, CAST\(\\"word\\" AS BINARY\) ASC, \\"x\\" DESC, \\"n\\" ASC LIMIT 3"/,
  )
  t.match(
    await plan("SELECT id FROM far WHERE word = 'a' AND day < DATE '2024-05-01' LIMIT 3"),
    /\(\\"word\\" = 'a' AND CAST\(.*\) = CAST\('a' AS BINARY\)\) AND \(\\"day\\" < .*LAST_DAY.* LIMIT 3"/,
  )
  t.match(
    await plan(
      'SELECT word, min(word) AS m, sum(n) AS s, sum(price) AS p, count(day) AS d FROM far GROUP BY word',
    ),
    /min\(CAST\(\\"word\\" AS BINARY\)\).*sum\(\\"n\\"\) DIV 1 AS .*sum\(\\"price\\"\) AS .*count\(IF\(.* GROUP BY CAST\(\\"word\\" AS BINARY\)/,
  )
  t.match(await here.analyze('SELECT n, count(*) AS c FROM far GROUP BY n'), /"Rows Received": *51,/)
  t.match(await plan('SELECT x, count(*) AS c FROM far GROUP BY x'), /"Groups Made Here":"[^}]*values of/)
  t.match(await plan('SELECT sum(x) AS s FROM far'), /"Groups Made Here":"[^}]*is the same there/)
  there.run('INSERT INTO local (id, n) VALUES (9223372036854775807, 1)')
  t.match(await here.ask('SELECT sum(id) AS s FROM far'), /out of range|refused/)
})

/** The place of the column of dates. */
const DAY = 4
