import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { makeKey } from '../support/token-issuer.ts'
import { startChecks } from './checks.ts'

t.test('one request for keys serves all tokens for the life of the keys', async (t) => {
  const { issuer, status, pass } = await startChecks(t)
  const tokens = await Promise.all(Array.from({ length: 64 }, (_, at) => issuer.token({ jti: String(at) })))
  t.same(new Set(await Promise.all(tokens.map(status))), new Set([200]))
  t.equal(issuer.fetches, 1)
  pass(200)
  t.equal(await status(await issuer.token()), 200)
  t.equal(issuer.fetches, 1)
  pass(100)
  t.equal(await status(await issuer.token()), 200)
  t.equal(issuer.fetches, 2)
})

t.test('a new key is 401 until keys may be fetched again, and 200 then', async (t) => {
  const { issuer, status, pass } = await startChecks(t)
  const old = await issuer.token()
  t.equal(await status(old), 200)
  issuer.publish(await makeKey('second'))
  const token = await issuer.token()
  t.equal(await status(token), 401)
  t.equal(issuer.fetches, 1)
  pass(30)
  t.same(await Promise.all([status(token), status(await issuer.token({ jti: '2' }))]), [200, 200])
  t.equal(issuer.fetches, 2)
  t.equal(await status(old), 401, 'the issuer has taken back the first key')
})

t.test('tokens with keys that do not exist do not keep the issuer busy', async (t) => {
  const { issuer, status, pass } = await startChecks(t)
  const right = await issuer.token()
  const wrong = await Promise.all(
    Array.from({ length: 20 }, (_, at) => issuer.token({}, { kid: `none-${at}` })),
  )
  t.same(new Set(await Promise.all(wrong.map(status))), new Set([401]))
  for (const token of wrong) t.equal(await status(token), 401)
  t.equal(issuer.fetches, 1)
  pass(30)
  for (const token of wrong) t.equal(await status(token), 401)
  t.equal(issuer.fetches, 2)
  t.equal(await status(right), 200)
})

t.test('without keys the answer is 503, and a later one finds the issuer', async (t) => {
  const { issuer, check, status, pass, log } = await startChecks(t)
  const token = await issuer.token()
  const broken: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'closes the connection': (response) => response.destroy(),
    'has an error': (response) => response.writeHead(500).end('{"keys":[]}'),
    'sends a page': (response) => response.end('<html></html>'),
    'sends no list of keys': (response) => response.end('{"keys":{}}'),
    'sends no objects': (response) => response.end('{"keys":[null]}'),
    'sends no text': (response) => response.end(Buffer.from([0xff])),
    'sends more than 256 KiB': (response) => response.end(`{"keys":[],"x":"${'x'.repeat(1 << 18)}"}`),
    'breaks off': (response) =>
      response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
    'redirects to itself': (response) => response.writeHead(302, { location: issuer.jwksUrl }).end(),
  }
  let fetches = 0
  for (const [what, answer] of Object.entries(broken)) {
    issuer.answerWith(answer)
    t.same(await check(token), { status: 503, retrySecs: 5 }, what)
    pass(4)
    t.same(await check(token), { status: 503, retrySecs: 1 }, what)
    t.equal(issuer.fetches, ++fetches, 'nor asked again within five seconds')
    pass(1)
  }
  t.equal(
    log.filter(({ msg }) => msg === 'the keys of the issuer of tokens could not be fetched').length,
    fetches,
  )
  issuer.answerWith(null)
  t.equal(await status(token), 200)
})

t.test('an issuer that is not there is 503', async (t) => {
  const { issuer, check, log } = await startChecks(t)
  const token = await issuer.token()
  await issuer.close()
  t.match(await check(token), { status: 503 })
  t.match(log, [{ reason: /fetch failed: .*ECONNREFUSED/ }])
})

t.test('while the issuer is away, kept keys answer until their life ends', async (t) => {
  const { issuer, status, check, pass } = await startChecks(t)
  t.equal(await status(await issuer.token()), 200)
  issuer.answerWith((response) => response.writeHead(500).end())
  pass(299)
  t.equal(await status(await issuer.token({ jti: '2' })), 200)
  t.same(
    await check(await issuer.token({}, { kid: 'other' })),
    { status: 503, retrySecs: 30 },
    'it may be a new key',
  )
  pass(1)
  t.match(await check(await issuer.token({ jti: '3' })), { status: 503 })
  issuer.answerWith(null)
  pass(30)
  t.equal(await status(await issuer.token({ jti: '3' })), 200)
})

t.test('before the life of keys ends they are fetched without anybody waiting', async (t) => {
  const { issuer, status, pass } = await startChecks(t)
  t.equal(await status(await issuer.token()), 200)
  pass(225)
  const asked = Promise.withResolvers<ServerResponse>()
  issuer.answerWith(asked.resolve)
  t.equal(await status(await issuer.token({ jti: '2' })), 200)
  const response = await asked.promise
  t.equal(await status(await issuer.token({ jti: '3' })), 200)
  response.end('{"keys":[]}')
  await once(response, 'close')
  t.equal(issuer.fetches, 2)
})

t.test('who leaves does not wait for an issuer that hangs', async (t) => {
  const { issuer, check } = await startChecks(t)
  const asked = Promise.withResolvers<ServerResponse>()
  issuer.answerWith(asked.resolve)
  const leaving = new AbortController()
  const left = check(await issuer.token(), leaving.signal)
  const stays = check(await issuer.token({ jti: '2' }))
  const response = await asked.promise
  leaving.abort(new Error('left'))
  await t.rejects(left, { message: 'left' })
  issuer.answerWith(null)
  response.writeHead(500).end()
  t.match(await stays, { status: 503 })
  t.equal(issuer.fetches, 1)
})

t.test('requests wait for an issuer that hangs for so long and no longer', async (t) => {
  const { issuer, check } = await startChecks(t, {}, { fetchMs: 1 })
  issuer.answerWith(() => {})
  t.match(await check(await issuer.token()), { status: 503 })
})

t.test('a life of less than 30 s is kept', async (t) => {
  const { issuer, status, pass } = await startChecks(t, { SERVICE_OIDC_JWKS_CACHE_TTL_SECS: '2' })
  const token = await issuer.token()
  t.equal(await status(token), 200)
  issuer.publish(await makeKey('second'))
  pass(61)
  t.equal(await status(token), 401)
  t.equal(await status(await issuer.token()), 200)
})
