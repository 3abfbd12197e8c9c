import t from 'tap'
import { ADMIN } from '../accounts/asked-accounts.ts'
import { startTwo } from './services.ts'

t.test('by a login in the statement, or by a secret, and none is told', async (t) => {
  const password = 'Plugh4711'
  const { here, there, host } = await startTwo(
    t,
    {},
    { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false', SERVICE_AUTH_ENFORCE: 'true' },
  )
  for (const sql of [
    `CREATE USER reader WITH PASSWORD '${password}'`,
    'CREATE ROLE r',
    'GRANT SELECT ON ALL TO ROLE r',
    'GRANT ROLE r TO USER reader',
  ])
    t.equal(await there.state(sql), null)
  const count = () => here.lines('SELECT count(*) AS c FROM far.obs', ADMIN)
  t.equal(await here.state(`ATTACH '${host}' AS far WITH (username reader, 'password' '${password}')`), null)
  t.same(await count(), ['c', '3'])
  t.match(await here.state(`ATTACH '${host}' AS far WITH (username reader, 'password' 'x')`), /401/)
  t.same(await count(), ['c', '3'], 'what does not answer replaces nothing')
  t.equal(await here.state(`CREATE SECRET s (TYPE service, USERNAME 'reader', PASSWORD '${password}')`), null)
  t.equal(await here.state(`ATTACH '${host}' AS far WITH ('secret' 's')`), null)
  t.same(await count(), ['c', '3'])
  t.equal(await here.state(`CREATE SECRET s (TYPE service, USERNAME 'reader', PASSWORD 'x')`), null)
  t.match(String(await count()), /401/, 'each request reads the secret')
  t.equal(await here.state('DROP SECRET s'), null)
  t.match(String(await count()), /^There is no secret "s"|There is no secret "s"/)
  const told = JSON.stringify([
    await here.lines('SELECT * FROM service.system.query_metrics', ADMIN),
    await here.lines('SHOW SECRETS', ADMIN),
  ])
  t.match(told, /ATTACH/)
  t.notMatch(told, password)
})
