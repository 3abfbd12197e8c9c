import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import type { Caller } from '../../src/main/auth/caller.ts'
import { createDirectory } from '../../src/main/auth/directory/create-directory.ts'
import type { DirectoryChange, Rule } from '../../src/main/auth/directory/directory.ts'
import { putUser, STAYS } from '../passwords/users.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'
import { makeKey, signed, startIssuer } from '../support/token-issuer.ts'
import { basic, post, QUERY_ID, runningQuery, SUPER_USER, startTestServer } from './test-server.ts'

const ALL: Rule = { effect: 'grant', target: { kind: 'all' } }
const NO_SECRETS: Rule = { effect: 'deny', target: { kind: 'path', glob: 'secret/**' } }

async function start(t: Test, env: Readonly<Record<string, string>> = {}) {
  const issuer = await startIssuer()
  t.teardown(() => issuer.close())
  const directory = createDirectory(EMPTY_DIRECTORY)
  const callers: Caller[] = []
  const queries = {
    run: async (_query: unknown, caller: Caller) => {
      callers.push(caller)
      return runningQuery(Readable.from([]))
    },
  }
  const { url } = await startTestServer(t, {
    env: { ...issuer.settings, SERVICE_AUTH_ENFORCE: 'true', SERVICE_CACHE_BYTES: '0', ...env },
    directory,
    queries,
  })
  return {
    url,
    issuer,
    change: (...changes: readonly DirectoryChange[]) => directory.change(() => changes, STAYS),
    putUser: (name: string, password: string, roles?: readonly string[]) =>
      putUser(directory, name, password, roles),
    /** The caller of a query with a header. */
    async caller(authorization: string): Promise<Caller> {
      const answer = await post(`${url}/api/query`, { sql: 'SELECT 1' }, { authorization })
      const [caller] = callers.splice(0)
      if (answer.status !== 200 || caller === undefined) throw new Error(`The status is ${answer.status}.`)
      return caller
    },
  }
}

t.test('a right token is the caller of its requests, first and later', async (t) => {
  const { issuer, caller } = await start(t)
  const token = await issuer.token()
  for (const time of ['first', 'remembered']) {
    const { principal, isSuperUser } = await caller(`Bearer ${token}`)
    t.same(principal, { source: 'token', issuer: issuer.issuer, name: 'ann' }, time)
    t.equal(isSuperUser, false)
  }
})

t.test('a wrong one is 401 with no body on every route but the open ones', async (t) => {
  const { url, issuer } = await start(t)
  const right = await issuer.token()
  const forged = await signed(await makeKey('first'), {
    iss: issuer.issuer,
    exp: 2 ** 33,
    preferred_username: 'ann',
  })
  const headers = [forged, '', ` ${right}`, `${right},`, `${right} ${right}`, 'token'].map(
    (token) => `Bearer ${token}`,
  )
  for (const authorization of [...headers, `bearer ${right}`, `BEARER ${right}`, `Token ${right}`, right]) {
    const init = { headers: { authorization } }
    for (const answer of [
      await fetch(`${url}/api/tables`, init),
      await fetch(`${url}/api/query/metrics/${QUERY_ID}`, init),
      await fetch(`${url}/api/admin/check`, init),
      await fetch(`${url}/admin/api/nope`, init),
      await post(`${url}/api/query`, { sql: 'SELECT 1' }, init.headers),
    ]) {
      t.equal(answer.status, 401, `${authorization.slice(0, 10)} ${answer.url}`)
      t.equal(answer.headers.get('www-authenticate'), null)
      t.equal(await answer.text(), '')
    }
    t.equal((await fetch(`${url}/api/health`, init)).status, 200)
  }
})

t.test('while the keys cannot be fetched it is 503 with no body, and says when to come again', async (t) => {
  const { url, issuer } = await start(t)
  issuer.answerWith((response) => response.writeHead(500).end())
  const authorization = `Bearer ${await issuer.token()}`
  const answer = await fetch(`${url}/api/tables`, { headers: { authorization } })
  t.equal(answer.status, 503)
  t.equal(answer.headers.get('retry-after'), '5')
  t.equal(await answer.text(), '')
  t.equal((await fetch(`${url}/api/tables`)).status, 200, 'others are answered')
  t.equal((await fetch(`${url}/api/admin/check`, { headers: SUPER_USER })).status, 200)
})

t.test('without an issuer in the settings every token is 401', async (t) => {
  const { issuer } = await start(t)
  const { url } = await startTestServer(t)
  const authorization = `Bearer ${await issuer.token()}`
  t.equal((await fetch(`${url}/api/tables`, { headers: { authorization } })).status, 401)
  t.equal(issuer.fetches, 0)
})

t.test('whatever its name, it is neither a stored user, nor anonymous, nor the super-user', async (t) => {
  const { url, issuer, caller, change, putUser } = await start(t)
  await change({ kind: 'put_role', role: { name: 'all', rules: [ALL] } })
  await change({ kind: 'put_user', user: { name: 'anonymous', password: null, roles: ['all'] } })
  await putUser('ann', 'secret', ['all'])
  const others = [await caller(basic('ann', 'secret')), await caller(SUPER_USER.authorization)]
  for (const name of ['ann', 'anonymous', 'service-admin']) {
    const authorization = `Bearer ${await issuer.token({ preferred_username: name })}`
    const { principal, isSuperUser, rights, key } = await caller(authorization)
    t.equal(principal.source, 'token', name)
    t.equal(isSuperUser, false)
    t.same(rights.rules, [], 'it has no roles')
    t.equal(rights.isEverything, false)
    for (const other of others) t.not(key, other.key)
    for (const path of ['/api/admin/check', '/admin/api/tables', '/admin/api/nope'])
      t.equal((await fetch(url + path, { headers: { authorization } })).status, 403, path)
    const statement = await post(`${url}/api/query`, { sql: 'SHOW CREATE TABLE t' }, { authorization })
    t.equal(statement.status, 400)
    t.match(await statement.text(), /super-user/)
  }
})

t.test('its roles are those of the claim that exist, as a list or as words', async (t) => {
  const { issuer, caller, change } = await start(t)
  await change({ kind: 'put_role', role: { name: 'all', rules: [ALL] } })
  await change({ kind: 'put_role', role: { name: 'no secrets', rules: [NO_SECRETS] } })
  const rules = async (claims: object) =>
    (await caller(`Bearer ${await issuer.token({ ...claims })}`)).rights.rules
      .map(({ effect }) => effect)
      .toSorted()
  t.same(await rules({ realm_access: { roles: ['all', 'no secrets', 'unknown', 7] } }), ['deny', 'grant'])
  t.same(await rules({ realm_access: { roles: 'unknown all no secrets' } }), ['grant'])
  t.same(await rules({ 'realm_access.roles': ['all'] }), ['grant'])
  t.same(await rules({ realm_access: { roles: ['ALL', 'all '] } }), [])
  t.same(await rules({ realm_access: ['all'], roles: ['all'] }), [])
  t.same(await rules({}), [])
})

t.test('the settings name the claims', async (t) => {
  const { issuer, caller, change } = await start(t, {
    SERVICE_OIDC_ROLES_CLAIM: 'https://example.org/roles',
    SERVICE_OIDC_USERNAME_CLAIM: 'profile.mail',
  })
  await change({ kind: 'put_role', role: { name: 'all', rules: [ALL] } })
  const token = await issuer.token({
    profile: { mail: 'ann@example.org' },
    'https://example.org/roles': 'all',
  })
  const { principal, rights } = await caller(`Bearer ${token}`)
  t.equal(principal.name, 'ann@example.org')
  t.same(rights.rules, [ALL])
})

t.test('the next request sees a change of its roles', async (t) => {
  const { issuer, caller, change } = await start(t)
  const authorization = `Bearer ${await issuer.token({ realm_access: { roles: ['all'] } })}`
  const before = await caller(authorization)
  t.same(before.rights.rules, [])
  await change({ kind: 'put_role', role: { name: 'all', rules: [ALL] } })
  const granted = await caller(authorization)
  t.same(granted.rights.rules, [ALL])
  t.not(granted.key, before.key)
  await change({ kind: 'put_role', role: { name: 'all', rules: [ALL, NO_SECRETS] } })
  t.same((await caller(authorization)).rights.rules.length, 2)
  await change({ kind: 'drop_role', name: 'all' })
  const after = await caller(authorization)
  t.same(after.rights.rules, [])
  t.equal(after.key, before.key, 'with the same rights it finds what was kept for it before')
})

t.test(
  'two tokens of one user with other roles have other keys, and with the same ones the same',
  async (t) => {
    const { issuer, caller, change } = await start(t)
    await change({ kind: 'put_role', role: { name: 'all', rules: [ALL] } })
    const keyOf = async (claims: object) => (await caller(`Bearer ${await issuer.token({ ...claims })}`)).key
    const none = await keyOf({})
    const all = await keyOf({ realm_access: { roles: ['all'] } })
    t.not(none, all)
    t.equal(await keyOf({ jti: '2', realm_access: { roles: 'unknown all' } }), all)
  },
)

t.test('without enforcement it reads everything, and the gates stay', async (t) => {
  const { url, issuer, caller } = await start(t, { SERVICE_AUTH_ENFORCE: 'false' })
  const authorization = `Bearer ${await issuer.token()}`
  t.equal((await caller(authorization)).rights.isEverything, true)
  t.equal((await fetch(`${url}/api/admin/check`, { headers: { authorization } })).status, 403)
})
