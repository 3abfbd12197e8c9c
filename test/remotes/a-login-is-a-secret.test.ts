import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { type AccountService, ADMIN, startAccountService } from '../accounts/asked-accounts.ts'
import { basic } from '../http/test-server.ts'
import { keyFor } from '../secrets/keys.ts'

const PASSWORD = 'Plugh4711'
const OTHER = 'Xyzzy0815'

/** A service whose tables only `reader` may read. */
async function startThere(t: Test): Promise<AccountService> {
  const there = await startAccountService(t, {
    settings: { SERVICE_AUTH_ENFORCE: 'true', SERVICE_AUTH_ANONYMOUS_ENABLED: 'false' },
  })
  writeFileSync(join(there.datasets, 'obs.csv'), 'n\n1\n2\n')
  for (const sql of [
    `CREATE USER reader WITH PASSWORD '${PASSWORD}'`,
    'CREATE ROLE all_of_it',
    'GRANT SELECT ON ALL TO ROLE all_of_it',
    'GRANT ROLE all_of_it TO USER reader',
    "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'",
  ])
    t.equal(await there.state(sql), null, sql)
  return there
}

interface Here extends AccountService {
  logged(): string
}

async function startHere(t: Test, dataDir: string, settings: Record<string, string> = {}): Promise<Here> {
  mkdirSync(dataDir, { recursive: true })
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const service = await startAccountService(t, {
    dataDir,
    settings: { SERVICE_SECRETS_KEY: keyFor('a'), ...settings },
    log,
  })
  return { ...service, logged: () => lines.join('') }
}

t.test('which each request reads anew, and which outlives a restart', async (t) => {
  const there = await startThere(t)
  const { host } = new URL(there.url)
  const dataDir = join(there.dataDir, 'here')
  const here = await startHere(t, dataDir)
  const far = (options: string): string =>
    `CREATE OR REPLACE EXTERNAL TABLE far STORED AS REMOTE LOCATION 'service://${host}/obs'${options}`
  const rows = (service: Here, headers = ADMIN) => service.lines('SELECT n FROM far ORDER BY n', headers)
  const named = ` OPTIONS ('secret' 'partner')`

  t.match(await here.state(far('')), /has answered 400: permission denied/, 'without a login')
  t.match(await here.state(far(named)), /^There is no secret "partner"/)
  t.equal(await here.state(far(` OPTIONS ('username' 'reader', 'password' '${PASSWORD}')`)), null)
  t.same(await rows(here), ['n', '1', '2'], 'a login of the table itself')
  t.match(await here.state(far(` OPTIONS ('secret' '***')`)), /\*\*\*/)

  const login = (password: string): string =>
    `CREATE PERSISTENT SECRET partner (TYPE service, USERNAME 'reader', PASSWORD '${password}')`
  t.equal(await here.state(login(PASSWORD)), null)
  t.equal(await here.state(far(named)), null)
  t.same(await rows(here), ['n', '1', '2'])
  t.same(await here.lines('SELECT count(*) + 0 AS n FROM far', ADMIN), ['n', '2'], 'DuckDB too')
  t.match(String(await here.lines('SHOW CREATE TABLE far', ADMIN)), `'secret' 'partner'`)

  t.equal(await here.state(login(OTHER)), null)
  const refused = String(await rows(here))
  t.match(refused, new RegExp(`${host} has answered 401`), 'a replaced one is read at once')
  t.equal(await here.state('CREATE OR REPLACE SECRET partner (TYPE postgres, PASSWORD 1)'), null)
  t.match(String(await rows(here)), /^The secret "partner" is of type postgres/)
  t.equal(await here.state('DROP SECRET partner'), null)
  t.match(String(await rows(here)), /^There is no secret "partner"/)
  t.equal(await here.state(`CREATE SECRET partners (TYPE service, TOKEN 'x')`), null)
  t.notMatch(String(await rows(here, {} as typeof ADMIN)), 'partners', 'others learn no names of secrets')
  t.equal(await here.state(login(PASSWORD)), null)
  t.same(await rows(here), ['n', '1', '2'])

  const told =
    here.logged() + refused + (await here.lines('SELECT * FROM service.system.query_metrics', ADMIN))
  for (const word of [PASSWORD, OTHER, basic('reader', PASSWORD).slice(6)]) {
    t.notOk(told.includes(word))
    t.same(
      readdirSync(dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(word))
        .map(({ name }) => name),
      [],
    )
  }
  await here.close()

  const again = await startHere(t, dataDir)
  t.same(await rows(again), ['n', '1', '2'])
  await again.close()
  const other = await startHere(t, dataDir, { SERVICE_SECRETS_KEY: keyFor('b') })
  t.match(String(await rows(other)), /^The secret "partner" cannot be decrypted/)
  t.same(await other.lines('SELECT 1 AS n'), ['n', '1'], 'nothing else is lost')
})
