import t from 'tap'
import { startAccountService } from '../accounts/asked-accounts.ts'
import { filesWith } from '../accounts/sent-everywhere.ts'
import { PASSWORD, PATIENT } from '../postgres/server.ts'
import { until } from '../support/until.ts'
import { skipWithoutMysql, startMysql } from './server.ts'

t.test('with its tables, of which a statement reads one state', { skip: skipWithoutMysql() }, async (t) => {
  const there = await startMysql(t)
  there.run(`CREATE TABLE obs (id int, word text); INSERT INTO obs VALUES (1, 'a'), (2, 'b');
      CREATE DATABASE deep; CREATE TABLE deep.more (id int, x double); INSERT INTO deep.more VALUES (2, 2.5), (3, 3.5);
      CREATE TABLE parts (id int) PARTITION BY RANGE (id) (PARTITION one VALUES LESS THAN (10)); INSERT INTO parts VALUES (7);
      CREATE FUNCTION level() RETURNS varchar(30) RETURN @@tx_isolation; CREATE FUNCTION zone() RETURNS varchar(30) RETURN @@time_zone;
      CREATE VIEW stamp AS SELECT connection_id() AS pid, level() AS level, zone() AS zone;
      CREATE TABLE secret_columns (id int, hidden int); INSERT INTO secret_columns VALUES (1, 2);
      CREATE TABLE hidden (id int); CREATE TABLE written (id int); CREATE USER reader@'%' IDENTIFIED BY '${PASSWORD}';
      GRANT SELECT ON deep.more TO reader@'%'; GRANT SELECT ON sea.obs TO reader@'%'; GRANT SELECT ON sea.parts TO reader@'%';
      GRANT SELECT ON sea.stamp TO reader@'%'; GRANT SELECT (id) ON sea.secret_columns TO reader@'%';
      GRANT EXECUTE ON FUNCTION sea.level TO reader@'%'; GRANT EXECUTE ON FUNCTION sea.zone TO reader@'%'; GRANT INSERT ON sea.written TO reader@'%'`)
  const remotes = { ...PATIENT.remotes, reuseMs: 3_600_000 }
  const here = await startAccountService(t, { ...PATIENT, remotes })
  const url = `mariadb://127.0.0.1:${there.port}/sea`
  t.match(
    await here.state(`ATTACH '${url}' AS sea WITH ('user' 'reader', 'password' 'wrong')`),
    /has refused the login: Access denied for user 'reader'/,
  )
  t.equal(await here.state(`ATTACH '${url}' AS sea WITH ('user' 'reader', 'password' '${PASSWORD}')`), null)
  const ask = (sql: string) => here.lines(sql, { authorization: `Basic ${btoa('root:root-password')}` })
  t.strictSame(await ask('SELECT name, kind, address, secret FROM service.system.attached'), [
    'name,kind,address,secret',
    `sea,mysql,${url.replace('mariadb', 'mysql')},`,
  ])
  t.strictSame(
    await ask(
      "SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_catalog = 'sea' ORDER BY ALL",
    ),
    [
      'table_schema,table_name,table_type',
      'deep,more,BASE TABLE',
      'sea,obs,BASE TABLE',
      'sea,parts,BASE TABLE',
      'sea,secret_columns,BASE TABLE',
      'sea,stamp,VIEW',
    ],
  )
  t.strictSame(await ask('SELECT word, x FROM sea.obs JOIN sea.deep.more USING (id)'), ['word,x', 'b,2.5'])
  t.strictSame(await ask('SELECT word FROM sea.sea.OBS WHERE id = 1'), ['word', 'a'])
  t.strictSame(await ask('SELECT id FROM sea.parts'), ['id', '7'])
  t.strictSame(await ask('SELECT * FROM sea.secret_columns'), ['id', '1'])
  t.strictSame(
    await ask(
      'SELECT a.pid = b.pid AS one, a.level, b.zone FROM (SELECT pid, level FROM sea.stamp) a, (SELECT zone, pid FROM sea.stamp LIMIT 1) b',
    ),
    ['one,level,zone', 'true,REPEATABLE-READ,+00:00'],
  )
  t.match(await ask('SELECT * FROM sea.hidden'), /hidden/)
  t.notMatch(String(await ask('SELECT * FROM service.system.query_metrics')), PASSWORD)
  t.same(filesWith(here.dataDir, PASSWORD), [], 'no file has the password')
  t.equal(await here.state('DETACH sea'), null)
  await until('no connection is left, also none that waits for another statement', () => {
    const [open] = there.run("SELECT count(*) FROM information_schema.PROCESSLIST WHERE USER = 'reader'")
    return open === '0'
  })
})
