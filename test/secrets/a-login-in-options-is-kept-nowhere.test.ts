import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { type AccountService, ADMIN, startAccountService } from '../accounts/asked-accounts.ts'
import { filesWith, sentEverywhere } from '../accounts/sent-everywhere.ts'
import { keyFor } from './keys.ts'

const MARKER = 'Plugh4711'
const json = (value: unknown): string => JSON.stringify(value)

/** The service that has the table, which `reader` alone may read. */
async function startThere(t: Test): Promise<AccountService> {
  const there = await startAccountService(t, {
    settings: { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false', SERVICE_AUTH_ENFORCE: 'true' },
  })
  writeFileSync(join(there.datasets, 'obs.csv'), 'n\n1\n2\n')
  for (const sql of [
    "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'obs.csv'",
    `CREATE USER reader WITH PASSWORD '${MARKER}'`,
    'CREATE ROLE r',
    'GRANT SELECT ON ALL TO ROLE r',
    'GRANT ROLE r TO USER reader',
  ])
    t.equal(await there.state(sql), null, sql)
  return there
}

interface Watched extends AccountService {
  logged(): string
}

async function startHere(
  t: Test,
  dataDir: string,
  settings: Readonly<Record<string, string>> = { SERVICE_SECRETS_KEY: keyFor('a') },
): Promise<Watched> {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  mkdirSync(dataDir, { recursive: true })
  const here = await startAccountService(t, {
    dataDir,
    settings,
    log,
  })
  return { ...here, logged: () => lines.join('') }
}

function storedLogins(dataDir: string): number {
  const database = new Database(join(dataDir, 'tables', 'catalog.db'), { readonly: true })
  const count = database.prepare('SELECT count(*) FROM logins').pluck().get()
  database.close()
  return Number(count)
}

t.test('the table is read by it, also after a restart, and it is told nowhere', async (t) => {
  const there = await startThere(t)
  const dataDir = join(there.dataDir, 'here')
  const here = await startHere(t, dataDir)
  const { host } = new URL(there.url)
  const create = (name: string, options: string, words = 'CREATE'): string =>
    `${words} EXTERNAL TABLE ${name} STORED AS REMOTE LOCATION 'service://${host}/obs' OPTIONS (${options})`
  const login = `'username' 'reader', 'password' '${MARKER}'`
  const secrets = [MARKER, Buffer.from(`reader:${MARKER}`).toString('base64')]

  t.match(await here.state(create('far', "'username' 'reader', 'password' 'x'")), /has answered 401/)
  const headers = { 'content-type': 'application/json', ...ADMIN }
  const response = await here.query({ sql: create('far', login) }, { headers })
  t.equal(response.status, 200)
  t.notMatch(json([...response.headers]), MARKER)
  const id = response.headers.get('x-service-query-id')
  const rest = await fetch(`${here.url}/api/admin/external-tables`, {
    method: 'POST',
    headers,
    body: json({
      name: 'rest',
      location: `service://${host}/obs`,
      file_type: 'REMOTE',
      options: { username: 'reader', password: MARKER },
    }),
  })
  t.equal(rest.status, 200, await rest.text())
  for (const sql of ['SELECT sum(n) AS s FROM far', 'SELECT sum(n) AS s FROM rest'])
    t.same(await here.lines(sql), ['s', '3'])
  t.equal(await here.state('REFRESH far'), null)
  t.same(await here.lines('SELECT sum(n) AS s FROM far'), ['s', '3'])

  const get = async (path: string): Promise<string> =>
    (await fetch(`${here.url}${path}`, { headers: ADMIN })).text()
  const explained = async (route: string): Promise<string> =>
    (
      await fetch(`${here.url}/api/${route}`, { method: 'POST', headers, body: json({ sql: 'FROM far' }) })
    ).text()
  const told = [
    await get(`/api/query/metrics/${id}`),
    await get('/api/admin/table-definition?table_name=far'),
    await get('/api/admin/table-definition?table_name=rest'),
    json(await here.lines('SHOW CREATE TABLE far', ADMIN)),
  ]
  for (const text of told) t.match(text, /[\\"']password[\\"']+ '\*\*\*'/)
  const plans = [await explained('explain-query'), await explained('explain-analyze-query')]
  for (const text of plans) t.match(text, 'Federated')
  const listed = [
    await here.lines('SELECT * FROM service.system.query_metrics', ADMIN),
    await here.lines('SHOW SECRETS', ADMIN),
  ]
  for (const text of [...told, ...plans, json(listed), here.logged()])
    for (const secret of secrets) t.notOk(text.includes(secret))
  t.same(listed[1], ['name,type,scope,option_keys,persistent'], 'no statement can name it')
  const { definition } = JSON.parse(await get('/api/admin/table-definition?table_name=far'))
  t.match(await here.state(definition.replace(' far ', ' copy ')), /write the value/)
  for (const secret of secrets) t.same(filesWith(dataDir, secret), [], 'of the running service')
  await here.close()
  for (const secret of secrets) t.same(filesWith(dataDir, secret), [])
  t.equal(storedLogins(dataDir), 2, 'that of the wrong password is not kept')

  const again = await startHere(t, dataDir, { SERVICE_SECRETS_KEY: `${keyFor('b')},${keyFor('a')}` })
  t.same(await again.lines('SELECT sum(n) AS s FROM far'), ['s', '3'])
  t.equal(await again.state('DROP TABLE rest'), null)
  t.equal(await again.state(create('far', login, 'CREATE OR REPLACE')), null)
  t.equal(await again.state(create('far', login, 'CREATE').replace('TABLE', 'TABLE IF NOT EXISTS')), null)
  await again.close()
  t.equal(storedLogins(dataDir), 1, 'of each table that is there')

  const other = await startHere(t, dataDir, { SERVICE_SECRETS_KEY: keyFor('a') })
  t.match(
    await other.lines('SELECT sum(n) AS s FROM far'),
    /login in the options of the table cannot be decrypted/,
  )
  t.match(other.logged(), 'logins of tables cannot be decrypted')
  t.equal(await other.state('DROP TABLE far'), null)
  await other.close()
  t.equal(storedLogins(dataDir), 0)

  const keyless = await startHere(t, dataDir, {})
  t.match(await keyless.state(create('far', login)), /SERVICE_SECRETS_KEY, the key for that, is not set/)
})

t.test('what a statement that was cut off has left is deleted by the next start', async (t) => {
  const dataDir = join(t.testdir(), 'here')
  const here = await startHere(t, dataDir)
  await here.close()
  const database = new Database(join(dataDir, 'tables', 'catalog.db'))
  database.exec("INSERT INTO logins VALUES ('a', 'service', NULL, '[]', 'x')")
  database.close()
  const again = await startHere(t, dataDir)
  await again.close()
  t.equal(storedLogins(dataDir), 0)
})

t.test('not where it is wrong', async (t) => {
  const here = await startHere(t, join(t.testdir(), 'here'))
  const table = (format: string, location: string, options: string): string =>
    `CREATE EXTERNAL TABLE bob STORED AS ${format} LOCATION '${location}' OPTIONS ${options}`
  const service = (options: string): string => table('REMOTE', 'service://127.0.0.1:1/obs', options)
  const database = (options: string): string => table('POSTGRES', 'obs', options)
  const refused: readonly (readonly [string, RegExp])[] = [
    [service(`('password' '${MARKER}')`), /a login is a username with a password/],
    [service(`('username' 'a')`), /a login is a username with a password/],
    [service(`('username' 'a', 'user' 'a', 'password' '${MARKER}')`), /are the same option/],
    [service(`('token' '${MARKER}', 'user' 'a')`), /not both/],
    [service(`('token' '${MARKER}', 'secret' 'a')`), /give the secret, or a login/],
    [service(`('token' '***')`), /write the value/],
    [service(`('token' '')`), /"token" is empty/],
    [service(`('token' '${MARKER}')`), /127\.0\.0\.1:1 cannot be reached/],
    [database(`('host' '127.0.0.1', 'password' '${MARKER}')`), /which user of the database is meant/],
    [database(`('password' '${MARKER}', 'pass' '${MARKER}')`), /are the same option/],
    [database(`('connection_string' '${MARKER}')`), /"connection_string" is none/],
    [database(`('connection_string' 'host=a sslcert=${MARKER}')`), /has another parameter than host/],
    [database(`('connection_string' 'password=${MARKER} password=${MARKER}')`), /gives "password" twice/],
    [database(`('connection_string' 'port=99999 password=${MARKER}')`), /"port" is a number/],
    [database(`('connection_string' 'sslmode=prefer password=${MARKER}')`), /"sslmode" is disable/],
    [database(`('connection_string' 'password=${MARKER}', 'host' 'a')`), /has "host" in it/],
    [
      database(`('connection_string' 'postgres://u:${MARKER}@127.0.0.1:1/sea')`),
      /127\.0\.0\.1:1 cannot be reached/,
    ],
  ]
  for (const [sql, message] of refused) t.match(await here.state(sql), message, sql)
  const wrong = [
    ...[MARKER, `"${MARKER}"`, `\`${MARKER}\``, `'${MARKER}`, `'a' ${MARKER}`, `'a' '${MARKER}'`].map(
      (value) => service(`('token' ${value})`),
    ),
    service(`(token ${MARKER}, )`),
    database(`('connection_string' 'password=${MARKER}'`),
    database(`(connection_string '${MARKER}' '${MARKER}')`),
    `EXPLAIN ${service(`('token' '${MARKER}')`)}`,
  ]
  const bodies = [...refused.map(([sql]) => sql), ...wrong].map((sql) => json({ sql }))
  const rest = ['REMOTE', 'POSTGRES'].map((file_type) =>
    json({ name: 'bob', location: 'service://127.0.0.1:1/x', file_type, options: { password: MARKER } }),
  )
  for (const body of [...bodies, ...rest, rest[0]?.replace('}}', `}, ${MARKER}}`) ?? '']) {
    const answers = await sentEverywhere(here, body)
    t.same(
      answers.filter((answer) => answer.includes(MARKER)),
      [],
      body,
    )
  }
  t.same(
    here
      .logged()
      .split('\n')
      .filter((line) => line.includes(MARKER)),
    [],
  )
  await here.close()
  t.same(filesWith(here.dataDir, MARKER), [])
  t.equal(storedLogins(here.dataDir), 0)
})
