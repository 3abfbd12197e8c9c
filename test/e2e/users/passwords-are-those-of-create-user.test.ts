import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { basic, SUPER_USER } from '../../http/test-server.ts'
import { startTestService, type TestService } from '../service.ts'

const QUERY = { sql: 'SELECT 42 AS answer' }

/** Passwords as a client may choose them, none of which is part of another. */
const PASSWORDS = {
  anna: 'secret-of-anna',
  quotes: `it's "quoted" -- and; /* not */ a comment`,
  colons: ':colons::everywhere:',
  'Zoë Ångström': 'pässwörd 密码 🔑 е́',
  spaces: '   spaces around   ',
  'two words': 'name-with-a-blank',
}

async function asSuperUser({ query }: TestService, sql: string): Promise<void> {
  const headers = { 'content-type': 'application/json', ...SUPER_USER }
  const answer = await query({ sql }, { headers })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`)
}

function createUser(service: TestService, name: string, password: string): Promise<void> {
  return asSuperUser(service, `CREATE USER "${name}" WITH PASSWORD '${password.replaceAll("'", "''")}'`)
}

async function statusOf({ query }: TestService, name: string, password: string): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: basic(name, password) }
  const answer = await query(QUERY, { headers })
  const body = await answer.arrayBuffer()
  if (answer.status === 401 || answer.status === 503) {
    t.equal(body.byteLength, 0, 'has no body')
    t.equal(answer.headers.get('www-authenticate'), null)
    t.equal(answer.headers.get('retry-after'), answer.status === 503 ? '1' : null)
  }
  return answer.status
}

t.test('users log in with what CREATE USER says, also after a restart, and nothing keeps it', async (t) => {
  const first = await startTestService(t)
  for (const [name, password] of Object.entries(PASSWORDS)) await createUser(first, name, password)
  const logIn = async (service: TestService): Promise<void> => {
    const right = Object.entries(PASSWORDS).map(([name, password]) => statusOf(service, name, password))
    t.same(new Set(await Promise.all(right)), new Set([200]))
    const names = Object.keys(PASSWORDS)
    const exchanged = Object.values(PASSWORDS).map((password, index) =>
      statusOf(service, names.at(index - 1) ?? '', password),
    )
    t.same(new Set(await Promise.all(exchanged)), new Set([401]))
  }
  await logIn(first)
  await first.close()
  const second = await startTestService(t, { dataDir: first.dataDir })
  await logIn(second)
  await second.close()
  const files = globSync('**/*', { cwd: first.dataDir }).map((path) => join(first.dataDir, path))
  const kept = files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path))
  t.ok(
    kept.some((bytes) => bytes.includes('$argon2id$v=19$m=19456,t=2,p=1$')),
    'the hashes are stored',
  )
  for (const password of Object.values(PASSWORDS))
    t.notOk(
      kept.some((bytes) => bytes.includes(password) || bytes.includes(password.replaceAll("'", "''"))),
      'no file has the password',
    )
})

t.test('DROP and CREATE change a password at once, for this user alone', async (t) => {
  const service = await startTestService(t)
  await createUser(service, 'anna', 'old')
  await createUser(service, 'ben', 'bens')
  t.equal(await statusOf(service, 'anna', 'old'), 200)
  t.equal(await statusOf(service, 'anna', 'new'), 401)
  t.equal(await statusOf(service, 'ben', 'bens'), 200)
  await asSuperUser(service, 'DROP USER anna')
  t.equal(await statusOf(service, 'anna', 'old'), 401)
  await createUser(service, 'anna', 'new')
  t.equal(await statusOf(service, 'anna', 'old'), 401)
  t.equal(await statusOf(service, 'anna', 'new'), 200)
  t.equal(await statusOf(service, 'ben', 'bens'), 200)
})

t.test('among many wrong passwords those who are known are answered, and later everybody', async (t) => {
  const service = await startTestService(t)
  await createUser(service, 'anna', 'annas')
  await createUser(service, 'ben', 'bens')
  t.equal(await statusOf(service, 'anna', 'annas'), 200)
  const wrong = Array.from({ length: 200 }, (_, index) => statusOf(service, 'ben', `guess ${index}`))
  const known = Array.from({ length: 5 }, () => statusOf(service, 'anna', 'annas'))
  t.same(await Promise.all(known), [200, 200, 200, 200, 200])
  const counts = Object.groupBy(await Promise.all(wrong), (status) => status)
  t.same(Object.keys(counts), ['401', '503'])
  t.ok((counts[503]?.length ?? 0) > 0, 'not all may wait')
  t.equal(await statusOf(service, 'ben', 'bens'), 200)
})
