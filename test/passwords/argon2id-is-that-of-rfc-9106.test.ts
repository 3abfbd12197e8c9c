import t from 'tap'
import { argon2id, isPassword } from '../../src/main/auth/passwords/hash-password.ts'
import { createHashQueue } from '../../src/main/auth/passwords/hash-queue.ts'

t.test('section 5.3 of RFC 9106 has its tag', async (t) => {
  const tag = await argon2id({
    message: Buffer.alloc(32, 1),
    nonce: Buffer.alloc(16, 2),
    secret: Buffer.alloc(8, 3),
    associatedData: Buffer.alloc(12, 4),
    memory: 32,
    passes: 3,
    parallelism: 4,
    tagLength: 32,
  })
  t.equal(tag.toString('hex'), '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659')
})

/** Of src/test.c in the reference implementation (github.com/P-H-C/phc-winner-argon2). */
const OF_THE_REFERENCE = [
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
]

t.test('hashes of the reference implementation are verified, with costs of their own', async (t) => {
  const queue = createHashQueue()
  const { signal } = new AbortController()
  for (const stored of OF_THE_REFERENCE) {
    t.equal(await isPassword('password', stored, queue, signal), true, stored)
    t.equal(await isPassword('Password', stored, queue, signal), false, stored)
  }
})
