import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'
import type { SslMode } from '../../src/main/remotes/remote-client.ts'
import { PASSWORD } from '../postgres/server.ts'
import { addressOf, allOf, NEVER, SUPER, startRemotes } from '../remotes/remote.ts'
import { certificateFor } from '../support/certificates.ts'
import { until } from '../support/until.ts'
import { skipWithoutMysql, startMysql } from './server.ts'

t.test(
  'as sslmode says, and its statements end with their clients',
  { skip: skipWithoutMysql() },
  async (t) => {
    const { certificate, key } = certificateFor(t, 'sea')
    // The server is another user.
    for (const [path, mode] of [
      [dirname(key), 0o755],
      [key, 0o644],
    ] as const)
      chmodSync(path, mode)
    const there = await startMysql(t, [`--ssl-cert=${certificate}`, `--ssl-key=${key}`])
    // Time itself: a statement that would run for ten minutes, unless it is ended.
    there.run(`CREATE TABLE obs (id int); CREATE VIEW slow AS SELECT sleep(600) AS s;
    CREATE USER safe@'%' IDENTIFIED BY '${PASSWORD}' REQUIRE SSL; GRANT SELECT ON sea.* TO safe@'%'`)
    const remotes = startRemotes(t, { times: { connectMs: 300_000, silenceMs: 300_000 } })
    const clientWith = (sslMode: SslMode) =>
      remotes.open(
        { ...addressOf(there.port), kind: 'mysql', database: 'sea', user: 'safe', sslMode },
        { password: PASSWORD },
        SUPER,
      )

    const encrypted = clientWith('require')
    t.same(
      (await encrypted.listTables(NEVER)).map(({ name }) => name),
      ['obs', 'slow'],
    )
    encrypted.close()
    await t.rejects(clientWith('disable').check(NEVER), {
      code: 'remote_refused',
      message: /has refused the login/,
    })
    for (const mode of ['verify-ca', 'verify-full'] as const)
      await t.rejects(clientWith(mode).check(NEVER), {
        code: 'remote_unavailable',
        message: /certificate that is not trusted/,
      })

    const running = (): number =>
      Number(
        there.run(
          `SELECT count(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT%slow%' AND USER = 'safe'`,
        )[0],
      )
    const leaving = new AbortController()
    const slow = clientWith('require')
    const rows = allOf(
      slow.rowsOf('SELECT "s" FROM "slow"', leaving.signal, {
        table: { schema: 'sea', name: 'slow' },
        fields: [],
      }),
    )
    rows.catch(() => {})
    await until('the statement runs', () => running() === 1)
    leaving.abort(new Error('left'))
    await t.rejects(rows, { message: 'left' })
    await until('the statement has ended', () => running() === 0)
    slow.close()
  },
)
