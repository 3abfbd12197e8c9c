import t, { type Test } from 'tap'
import { createCaller } from '../../src/main/auth/caller.ts'
import { applyChanges } from '../../src/main/auth/directory/directory.ts'
import type { Principal } from '../../src/main/auth/principal.ts'
import { EVERYTHING, rightsOf } from '../../src/main/auth/rights/rights.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { EMPTY_DIRECTORY } from '../support/empty-directory.ts'
import { type EnforcedService, GRANT_ALL, refusal, startEnforced } from './enforced.ts'

type Headers = Readonly<Record<string, string>>

const QUERIES = [
  { from: 'secret', select: ['n'] },
  { from: 'secret', select: ['n'], output: { format: 'csv' } },
  { sql: 'SELECT n FROM over_secret' },
  { sql: 'SELECT n + 0 AS m FROM secret', output: { format: 'csv' } },
  { sql: "SELECT count(*) AS n FROM read_csv('b.csv')" },
]

async function started(t: Test): Promise<EnforcedService> {
  // Long enough to be coded.
  const rows = Array.from({ length: 2000 }, (_, index) => index).join('\n')
  const service = await startEnforced(t, { 'a.csv': 'n\n1\n', 'b.csv': `n\n${rows}\n` })
  await service.admin("CREATE EXTERNAL TABLE open STORED AS CSV LOCATION 'a.csv'")
  await service.admin("CREATE EXTERNAL TABLE secret STORED AS CSV LOCATION 'b.csv'")
  await service.admin('CREATE VIEW over_secret AS SELECT n FROM secret')
  return service
}

function pathOf(query: object): string {
  return `/api/query?q=${encodeURIComponent(JSON.stringify(query))}`
}

async function get(service: EnforcedService, query: object, headers: Headers, method = 'GET') {
  const response = await fetch(service.url + pathOf(query), { method, headers })
  const text = await response.text()
  return { status: response.status, tag: response.headers.get('etag'), text }
}

t.test('no caller has the key of another', async (t) => {
  const principals: readonly Principal[] = [
    { source: 'configuration', name: 'anonymous' },
    { source: 'anonymous', name: 'anonymous' },
    { source: 'stored', name: 'anonymous' },
    { source: 'token', issuer: 'https://a.example', name: 'anonymous' },
    { source: 'token', issuer: 'https://b.example', name: 'anonymous' },
    { source: 'token', issuer: 'https://a.example', name: 'anonymous ' },
    { source: 'token', issuer: '', name: 'anonymous' },
  ]
  const directory = applyChanges(EMPTY_DIRECTORY, [
    { kind: 'put_role', role: { name: 'r', rules: [GRANT_ALL] } },
  ])
  const rights = [EVERYTHING, rightsOf(directory, [], true), rightsOf(directory, ['r'], true)]
  const keys = principals.flatMap((principal) =>
    rights.flatMap((each) =>
      [true, false].map((isSuper) => createCaller({ ...principal }, isSuper, each).key),
    ),
  )
  t.equal(new Set(keys).size, keys.length)
})

t.test('what was kept for one caller is not given to another, and not told to be unchanged', async (t) => {
  const service = await started(t)
  const allowed = await service.user('allowed', 'GRANT SELECT ON ALL')
  const refused = await service.user('refused', 'GRANT SELECT ON TABLE open')
  for (const query of QUERIES)
    for (const coding of [{}, { 'accept-encoding': 'gzip' }, { 'accept-encoding': 'zstd' }])
      for (const warm of [SUPER_USER, allowed]) {
        const first = await get(service, query, { ...warm, ...coding })
        t.equal(first.status, 200, JSON.stringify(query))
        const again = await get(service, query, { ...warm, ...coding, 'if-none-match': first.tag ?? '' })
        t.equal(again.status, 304)
        for (const other of [refused, {}])
          for (const known of [{}, { 'if-none-match': first.tag ?? '' }, { 'if-none-match': '*' }]) {
            const { status, tag } = await get(service, query, { ...other, ...coding, ...known })
            t.same({ status, tag }, { status: 400, tag: null }, JSON.stringify(query))
            const head = await get(service, query, { ...other, ...coding, ...known }, 'HEAD')
            t.same({ status: head.status, tag: head.tag }, { status: 400, tag: null })
          }
      }
})

t.test('a changed role is seen by the next request, also by one that asks again', async (t) => {
  const service = await started(t)
  const user = await service.user('user', 'GRANT SELECT ON ALL')
  const other = await service.user('other', 'GRANT SELECT ON ALL')
  const tags = new Map<object, string>()
  for (const query of QUERIES) tags.set(query, (await get(service, query, user)).tag ?? '')
  for (const query of QUERIES)
    t.equal((await get(service, query, { ...user, 'if-none-match': tags.get(query) ?? '' })).status, 304)
  for (const [deny, undo] of [
    ['DENY SELECT ON ALL TO ROLE "role of user"', 'REVOKE DENY SELECT ON ALL FROM ROLE "role of user"'],
    ['REVOKE SELECT ON ALL FROM ROLE "role of user"', 'GRANT SELECT ON ALL TO ROLE "role of user"'],
    ['REVOKE ROLE "role of user" FROM USER user', 'GRANT ROLE "role of user" TO USER user'],
  ] as const) {
    await service.admin(deny)
    for (const query of QUERIES) {
      for (const known of [{}, { 'if-none-match': tags.get(query) ?? '' }])
        t.equal(
          (await get(service, query, { ...user, ...known })).status,
          400,
          `${deny}: ${JSON.stringify(query)}`,
        )
      t.equal((await get(service, query, other)).status, 200, 'of no concern to others')
    }
    await service.admin(undo)
    for (const query of QUERIES) t.equal((await get(service, query, user)).status, 200, undo)
  }
})

t.test('a stream that runs may end, and the next request is refused', async (t) => {
  const service = await started(t)
  const user = await service.user('user', 'GRANT SELECT ON ALL')
  const body = { sql: 'SELECT s.n + r.range AS n FROM secret s, range(20000) r', output: { format: 'csv' } }
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...user },
    body: JSON.stringify(body),
  }
  const response = await fetch(`${service.url}/api/query`, init)
  t.equal(response.status, 200)
  const reader = response.body?.getReader()
  t.ok((await reader?.read())?.value?.length)
  await service.admin('DENY SELECT ON TABLE secret TO ROLE "role of user"')
  t.same(await service.asked(body, user), { status: 400, text: refusal('secret') })
  t.ok((await reader?.read())?.value?.length, 'the stream goes on')
  await reader?.cancel()
})

t.test('of two who ask the same at once, the one who may not is refused', async (t) => {
  const service = await started(t)
  const allowed = await service.user('allowed', 'GRANT SELECT ON ALL')
  const refused = await service.user('refused', 'GRANT SELECT ON TABLE over_secret')
  for (let round = 0; round < 5; round++)
    for (const query of [...QUERIES, { sql: `SELECT sum(n) + ${round} AS n FROM over_secret` }]) {
      const asking = [allowed, refused, {}, allowed, refused, {}, SUPER_USER]
      const answers = await Promise.all(asking.map((headers) => service.asked(query, headers)))
      t.same(
        answers.map(({ status }) => status),
        [200, 400, 400, 200, 400, 400, 200],
        JSON.stringify(query),
      )
    }
})
