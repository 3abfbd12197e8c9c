import t from 'tap'
import { claimAt, nameIn, rolesIn } from '../../src/main/auth/tokens/verify-token.ts'
import { fc, generator } from '../support/generate.ts'
import { makeKey } from '../support/token-issuer.ts'
import { startChecks } from './checks.ts'

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'

t.test('a changed, cut or spliced token is refused, or is the same one in another spelling', async (t) => {
  const { issuer, check } = await startChecks(t)
  issuer.publish(await makeKey('ec', 'ES256'), await makeKey('rsa', 'RS256'))
  const below = generator('tokens')
  const tokens = [
    await issuer.token(),
    await issuer.token({ preferred_username: 'bob', realm_access: { roles: ['a'] } }),
  ]
  const pick = (of: string): string => of[below(of.length)] ?? ''
  const changes: readonly ((token: string, other: string) => string)[] = [
    (token) => {
      const at = below(token.length)
      return token.slice(0, at) + pick(CHARACTERS) + token.slice(at + 1)
    },
    (token) => token.slice(0, below(token.length)),
    (token) => token.slice(below(token.length) + 1),
    (token) => token + pick(CHARACTERS),
    (token) => {
      const at = below(token.length)
      return token.slice(0, at) + pick(CHARACTERS) + token.slice(at)
    },
    (token, other) => {
      const [parts, others] = [token.split('.'), other.split('.')]
      const at = below(3)
      return parts.map((part, index) => (index === at ? others[at] : part)).join('.')
    },
  ]
  for (let round = 0; round < 600; round++) {
    const at = below(2)
    const [token = '', other = ''] = at === 0 ? tokens : tokens.toReversed()
    const changed = changes[round % changes.length]?.(token, other) ?? ''
    const answer = await check(changed)
    if ('status' in answer) continue
    const decoded = (text: string) =>
      text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'))
    const [right] = [token, other].filter((each) => String(decoded(each)) === String(decoded(changed)))
    if (right === undefined) t.fail(`${changed} is right`)
    else t.same(answer.principal.name, right === tokens[0] ? 'ann' : 'bob')
  }
})

t.test('any claims have roles, a name or none, and nothing is thrown', async (t) => {
  const claims = fc.oneof(
    fc.jsonValue(),
    fc.object({ key: fc.constantFrom('a', 'b', 'a.b', '__proto__', 'constructor') }),
  )
  const path = fc
    .array(fc.constantFrom('a', 'b', '', '__proto__', 'constructor', '0'), { minLength: 1 })
    .map((names) => names.join('.'))
  const property = fc.property(claims, path, (value, at) => {
    const found = claimAt(JSON.parse(JSON.stringify(value)), at)
    const roles = rolesIn(found)
    const name = nameIn(found)
    return (
      roles.every((role, index) => role !== '' && (index === 0 || (roles[index - 1] ?? '') < role)) &&
      (name === null || (name !== '' && name === found))
    )
  })
  t.doesNotThrow(() => fc.assert(property))
})
