import { join } from 'node:path'
import t from 'tap'
import { startTables } from '../external/tables.ts'
import { PASSWORD, PATIENT, skipWithoutPostgres, startPostgres } from '../postgres/server.ts'
import { fc } from '../support/generate.ts'
import { COLUMNS, generatedCsv, groupQueries, queries } from './orders-and-conditions.ts'

const ROWS = 300
const RUNS = 60
const local = `CREATE EXTERNAL TABLE local ${COLUMNS} STORED AS CSV LOCATION 'local.csv'`

t.test('of another service', async (t) => {
  const there = await startTables(t, PATIENT)
  // One of the same version would make the whole answer.
  const remotes = { ...PATIENT.remotes, version: 'another one' }
  const here = await startTables(t, { ...PATIENT, remotes, dataDir: join(there.dataDir, 'here') })
  for (const service of [there, here]) {
    service.put('local.csv', generatedCsv(ROWS))
    await service.settle()
    t.equal(await service.command(local), '')
  }
  const { host } = new URL(there.url)
  t.equal(
    await here.command(`CREATE EXTERNAL TABLE far STORED AS REMOTE LOCATION 'service://${host}/local'`),
    '',
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(queries, groupQueries), async (query) => {
      t.strictSame(await here.ask(query('far')), await here.ask(query('local')), query('far'))
    }),
    { numRuns: RUNS },
  )
  const plan = async (sql: string): Promise<string> => JSON.stringify(JSON.parse(await here.explain(sql)))
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
  t.equal(await here.command(local), '')
  const rows = generatedCsv(ROWS).trim().split('\n').slice(1)
  const literal = (value: string): string => (value === '' ? 'NULL' : `'${value.replaceAll("'", "''")}'`)
  await there.run(`CREATE TABLE local (id bigint, n bigint, x float8, word text, day date);
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
  await fc.assert(
    fc.asyncProperty(fc.oneof(queries, groupQueries), async (query) => {
      t.strictSame(await here.ask(query('far')), await here.ask(query('local')), query('far'))
    }),
    { numRuns: RUNS },
  )
  const plan = async (sql: string): Promise<string> => JSON.stringify(JSON.parse(await here.explain(sql)))
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
