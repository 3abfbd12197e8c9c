import t from 'tap'
import { hashPassword, isPassword } from '../../src/main/auth/passwords/hash-password.ts'
import { createHashQueue } from '../../src/main/auth/passwords/hash-queue.ts'
import { parseHash, printHash } from '../../src/main/auth/passwords/password-hash.ts'
import { fc } from '../support/generate.ts'

const SALT = Buffer.alloc(16, 7)
const TAG = Buffer.alloc(32, 9)
const COST = { memory: 19_456, passes: 2, lanes: 1 }
const RIGHT = printHash({ cost: COST, salt: SALT, tag: TAG })
const [, , , , salt = '', tag = ''] = RIGHT.split('$')
const { signal } = new AbortController()

t.test('it is printed as other programs read it, and read back', async (t) => {
  t.equal(RIGHT, `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${tag}`)
  t.notMatch(RIGHT, /=$/, 'without padding')
  t.same(parseHash(RIGHT), { cost: COST, salt: SALT, tag: TAG })
  const bytes = (minLength: number) =>
    fc.uint8Array({ minLength, maxLength: 64 }).map((each) => Buffer.from(each))
  const hashes = fc.record({
    cost: fc.record({
      memory: fc.integer({ min: 8 * 64, max: 256 * 1024 }),
      passes: fc.integer({ min: 1, max: 16 }),
      lanes: fc.integer({ min: 1, max: 64 }),
    }),
    salt: bytes(8),
    tag: bytes(16),
  })
  fc.assert(fc.property(hashes, (hash) => t.same(parseHash(printHash(hash)), hash)))
})

const HOSTILE = [
  '',
  '$',
  'password',
  `$argon2i$v=19$m=19456,t=2,p=1$${salt}$${tag}`,
  `$argon2id$m=19456,t=2,p=1$${salt}$${tag}`,
  `$argon2id$v=16$m=19456,t=2,p=1$${salt}$${tag}`,
  `$argon2id$v=19$t=2,m=19456,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=19456,t=2$${salt}$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=1,keyid=a$${salt}$${tag}`,
  `$argon2id$v=19$m=019456,t=2,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=19456,t=+2,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=1e4,t=2,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=-8,t=2,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=7,t=2,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=15,t=2,p=2$${salt}$${tag}`,
  `$argon2id$v=19$m=262145,t=2,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=99999999999999999999,t=2,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=19456,t=0,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=19456,t=17,p=1$${salt}$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=0$${salt}$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=65$${salt}$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=1$$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${salt}$`,
  `$argon2id$v=19$m=19456,t=2,p=1$${salt}`,
  `$argon2id$v=19$m=19456,t=2,p=1$c2hvcnQ$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${salt}$c2hvcnQ`,
  `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(88)}$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${'A'.repeat(100_000)}`,
  // Bits behind the last byte, a length that base64 does not have, and its other alphabet.
  `$argon2id$v=19$m=19456,t=2,p=1$${salt.slice(0, -1)}x$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${salt}AAA$${tag}`,
  `$argon2id$v=19$m=19456,t=2,p=1$${salt.slice(0, -2)}-_$${tag}`,
  `${RIGHT}=`,
  `${RIGHT}\n`,
  ` ${RIGHT}`,
  `${RIGHT}$`,
]

t.test('anything else is no hash, which no password has', async (t) => {
  const queue = createHashQueue()
  for (const text of HOSTILE) {
    t.equal(parseHash(text), null, JSON.stringify(text.slice(0, 80)))
    t.equal(await isPassword('', text, queue, signal), false)
  }
})

t.test('whatever the text is, reading it gives a hash of that text or nothing', async () => {
  const near = fc
    .tuple(fc.nat(RIGHT.length), fc.nat(3), fc.string({ maxLength: 3 }))
    .map(([at, left, put]) => RIGHT.slice(0, at) + put + RIGHT.slice(at + left))
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (text) => {
      const hash = parseHash(text)
      return hash === null || printHash(hash) === text
    }),
    { numRuns: 2000 },
  )
})

t.test('equal passwords have different hashes, and each is the password of its own alone', async (t) => {
  const queue = createHashQueue()
  const passwords = ['', 'a', 'p:ä:ss', '密码 🔑', 'x'.repeat(10_000)]
  for (const password of passwords) {
    const first = await hashPassword(password, queue, signal)
    const second = await hashPassword(password, queue, signal)
    t.not(first, second)
    t.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)
    t.equal(await isPassword(password, first, queue, signal), true)
    t.equal(await isPassword(password, second, queue, signal), true)
    t.equal(await isPassword(`${password} `, first, queue, signal), false)
    t.equal(await isPassword(password, null, queue, signal), false)
  }
})
