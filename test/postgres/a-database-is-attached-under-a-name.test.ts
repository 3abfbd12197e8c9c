import t from 'tap'
import { startAccountService } from '../accounts/asked-accounts.ts'
import { until } from '../support/until.ts'
import { PASSWORD, PATIENT, skipWithoutPostgres, startPostgres } from './server.ts'

t.test(
  'with its tables, of which a statement reads one state',
  { skip: skipWithoutPostgres() },
  async (t) => {
    const there = await startPostgres(t)
    await there.run(`CREATE TABLE obs (id int, word text); INSERT INTO obs VALUES (1, 'a'), (2, 'b');
      CREATE SCHEMA deep; CREATE TABLE deep.more (id int, x float8); INSERT INTO deep.more VALUES (2, 2.5), (3, 3.5);
      CREATE TABLE parts (id int) PARTITION BY RANGE (id);
      CREATE TABLE part_1 PARTITION OF parts FOR VALUES FROM (0) TO (10); INSERT INTO parts VALUES (7);
      CREATE VIEW stamp AS SELECT pg_backend_pid() AS pid, pg_current_snapshot()::text AS state, txid_current_if_assigned() AS id;
      CREATE TABLE infinite (at timestamp); INSERT INTO infinite VALUES ('infinity');
      CREATE TABLE hidden (id int); CREATE USER reader PASSWORD '${PASSWORD}';
      GRANT USAGE ON SCHEMA deep TO reader; GRANT SELECT ON obs, deep.more, parts, stamp, infinite TO reader`)
    const remotes = { ...PATIENT.remotes, reuseMs: 3_600_000 }
    const here = await startAccountService(t, { ...PATIENT, remotes })
    const url = `postgres://127.0.0.1:${there.port}/sea`
    t.match(
      await here.state(`ATTACH '${url}' AS sea WITH ('user' 'reader', 'password' 'wrong')`),
      /has refused the login: password authentication failed/,
    )
    t.equal(await here.state(`ATTACH '${url}' AS sea WITH ('user' 'reader', 'password' '${PASSWORD}')`), null)
    const ask = (sql: string) => here.lines(sql, { authorization: `Basic ${btoa('root:root-password')}` })
    t.strictSame(await ask('SELECT name, kind, address, secret FROM service.system.attached'), [
      'name,kind,address,secret',
      `sea,postgres,${url},`,
    ])
    t.strictSame(
      await ask(
        "SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_catalog = 'sea' ORDER BY ALL",
      ),
      [
        'table_schema,table_name,table_type',
        'deep,more,BASE TABLE',
        'public,infinite,BASE TABLE',
        'public,obs,BASE TABLE',
        'public,parts,BASE TABLE',
        'public,stamp,VIEW',
      ],
    )
    t.strictSame(await ask('SELECT word, x FROM sea.obs JOIN sea.deep.more USING (id)'), ['word,x', 'b,2.5'])
    t.strictSame(await ask('SELECT id FROM sea.parts'), ['id', '7'])
    t.strictSame(
      await ask(
        'SELECT a.pid = b.pid AND a.state = b.state AS one FROM (SELECT pid, state FROM sea.stamp) a, (SELECT state, pid FROM sea.stamp LIMIT 1) b',
      ),
      ['one', 'true'],
    )
    t.match(await ask('SELECT * FROM sea.infinite'), /infinite time in the column "at"/)
    t.match(await ask('SELECT * FROM sea.hidden'), /hidden/)
    t.equal(await here.state('DETACH sea'), null)
    t.match(await here.state('DETACH sea'), /No catalog "sea"/)
    await until('no connection is left, also none that waits for another statement', async () => {
      const [[open] = []] = await there.run(
        "SELECT count(*)::int FROM pg_stat_activity WHERE usename = 'reader'",
      )
      return open === 0
    })
  },
)
