import t from 'tap'
import { startTables, waysToAsk } from '../external/tables.ts'
import { PASSWORD, PATIENT } from '../postgres/server.ts'
import { skipWithoutMysql, startMysql } from './server.ts'

t.test('by a secret, and after a restart', { skip: skipWithoutMysql() }, async (t) => {
  const there = await startMysql(t)
  const here = await startTables(t, PATIENT)
  there.run(`CREATE TABLE obs (id bigint PRIMARY KEY, \`Word\` text, x double);
    INSERT INTO obs SELECT seq, concat('w', seq % 3), seq / 2.0 FROM seq_1_to_10000;
    CREATE DATABASE deep; CREATE TABLE deep.\`a.b"c\` (n int); INSERT INTO deep.\`a.b"c\` VALUES (1), (NULL)`)
  t.equal(
    await here.command(
      `CREATE TEMPORARY SECRET sea (TYPE mysql, HOST '127.0.0.1', PORT '${there.port}', USER 'owner', PASSWORD '${PASSWORD}', DATABASE 'sea')`,
    ),
    '',
  )
  const create = (name: string, location: string, as = 'MYSQL'): string =>
    `CREATE EXTERNAL TABLE ${name} STORED AS ${as} LOCATION '${location}' OPTIONS ('secret' 'sea')`
  t.equal(await here.command(create('obs', 'obs')), '')
  t.equal(await here.command(create('deep', 'deep."a.b""c"', 'MARIADB')), '')
  t.strictSame(await here.columns('obs'), ['id "Int64"', 'Word "Utf8"', 'x "Float64"'])
  for (const [way, query] of Object.entries(waysToAsk('obs', ['id', 'Word', 'x']))) {
    const lines = await here.ask(query)
    t.equal(lines.length, 10_001, way)
    t.equal(lines[1], '1,w1,0.5', way)
  }
  t.strictSame(await here.ask('SELECT count(*) AS c, sum(x) AS s FROM obs WHERE "Word" = \'w1\''), [
    'c,s',
    '3334,8335833.5',
  ])
  t.strictSame(await here.ask('SELECT n FROM deep ORDER BY n'), ['n', '1', '""'])
  t.match(await here.analyze('SELECT id FROM obs WHERE id < 11'), /"Rows Received": *10,/)
  t.match(await here.command(create('none', 'none')), /has no table "none"/)
  await there.stop()
  t.match(await here.ask('SELECT n FROM deep'), /cannot be reached|broken off/)
  await there.start()
  t.strictSame(await here.ask('SELECT n FROM deep WHERE n = 1'), ['n', '1'])
})
