import t from 'tap'
import { send, startTestServer } from './test-server.ts'

const page = { origin: 'https://dashboard.example' }

t.test('by default from every origin, errors included', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of ['/api/health', '/api/tables', '/api/nope', '/admin/api/info', '/', '/openapi.json']) {
    const { headers } = await fetch(url + path, { headers: page })
    t.equal(headers.get('access-control-allow-origin'), '*', path)
    t.equal(
      headers.get('access-control-expose-headers'),
      'x-service-query-id,x-service-notice,ETag,Content-Range,Retry-After,Mcp-Session-Id',
      path,
    )
    t.equal(headers.get('access-control-allow-credentials'), null, path)
  }
})

t.test('a preflight is 200 and empty, without credentials', async (t) => {
  const { url } = await startTestServer(t)
  for (const path of ['/api/query', '/api/admin/check', '/admin/api/query', '/api/nope', '/openapi.json']) {
    const { message, text } = await send(`${url}${path}`, {
      method: 'OPTIONS',
      headers: { ...page, 'access-control-request-method': 'POST' },
    })
    t.equal(message.statusCode, 200, path)
    t.equal(text, '')
    t.match(message.headers, {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
      'access-control-allow-headers':
        'Content-Type,Authorization,Cache-Control,If-None-Match,Range,If-Range,Content-Digest,Mcp-Protocol-Version,Mcp-Session-Id',
      'access-control-max-age': '3600',
      vary: 'origin, access-control-request-method, access-control-request-headers',
    })
  }
})

t.test('the pages of an explorer are outside', async (t) => {
  const { url } = await startTestServer(t)
  const { headers } = await fetch(`${url}/swagger/`, { headers: page })
  t.equal(headers.get('access-control-allow-origin'), null)
})

t.test('with a list of origins only those are let in', async (t) => {
  const env = {
    SERVICE_CORS_ALLOWED_ORIGINS: ' https://dashboard.example, http://localhost:3000 ,',
    SERVICE_CORS_ALLOWED_CREDENTIALS: 'true',
    SERVICE_CORS_EXPOSE_HEADERS: 'x-one, x-two',
    SERVICE_NAME: 'ocean',
  }
  const { url } = await startTestServer(t, { env })
  const allowed = await fetch(`${url}/api/health`, { headers: page })
  t.equal(allowed.headers.get('access-control-allow-origin'), page.origin)
  t.equal(allowed.headers.get('access-control-allow-credentials'), 'true')
  t.equal(allowed.headers.get('access-control-expose-headers'), 'x-one,x-two')
  t.equal(allowed.headers.get('vary'), 'origin')
  const other = await fetch(`${url}/api/health`, { headers: { origin: 'https://evil.example' } })
  t.equal(other.headers.get('access-control-allow-origin'), null)
  t.equal(other.headers.get('vary'), 'origin', 'or a cache would mix them up')
})
