import type { GenerateKeyPairAlgorithm } from 'jose'
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import t from 'tap'
import { type Claims, inSeconds, makeKey, signed } from '../support/token-issuer.ts'
import { startChecks } from './checks.ts'

t.test('a token of the issuer is right, by each algorithm whose keys are public', async (t) => {
  const { issuer, check, pass } = await startChecks(t)
  const algorithms: readonly GenerateKeyPairAlgorithm[] = [
    ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
    ...(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const),
  ]
  for (const algorithm of algorithms) {
    issuer.publish(await makeKey(algorithm, algorithm))
    pass(30)
    const caller = await check(await issuer.token())
    t.match(
      caller,
      { principal: { source: 'token', issuer: issuer.issuer, name: 'ann' }, isSuperUser: false },
      algorithm,
    )
  }
})

t.test('what a token has to say is checked', async (t) => {
  const { issuer, status } = await startChecks(t, { SERVICE_OIDC_AUDIENCE: 'halocline' })
  const right = { aud: 'halocline' }
  t.equal(await status(await issuer.token(right)), 200)
  t.equal(await status(await issuer.token({ aud: ['other', 'halocline'] })), 200)
  t.equal(await status(await issuer.token({ ...right, nbf: inSeconds(-5) })), 200)
  const wrong: Readonly<Record<string, Claims>> = {
    expired: { exp: inSeconds(-1) },
    'not yet valid': { nbf: inSeconds(60) },
    'without an end': { exp: undefined },
    'with an end in words': { exp: 'never' },
    'of another issuer': { iss: 'https://example.org' },
    'of nearly the same issuer': { iss: `${issuer.issuer}/` },
    'of a list of issuers': { iss: [issuer.issuer] },
    'of no issuer': { iss: undefined },
    'for another audience': { aud: 'other' },
    'for nobody': { aud: undefined },
    'without a name': { preferred_username: undefined },
    'with an empty name': { preferred_username: '' },
    'with a number for a name': { preferred_username: 7 },
    'with half a character for a name': { preferred_username: '\ud800' },
  }
  for (const [what, claims] of Object.entries(wrong))
    t.equal(await status(await issuer.token({ ...right, ...claims })), 401, what)
})

t.test('without an audience in the settings any is right', async (t) => {
  const { issuer, status } = await startChecks(t)
  t.equal(await status(await issuer.token({ aud: 'other' })), 200)
  t.equal(await status(await issuer.token()), 200)
})

t.test('nobody but the issuer makes tokens', async (t) => {
  const { issuer, status, pass } = await startChecks(t)
  const key = await makeKey('rsa', 'RS256')
  issuer.publish(key)
  const claims = { iss: issuer.issuer, exp: inSeconds(3600), preferred_username: 'ann' }
  const right = await signed(key, claims)
  t.equal(await status(right), 200)
  const [header = '', payload = '', signature = ''] = right.split('.')
  const other = Buffer.from(JSON.stringify({ ...claims, preferred_username: 'bob' })).toString('base64url')
  const forger = { ...(await makeKey('rsa', 'RS256')) }
  const publicKey = await importJWK(key.jwk, 'RS256')
  if (!('type' in publicKey)) throw new Error('The key is none.')
  const secrets = [
    await exportSPKI(publicKey),
    (await exportSPKI(publicKey)).trim(),
    JSON.stringify(key.jwk),
    key.jwk.n ?? '',
  ].map((text) => new TextEncoder().encode(text))
  const hmac = (secret: Uint8Array, alg: string) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: 'rsa' }).sign(secret)
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'rsa' })).toString('base64url')
  const forged: Readonly<Record<string, string>> = {
    'signed with another key of the same name': await signed(forger, claims),
    'with its own key in the header': await signed(forger, claims, { jwk: forger.jwk }),
    'with the address of its own keys': await signed(forger, claims, { jku: 'http://127.0.0.1:1/certs' }),
    'other claims under the signature': `${header}.${other}.${signature}`,
    'other header over the signature': `${none}.${payload}.${signature}`,
    'without a signature': `${header}.${payload}.`,
    unsecured: new UnsecuredJWT(claims).encode(),
    none: `${none}.${payload}.`,
    'none, in capitals': `${Buffer.from('{"alg":"NONE"}').toString('base64url')}.${payload}.`,
    'by an extension that nobody knows': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'rsa', crit: ['exp'], exp: 1 })
      .sign(key.privateKey, { crit: { exp: true } }),
    'two parts': `${header}.${payload}`,
    'five parts': `${right}.${payload}.${signature}`,
    'a space before': ` ${right}`,
    'a space behind': `${right} `,
    'no base64url': `${header}.${payload}.${signature.slice(0, -2)}+/`,
    'no token': 'token',
    dots: '..',
    empty: '',
  }
  for (const [what, token] of Object.entries(forged)) t.equal(await status(token), 401, what)
  for (const secret of secrets)
    for (const algorithm of ['HS256', 'HS384', 'HS512'])
      t.equal(await status(await hmac(secret, algorithm)), 401, `${algorithm} under the public key`)
  // Also if the issuer has a secret among its keys, which it should not publish.
  const secret = { kty: 'oct', kid: 'rsa', k: Buffer.alloc(32, 1).toString('base64url') }
  issuer.publish({ ...key, jwk: secret })
  pass(301)
  t.equal(await status(await hmac(Buffer.alloc(32, 1), 'HS256')), 401)
  t.equal(await status(right), 401)
})

t.test('a token of more than 16 KiB is refused unread', async (t) => {
  const { issuer, status } = await startChecks(t)
  const token = await issuer.token({ roles: 'r'.repeat(16_384) })
  t.equal(await status(token), 401)
  t.equal(issuer.fetches, 0)
})

t.test('no line of the log has any part of a token', async (t) => {
  const { issuer, status, log, pass } = await startChecks(t)
  const claims = { preferred_username: 'sentinel-name', roles: 'sentinel-role' }
  const tokens = [
    await issuer.token({ ...claims, exp: inSeconds(-1) }),
    await issuer.token({ ...claims, iss: 'sentinel-issuer' }),
    await issuer.token({ ...claims, nbf: inSeconds(60) }),
    await issuer.token(claims, { kid: 'sentinel-key' }),
    await issuer.token(claims, { alg: 'ES256', typ: 'sentinel' }),
    await signed(await makeKey('first'), { ...claims, iss: issuer.issuer, exp: inSeconds(60) }),
  ]
  for (const answer of [null, (response: { end(text: string): void }) => response.end('sentinel: no JSON')]) {
    issuer.answerWith(answer)
    pass(400)
    for (const token of tokens) await status(token)
  }
  const text = JSON.stringify(log)
  t.match(text, /a token was refused/)
  t.notMatch(text, /sentinel-/)
  for (const token of tokens) for (const part of token.split('.')) t.notOk(text.includes(part))
})
