import t from 'tap'
import { claimAt, nameIn, rolesIn } from '../../src/main/auth/tokens/verify-token.ts'

t.test('names joined by dots lead through nested objects', (t) => {
  t.equal(claimAt({ realm_access: { roles: 'a' } }, 'realm_access.roles'), 'a')
  t.equal(claimAt({ a: { b: { c: 1 } } }, 'a.b.c'), 1)
  t.equal(claimAt({ roles: 1 }, 'roles'), 1)
  for (const claims of [{}, { a: null }, { a: 'b' }, { a: ['b'] }, { a: [{ b: 1 }] }, null, 'a', 7])
    t.equal(claimAt(claims, 'a.b'), undefined, JSON.stringify(claims))
  t.end()
})

t.test('a claim whose own name has dots is found where they lead nowhere', (t) => {
  t.equal(claimAt({ 'https://example.org/roles': 'a' }, 'https://example.org/roles'), 'a')
  t.equal(claimAt({ 'a.b': 1 }, 'a.b'), 1)
  t.equal(claimAt({ 'a.b': 1, a: { b: 2 } }, 'a.b'), 2)
  t.equal(claimAt({ 'a.b': 1, a: {} }, 'a.b'), 1)
  t.end()
})

t.test('what every object inherits is no claim', (t) => {
  for (const path of [
    '__proto__',
    'constructor',
    'constructor.name',
    'a.__proto__',
    'a.toString.name',
    'b.length',
    '.',
    'a.',
    '.a',
  ])
    t.equal(claimAt({ a: {}, b: ['x'] }, path), undefined, path)
  t.end()
})

t.test('roles are a list of texts or words', (t) => {
  t.strictSame(rolesIn(['b', 'a', 'b', '', 7, null, ['c'], 'with blanks']), ['a', 'b', 'with blanks'])
  t.strictSame(rolesIn('b a\tb  c\n'), ['a', 'b', 'c'])
  for (const value of [undefined, null, 7, {}, { a: true }, '', ' ', [], true])
    t.strictSame(rolesIn(value), [])
  t.end()
})

t.test('a name is a text of one character at least', (t) => {
  t.equal(nameIn('Zoë 🌊'), 'Zoë 🌊')
  for (const value of ['', undefined, null, 7, ['ann'], { name: 'ann' }, '\udc00'])
    t.equal(nameIn(value), null)
  t.end()
})
