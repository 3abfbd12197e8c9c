import t from 'tap'
import { SUPER_USER, send, startTestServer } from './test-server.ts'

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

t.test('an unknown path is 404, whatever was sent to it', async (t) => {
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
      t.equal(message.headers['content-type'], 'application/json; charset=utf-8')
      t.match(JSON.parse(text), `There is no ${method} ${path}.`)
    }
  }
  const odd = await send(
    `${url}/api/nope`,
    { method: 'POST', headers: { 'content-type': 'odd' } },
    'x'.repeat(3 << 20),
  )
  t.equal(odd.message.statusCode, 404)
})

t.test('with the route that was probably meant', async (t) => {
  const { url } = await startTestServer(t)
  for (const [path, meant] of [
    ['/api/qurey', 'Did you mean POST or GET /api/query? /openapi.json lists all routes.'],
    ['/api/tables/', 'Did you mean GET /api/tables?'],
    ['/API/Tables', 'Did you mean GET /api/tables?'],
    ['/query', 'Did you mean POST or GET /api/query?'],
    ['/api/v1/list_datasets', 'Did you mean GET /api/list-datasets?'],
    ['/api/explain-query/?x=1', 'Did you mean POST /api/explain-query?'],
    ['/health', 'Did you mean GET /api/health?'],
  ] as const)
    t.match(JSON.parse((await send(`${url}${path}`, { method: 'GET' })).text), meant, path)
  const far = await send(`${url}/wp-admin/${'x'.repeat(2000)}`, { method: 'GET' })
  t.match(JSON.parse(far.text), /^There is no GET \/wp-admin\/x{190}…\. \/openapi\.json lists all routes\.$/)
})

t.test('behind a base path it is suggested with it', async (t) => {
  const { url } = await startTestServer(t, { env: { SERVICE_BASE_PATH: '/ocean' } })
  const { text } = await send(`${url}/api/query`, { method: 'POST' })
  t.match(
    JSON.parse(text),
    'Did you mean POST or GET /ocean/api/query? /ocean/openapi.json lists all routes.',
  )
})

t.test('the alias of the super-user shows the path as it was written', async (t) => {
  const { url } = await startTestServer(t)
  const { message, text } = await send(`${url}/admin/api/nope`, { method: 'GET', headers: SUPER_USER })
  t.equal(message.statusCode, 404)
  t.match(JSON.parse(text), 'There is no GET /admin/api/nope.')
  const unknown = await send(`${url}/admin/api/nope`, { method: 'GET' })
  t.equal(unknown.message.statusCode, 401)
  t.equal(unknown.text, '')
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
    ['OPTIONS', '/swagger/', 'GET,HEAD'],
  ] as const
  for (const [method, path, allowed] of cases) {
    const { message, text } = await send(`${url}${path}`, { method })
    t.equal(message.statusCode, 405, `${method} ${path}`)
    t.equal(message.headers.allow, allowed)
    t.equal(message.headers['content-type'], 'application/json; charset=utf-8')
    t.match(JSON.parse(text), `not ${method}.`)
  }
  const { text } = await send(`${url}/api/explain-query`, { method: 'GET' })
  t.equal(JSON.parse(text), '/api/explain-query takes POST, not GET.')
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

t.test('a path that cannot be decoded is 400, and pages may read why', async (t) => {
  const { url } = await startTestServer(t)
  const { message, text } = await send(`${url}/api/query/metrics/%zz`, { method: 'GET' })
  t.equal(message.statusCode, 400)
  t.equal(message.headers['access-control-allow-origin'], '*')
  t.match(JSON.parse(text), '"/api/query/metrics/%zz" cannot be decoded')
})
