import t from 'tap'
import { send, startTestServer } from './test-server.ts'

const GET_ROUTES = [
  '/',
  '/api/health',
  '/api/info',
  '/api/list-datasets',
  '/api/datasets',
  '/api/total-datasets',
  '/api/tables',
  '/api/tables-with-schema',
  '/api/catalogs',
  '/api/table-schema?table_name=default',
  '/api/default-table',
  '/api/default-table-schema',
  '/api/query/available-columns',
  '/api/table-functions',
  '/openapi.json',
]

t.test('an unknown path is 404 without a body, whatever was sent to it', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of [
    '/api/nope',
    '/api/admin/nope',
    '/api/tables/',
    '/API/tables',
    '//api/tables',
    '/api',
  ]) {
    for (const method of ['GET', 'POST', 'PROPFIND']) {
      const { message, text } = await send(`${url}${path}`, { method })
      t.equal(message.statusCode, 404, `${method} ${path}`)
      t.equal(text, '')
    }
  }
  const odd = await send(
    `${url}/api/nope`,
    { method: 'POST', headers: { 'content-type': 'odd' } },
    'x'.repeat(3 << 20),
  )
  t.equal(odd.message.statusCode, 404)
})

t.test('a known path with another method is 405 and names the methods', async (t) => {
  const { url } = await startTestServer(t)
  const cases = [
    ['POST', '/api/tables', 'GET,HEAD'],
    ['TRACE', '/api/health', 'GET,HEAD'],
    ['DELETE', '/api/query', 'POST,GET,HEAD'],
    ['GET', '/api/explain-query', 'POST'],
    ['PUT', '/api/query/metrics/whatever', 'GET,HEAD'],
    ['POST', '/api/list-datasets?limit=1', 'GET,HEAD'],
    ['OPTIONS', '/openapi.json', 'GET,HEAD'],
  ] as const
  for (const [method, path, allowed] of cases) {
    const { message, text } = await send(`${url}${path}`, { method })
    t.equal(message.statusCode, 405, `${method} ${path}`)
    t.equal(message.headers.allow, allowed)
    t.equal(text, '')
  }
})

t.test('HEAD answers as GET does, without the body', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of GET_ROUTES) {
    const get = await fetch(url + path)
    const head = await fetch(url + path, { method: 'HEAD' })
    t.equal(get.status, 200, path)
    t.equal(head.status, 200, path)
    t.equal(head.headers.get('content-type'), get.headers.get('content-type'), path)
    t.equal(head.headers.get('content-length'), get.headers.get('content-length'), path)
    t.equal(await head.text(), '', path)
  }
})

t.test('a path that cannot be decoded is 400 in plain text', async (t) => {
  const { url } = await startTestServer(t)
  const { message } = await send(`${url}/api/query/metrics/%zz`, { method: 'GET' })
  t.equal(message.statusCode, 400)
  t.equal(message.headers['content-type'], 'text/plain; charset=utf-8')
})
