import t from 'tap'
import { ADMIN, startAccountService } from '../accounts/asked-accounts.ts'
import { filesWith } from '../accounts/sent-everywhere.ts'
import { keyFor } from '../secrets/keys.ts'
import { startTwo } from './services.ts'

const PASSWORD = 'Plugh4711'

t.test('without waiting for the other service, whose state is told', async (t) => {
  const settings = { SERVICE_SECRETS_KEY: keyFor('a') }
  const { here, there, host } = await startTwo(t, settings)
  for (const sql of [
    `CREATE USER reader WITH PASSWORD '${PASSWORD}'`,
    'CREATE ROLE r',
    'GRANT SELECT ON ALL TO ROLE r',
    'GRANT ROLE r TO USER reader',
  ])
    t.equal(await there.state(sql), null)
  for (const sql of [
    `CREATE PERSISTENT SECRET s (TYPE service, USERNAME 'reader', PASSWORD '${PASSWORD}')`,
    `ATTACH 'http://${host}' AS far WITH ('secret' 's', 'persistent' 'true')`,
    `ATTACH 'http://${host}' AS open WITH ('persistent' 'true')`,
    `ATTACH 'http://${host}' AS brief`,
    'CREATE VIEW v AS SELECT n FROM far.public.obs',
  ])
    t.equal(await here.state(sql), null, sql)
  await here.close()
  const [word] = [Buffer.from(`reader:${PASSWORD}`).toString('base64')]
  for (const text of [PASSWORD, word ?? '']) t.same(filesWith(here.dataDir, text), [])
  await there.close()

  const options = { dataDir: here.dataDir, settings, attachMs: 300_000 }
  const again = await startAccountService(t, options)
  const states = () =>
    again.lines(
      'SELECT name, secret, persistent, state, last_error IS NULL AS fine FROM service.system.attached',
      ADMIN,
    )
  const header = 'name,secret,persistent,state,fine'
  t.same(await states(), [header, 'far,s,true,not_asked,true', 'open,,true,not_asked,true'])
  t.same(
    await again.lines(
      "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'far' ORDER BY 1",
      ADMIN,
    ),
    ['table_name', 'Big View', 'default', 'obs'],
  )
  t.match(await again.lines('FROM v', ADMIN), /cannot be reached/)
  t.same(await states(), [header, 'far,s,true,fails,false', 'open,,true,not_asked,true'])
  t.match(
    JSON.stringify(
      await again.lines("SELECT last_error FROM service.system.attached WHERE name = 'far'", ADMIN),
    ),
    new RegExp(`${host} cannot be reached`),
  )

  const port = new URL(there.url).port
  await startAccountService(t, {
    dataDir: there.dataDir,
    settings: { SERVICE_PORT: port },
  })
  t.same(await again.lines('SELECT sum(n) AS s FROM v', ADMIN), ['s', '6'])
  t.same(await states(), [header, 'far,s,true,answers,false', 'open,,true,not_asked,true'])
  t.equal(await again.state('DROP SECRET s'), null)
  t.match(await again.lines('FROM v', ADMIN), /There is no secret "s"/)
  t.match(
    await again.lines("SELECT state, last_error FROM service.system.attached WHERE name = 'far'", ADMIN),
    /fails,"There is no secret ""s""/,
  )
  t.equal(await again.state('DETACH far'), null)
  await again.close()

  const last = await startAccountService(t, options)
  t.same(await last.lines('SELECT name FROM service.system.attached', ADMIN), ['name', 'open'])
})
