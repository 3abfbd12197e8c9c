import { Readable } from 'node:stream'
import t from 'tap'
import type { Caller } from '../../src/main/auth/caller.ts'
import { createDirectory } from '../../src/main/auth/directory/create-directory.ts'
import { createNotingQueue, dropUser, putUser, STAYS } from '../passwords/users.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'
import { until } from '../support/until.ts'
import { basic, post, runningQuery, SUPER_USER, startTestServer } from './test-server.ts'

/** Users who log in, by password. A name ends at the first colon, so a password may have some. */
const USERS = {
  anna: 'secret',
  Anna: 'other',
  colons: ':p:a::',
  empty: '',
  spaces: '  two  ',
  'Zoë Ångström': 'p:ä:ss 密码 🔑',
  long: 'x'.repeat(4000),
}

async function directoryOf(users: Readonly<Record<string, string>>) {
  const directory = createDirectory(EMPTY_DIRECTORY)
  for (const [name, password] of Object.entries(users)) await putUser(directory, name, password)
  return directory
}

t.test('each is the caller of its requests, also of those at the same time', async (t) => {
  const callers: Caller[] = []
  const queries = {
    run: async (_query: unknown, caller: Caller) => {
      callers.push(caller)
      return runningQuery(Readable.from([]))
    },
  }
  const directory = await directoryOf(USERS)
  const { url } = await startTestServer(t, { queries, directory, env: { SERVICE_CACHE_BYTES: '0' } })
  for (const round of ['first', 'remembered']) {
    const answers = await Promise.all(
      Object.entries(USERS).map(([name, password]) =>
        post(
          `${url}/api/query`,
          { sql: `SELECT '${name} ${round}'` },
          { authorization: basic(name, password) },
        ),
      ),
    )
    for (const answer of answers) t.equal(answer.status, 200, await answer.text())
    const asked = callers.splice(0)
    t.same(
      asked.map(({ principal }) => principal.name).toSorted(),
      Object.keys(USERS).toSorted(),
      `each is itself (${round})`,
    )
    for (const { principal, isSuperUser } of asked) {
      t.equal(principal.source, 'stored')
      t.equal(isSuperUser, false)
    }
  }
})

t.test('wrong ones are 401 without a body, a dialog or a difference', async (t) => {
  const { url } = await startTestServer(t, { directory: await directoryOf(USERS) })
  const wrong = [
    basic('anna', 'Secret'),
    basic('anna', 'secret '),
    basic('anna', 'other'),
    basic('anna', ''),
    basic('ANNA', 'secret'),
    basic('anna ', 'secret'),
    basic('colons', 'p:a::'),
    basic('colons', ':p:a:'),
    basic('empty', ':'),
    basic('Zoë Ångström'.normalize('NFD'), USERS['Zoë Ångström']),
    basic('long', 'x'.repeat(3999)),
    basic('long', 'x'.repeat(4001)),
    basic('nobody', 'secret'),
    basic('anonymous', ''),
    basic('service-admin', 'secret'),
  ]
  const seen = new Set<string>()
  for (const authorization of [...wrong, ...wrong]) {
    const answer = await fetch(`${url}/api/tables`, {
      headers: { authorization, origin: 'http://page.example' },
    })
    t.equal(answer.status, 401)
    t.equal(await answer.text(), '')
    t.equal(answer.headers.get('www-authenticate'), null)
    t.equal(answer.headers.get('access-control-allow-origin'), '*')
    seen.add(JSON.stringify([...answer.headers].filter(([name]) => name !== 'date')))
  }
  t.equal(seen.size, 1, 'all headers are the same')
})

t.test('a route of the super-user is 403 for them, and open ones are open', async (t) => {
  const { url } = await startTestServer(t, { directory: await directoryOf(USERS) })
  const headers = { authorization: basic('anna', 'secret') }
  for (const path of ['/api/admin/check', '/admin/api/tables', '/admin/api/health', '/admin/api/nowhere']) {
    const answer = await fetch(url + path, { headers })
    t.equal(answer.status, 403, path)
    t.equal(await answer.text(), '')
    t.equal(answer.headers.get('www-authenticate'), null)
  }
  t.equal((await fetch(`${url}/api/health`, { headers: { authorization: basic('anna', 'x') } })).status, 200)
})

t.test('a dropped user is 401 at once, and a new one of the name has its own password', async (t) => {
  const directory = await directoryOf({ anna: 'secret', ben: 'secret' })
  const { url } = await startTestServer(t, { directory })
  const status = async (name: string, password: string): Promise<number> =>
    (await fetch(`${url}/api/tables`, { headers: { authorization: basic(name, password) } })).status
  t.equal(await status('anna', 'secret'), 200)
  t.equal(await status('ben', 'secret'), 200)
  await dropUser(directory, 'anna')
  t.equal(await status('anna', 'secret'), 401)
  t.equal(await status('ben', 'secret'), 200)
  await putUser(directory, 'anna', 'new')
  t.equal(await status('anna', 'secret'), 401)
  t.equal(await status('anna', 'new'), 200)
})

t.test('more than can wait are 503 with Retry-After and no body; who leaves makes room', async (t) => {
  const hashes = createNotingQueue({ running: 1, waiting: 1 })
  const directory = await directoryOf({ anna: 'secret' })
  const { url } = await startTestServer(t, { directory, hashes })
  const end = hashes.hold()
  const ask = (password: string, client = STAYS): Promise<Response> =>
    fetch(`${url}/api/tables`, { headers: { authorization: basic('anna', password) }, signal: client })
  const running = ask('a')
  await until('a hash is being made', () => hashes.lanes.length === 1)
  const client = new AbortController()
  const waiting = ask('b', client.signal)
  await until('another one waits', () => hashes.asked === 2)
  const refused = await ask('secret')
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '1')
  t.equal(await refused.text(), '')
  t.equal(refused.headers.get('www-authenticate'), null)
  t.match(refused.headers.get('access-control-expose-headers'), /Retry-After/)
  for (const headers of [{}, SUPER_USER])
    t.equal((await fetch(`${url}/api/tables`, { headers })).status, 200, 'who needs no hash is answered')
  client.abort()
  await t.rejects(waiting)
  await until('its place is free', () => hashes.failed === 1)
  const right = ask('secret')
  await until('it waits', () => hashes.asked === 3)
  end()
  t.equal((await running).status, 401)
  t.equal((await right).status, 200)
  t.equal(hashes.lanes.length, 2, 'no hash was made for who has left')
})

t.test('a user is not created while no more passwords can wait', async (t) => {
  const hashes = createNotingQueue({ running: 1, waiting: 0 })
  const directory = await directoryOf({})
  const { url } = await startTestServer(t, { directory, hashes })
  const end = hashes.hold()
  const authorization = basic('anna', 'a')
  const running = fetch(`${url}/api/tables`, { headers: { authorization } })
  await until('a hash is being made', () => hashes.lanes.length === 1)
  const sql = "CREATE USER anna WITH PASSWORD 'secret'"
  const refused = await post(`${url}/api/query`, { sql }, SUPER_USER)
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '1')
  const message: unknown = await refused.json()
  t.type(message, 'string')
  t.notMatch(message, /anna|secret/)
  end()
  t.equal((await running).status, 401)
  t.equal(directory.snapshot().users.has('anna'), false)
})
