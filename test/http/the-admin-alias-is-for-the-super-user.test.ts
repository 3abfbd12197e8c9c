import t from 'tap'
import { answering, basic, post, SUPER_USER, send, startTestServer } from './test-server.ts'

t.test('every path under it, known or not, is 401 without right credentials', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of [
    '/admin/api/info',
    '/admin/api/health',
    '/admin/api/nope',
    '/admin/api/',
    '/admin/api/admin/check',
  ])
    for (const headers of [{}, { authorization: basic('service-admin', 'wrong') }]) {
      const answer = await fetch(url + path, { headers })
      t.equal(answer.status, 401, path)
      t.equal(await answer.text(), '')
    }
  const { message } = await send(`${url}/admin/api/query`, { method: 'POST' }, 'x'.repeat(3 << 20))
  t.equal(message.statusCode, 401, 'before the body is looked at')
})

t.test('with them it answers as the plain path does', async (t) => {
  const { url } = await startTestServer(t, { queries: answering('rows') })
  for (const path of [
    '/api/health',
    '/api/tables',
    '/api/admin/check',
    '/api/table-schema?table_name=default',
  ]) {
    const plain = await fetch(url + path, { headers: SUPER_USER })
    const aliased = await fetch(`${url}/admin${path}`, { headers: SUPER_USER })
    t.equal(aliased.status, 200, path)
    t.equal(await aliased.text(), await plain.text(), path)
  }
  const query = await post(`${url}/admin/api/query`, { sql: 'SELECT 1' }, SUPER_USER)
  t.equal(await query.text(), 'rows')
})

t.test('with them an unknown path is 404 and a wrong method 405', async (t) => {
  const { url } = await startTestServer(t)
  t.equal((await fetch(`${url}/admin/api/nope`, { headers: SUPER_USER })).status, 404)
  t.equal((await fetch(`${url}/admin/api/admin/api/info`, { headers: SUPER_USER })).status, 404)
  const { message } = await send(`${url}/admin/api/health`, { method: 'TRACE', headers: SUPER_USER })
  t.equal(message.statusCode, 405)
  t.equal(message.headers.allow, 'GET,HEAD')
})

t.test('beside the API there is nothing under /admin', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of ['/admin', '/admin/', '/admin/api', '/admin/login', '/admin/openapi.json'])
    t.equal((await fetch(url + path)).status, 404, path)
})

t.test('no spelling of the path gets past the gate', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of [
    '/%61dmin/api/info',
    '/admin/%61pi/info',
    '/api/%61dmin/check',
    '/api/admin%2Fcheck',
    '//admin/api/info',
  ]) {
    const { message } = await send(url, { method: 'GET', path })
    t.ok([401, 404].includes(message.statusCode ?? 0), `${path}: ${message.statusCode}`)
  }
  const absolute = await send(url, { method: 'GET', path: `${url}/admin/api/admin/check` })
  t.not(absolute.message.statusCode, 200)
})
