import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import t from 'tap'
import { ed25519Signature, SIGNED_BYTES } from '../../src/main/remotes/mysql/ed25519.ts'
import { PASSWORD } from '../postgres/server.ts'
import { addressOf, NEVER, SUPER, startRemotes } from '../remotes/remote.ts'
import { fc } from '../support/generate.ts'
import { CHALLENGE, packet, startFakeServer } from './fake-server.ts'
import { skipWithoutMysql, startMysql } from './server.ts'

const challenges = fc.uint8Array({ minLength: SIGNED_BYTES, maxLength: SIGNED_BYTES })

t.test('of 32 bytes as Ed25519 signs', async () => {
  const passwords = fc.string({ unit: fc.constantFrom(...'abcXYZ019 ~'), minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(passwords, challenges, (password, challenge) => {
      // PKCS #8 with the 32 bytes at its end.
      const der = Buffer.concat([
        Buffer.from('302e020100300506032b657004220420', 'hex'),
        Buffer.from(password),
      ])
      const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
      return ed25519Signature(password, challenge).equals(sign(null, challenge, key))
    }),
    { numRuns: 25 },
  )
})

t.test('by the key that the documentation of MariaDB has for a password', async () => {
  const key = createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from('ZIgUREUg5PVgQ6LskhXmO+eZLS0nC8be6HPjYWR4YJY=', 'base64'),
    ]),
    format: 'der',
    type: 'spki',
  })
  fc.assert(
    fc.property(challenges, (challenge) =>
      verify(null, challenge, key, ed25519Signature('secret', challenge)),
    ),
    { numRuns: 10 },
  )
})

t.test('and log in', { skip: skipWithoutMysql() }, async (t) => {
  const there = await startMysql(t, ['--plugin-load-add=auth_ed25519'])
  there.run(`CREATE USER signer@'%' IDENTIFIED VIA ed25519 USING PASSWORD('${PASSWORD}');
    CREATE USER nobody@'%' IDENTIFIED VIA ed25519 USING PASSWORD('ünï');
    CREATE TABLE obs (id int); GRANT SELECT ON sea.* TO signer@'%'; GRANT SELECT ON sea.* TO nobody@'%'`)
  const remotes = startRemotes(t)
  const clientOf = (user: string, password: string) =>
    remotes.open({ ...addressOf(there.port), kind: 'mysql', database: 'sea', user }, { password }, SUPER)
  for (const [user, password] of [
    ['signer', PASSWORD],
    ['nobody', 'ünï'],
  ] as const) {
    const client = clientOf(user, password)
    t.same(
      (await client.listTables(NEVER)).map(({ name }) => name),
      ['obs'],
    )
    client.close()
  }
  for (const password of ['wrong', ''])
    await t.rejects(clientOf('signer', password).check(NEVER), {
      code: 'remote_refused',
      message: /has refused the login/,
    })
})

t.test('nothing that is no challenge', async (t) => {
  for (const challenge of [Buffer.alloc(0), CHALLENGE]) {
    const heard: Buffer[] = []
    const server = await startFakeServer(
      t,
      [],
      () => {},
      undefined,
      (socket, said, number) => {
        heard.push(said)
        if (heard.length === 1)
          socket.write(
            packet(number + 1, Buffer.concat([Buffer.from('\xfeclient_ed25519\0', 'latin1'), challenge])),
          )
        return false
      },
    )
    const client = startRemotes(t).open(
      { ...server.address, sslMode: 'disable' },
      { password: PASSWORD },
      SUPER,
    )
    await t.rejects(client.check(NEVER), { code: 'remote_refused', message: /no packet of MySQL/ })
    t.equal(heard.length, 1)
  }
})
