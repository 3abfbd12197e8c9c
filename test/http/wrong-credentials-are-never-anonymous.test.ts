import { Readable } from 'node:stream'
import t from 'tap'
import type { Caller } from '../../src/main/auth/caller.ts'
import { answering, basic, post, QUERY_ID, runningQuery, SUPER_USER, startTestServer } from './test-server.ts'

const WRONG = [
  basic('service-admin', 'wrong'),
  basic('nobody', 'service-password'),
  basic('service-admin', ''),
  basic('anonymous', ''),
  'Basic',
  'Basic ',
  `basic ${SUPER_USER.authorization.slice(6)}`,
  `Basic  ${SUPER_USER.authorization.slice(6)}`,
  `${SUPER_USER.authorization}=`,
  `Basic ${Buffer.from('no colon').toString('base64')}`,
  `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
  'Bearer ',
  'Bearer token',
  'Digest username="service-admin"',
  '',
]

t.test('on every route but health they are 401 with an empty body and no dialog', async (t) => {
  const { url } = await startTestServer(t, { queries: answering('rows') })
  for (const authorization of WRONG) {
    const headers = { authorization }
    const answers = [
      await fetch(`${url}/api/tables`, { headers }),
      await fetch(`${url}/api/info`, { headers }),
      await fetch(`${url}/api/list-datasets`, { headers }),
      await fetch(`${url}/api/query/metrics/${QUERY_ID}`, { headers }),
      await fetch(`${url}/api/admin/check`, { headers }),
      await fetch(`${url}/admin/api/health`, { headers }),
      await post(`${url}/api/query`, { sql: 'SELECT 1' }, headers),
    ]
    for (const answer of answers) {
      t.equal(answer.status, 401, `${authorization} ${answer.url}`)
      t.equal(answer.headers.get('www-authenticate'), null)
      t.equal(await answer.text(), '')
    }
    t.equal((await fetch(`${url}/api/health`, { headers })).status, 200)
  }
})

t.test('without credentials a client route runs as anonymous and an admin route is 401', async (t) => {
  const { url } = await startTestServer(t)
  t.equal((await fetch(`${url}/api/tables`)).status, 200)
  const admin = await fetch(`${url}/api/admin/check`)
  t.equal(admin.status, 401)
  t.equal(await admin.text(), '')
  t.equal((await fetch(`${url}/api/admin/table-config`)).status, 401)
})

t.test('a query runs as the one who asked', async (t) => {
  const callers: Caller[] = []
  const queries = {
    run: async (_query: unknown, caller: Caller) => {
      callers.push(caller)
      return runningQuery(Readable.from([]))
    },
  }
  const { url } = await startTestServer(t, { queries })
  await post(`${url}/api/query`, { sql: 'SELECT 1' })
  await post(`${url}/api/query`, { sql: 'SELECT 1' }, SUPER_USER)
  const known = callers.map(({ principal, isSuperUser }) => ({ ...principal, isSuperUser }))
  t.same(known, [
    { source: 'anonymous', name: 'anonymous', isSuperUser: false },
    { source: 'configuration', name: 'service-admin', isSuperUser: true },
  ])
})

t.test('the super-user is whom the settings name, in any script', async (t) => {
  const env = { SERVICE_ADMIN_USERNAME: 'Zoë', SERVICE_ADMIN_PASSWORD: 'p:ä:ss' }
  const { url } = await startTestServer(t, { env })
  const check = (authorization: string) => fetch(`${url}/api/admin/check`, { headers: { authorization } })
  const right = await check(basic('Zoë', 'p:ä:ss'))
  t.equal(right.status, 200)
  t.same(await right.json(), { is_admin: true })
  t.equal((await check(SUPER_USER.authorization)).status, 401)
})

t.test('the notice on table configuration is for the super-user, with and without a table', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of ['/api/admin/table-config', '/api/admin/table-config?table_name=nope']) {
    const answer = await fetch(url + path, { headers: SUPER_USER })
    t.equal(answer.status, 200)
    const body = (await answer.json()) as Record<string, string>
    t.same(Object.keys(body), ['message'])
    t.match(body['message'], /no longer supported/)
  }
})
