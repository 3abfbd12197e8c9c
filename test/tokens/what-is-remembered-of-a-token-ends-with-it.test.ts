import t from 'tap'
import { inSeconds, makeKey } from '../support/token-issuer.ts'
import { startChecks } from './checks.ts'

t.test('a token that was right need not be checked again for a minute', async (t) => {
  const { issuer, check, known, pass } = await startChecks(t)
  const token = await issuer.token()
  t.equal(known(token), null)
  const caller = await check(token)
  t.equal(known(token), caller)
  pass(59)
  t.equal(known(token), caller)
  pass(1)
  t.equal(known(token), null)
})

t.test('nor longer than it lasts', async (t) => {
  const { issuer, status, known, pass } = await startChecks(t)
  const token = await issuer.token({ exp: inSeconds(20) })
  t.equal(await status(token), 200)
  pass(20)
  t.equal(known(token), null)
  t.equal(await status(token), 401)
})

t.test('a token that is not valid yet is right once it is', async (t) => {
  const { issuer, status, pass } = await startChecks(t)
  const token = await issuer.token({ nbf: inSeconds(10) })
  t.equal(await status(token), 401)
  pass(11)
  t.equal(await status(token), 200)
})

t.test('other keys of the issuer end what was verified with those before', async (t) => {
  const { issuer, status, known, pass } = await startChecks(t)
  t.equal(await status(await issuer.token()), 200)
  pass(29)
  const old = await issuer.token({ jti: '2' })
  t.equal(await status(old), 200)
  const key = await makeKey('first')
  const published = issuer.publish
  const early = await issuer.token({ jti: '3' })
  published(key)
  const wrongYet = await issuer.token()
  t.equal(await status(wrongYet), 401, 'signed with another key of the same name')
  pass(1)
  t.equal(await status(wrongYet), 401, 'which is remembered')
  t.equal(await status(await issuer.token({}, { kid: 'none' })), 401, 'for which keys are fetched')
  t.equal(known(old), null)
  t.equal(await status(old), 401)
  t.equal(await status(early), 401)
  t.equal(await status(wrongYet), 200)
})
