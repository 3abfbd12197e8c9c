import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { openValues, sealValues } from '../../src/main/secrets/seal.ts'
import { openInFolder } from '../catalog/store.ts'
import { fc } from '../support/generate.ts'
import { keyFor } from './keys.ts'
import { loginOf, passwordsOf } from './logins.ts'
import { keysOf } from './opened.ts'

const NEVER = new AbortController().signal

/** Changes the database of a folder whose service is stopped, and returns what is sealed in it. */
function edit(folder: string, ...statements: readonly string[]): readonly unknown[] {
  const database = new Database(join(folder, 'catalog.db'))
  for (const statement of statements) database.exec(statement)
  const rows = database.prepare('SELECT sealed FROM secrets ORDER BY name').pluck().all()
  database.close()
  return rows
}

async function folderWith(t: Test): Promise<string> {
  const folder = t.testdir()
  const { secrets, close } = await openInFolder(folder, { secretsKey: keysOf(keyFor('a')) })
  await secrets.put(loginOf('one', 'password of one'), NEVER)
  await secrets.put({ ...loginOf('two', 'password of two'), type: 'postgres', scope: 'here' }, NEVER)
  await close()
  return folder
}

/** The passwords that a service with these keys reads, and the secrets that it logs. */
async function opened(folder: string, ...keys: readonly string[]) {
  const logged: object[] = []
  const { secrets, close } = await openInFolder(folder, {
    secretsKey: keys.length === 0 ? [] : keysOf(...keys),
    log: { error: (details) => logged.push(details) },
  })
  const passwords = passwordsOf(secrets)
  await close()
  return { passwords, logged }
}

const BOTH = { one: 'password of one', two: 'password of two' }
const NONE = { one: 'unreadable_secret', two: 'unreadable_secret' }

t.test('without the key, or with another one, the service starts and none is read', async (t) => {
  const folder = await folderWith(t)
  for (const keys of [[], [keyFor('b')], [keyFor('b'), keyFor('c')]])
    t.same(await opened(folder, ...keys), {
      passwords: NONE,
      logged: [{ secret: 'one' }, { secret: 'two' }],
    })
  t.same(await opened(folder, keyFor('a')), { passwords: BOTH, logged: [] }, 'nothing is lost by that')
})

t.test('a new key before the old one takes its place', async (t) => {
  const folder = await folderWith(t)
  const before = edit(folder)
  t.same(await opened(folder, keyFor('a'), keyFor('b')), { passwords: BOTH, logged: [] })
  t.same(edit(folder), before, 'what the first key opens stays as it is')
  t.same(await opened(folder, keyFor('b'), keyFor('a')), { passwords: BOTH, logged: [] })
  t.same((await opened(folder, keyFor('b'))).passwords, BOTH, 'the old one is no longer needed')
  t.same((await opened(folder, keyFor('a'))).passwords, NONE)
})

t.test('a row that was changed is not read, and can be dropped and replaced', async (t) => {
  for (const statement of [
    `UPDATE secrets SET sealed = (SELECT sealed FROM secrets WHERE name = 'two') WHERE name = 'one'`,
    `UPDATE secrets SET type = 'mysql' WHERE name = 'one'`,
    `UPDATE secrets SET scope = 'elsewhere' WHERE name = 'one'`,
    `UPDATE secrets SET keys = '["username","token"]' WHERE name = 'one'`,
    `UPDATE secrets SET keys = '{' WHERE name = 'one'`,
    `UPDATE secrets SET keys = '[1]' WHERE name = 'one'`,
    `UPDATE secrets SET sealed = '' WHERE name = 'one'`,
    `UPDATE secrets SET sealed = 'AAAA' WHERE name = 'one'`,
    `UPDATE secrets SET sealed = replace(sealed, substr(sealed, 20, 1), CASE substr(sealed, 20, 1) WHEN '/' THEN '+' ELSE '/' END) WHERE name = 'one'`,
    `UPDATE secrets SET sealed = substr(sealed, 1, length(sealed) - 4) WHERE name = 'one'`,
  ]) {
    const folder = await folderWith(t)
    edit(folder, statement)
    const passwords = { one: 'unreadable_secret', two: BOTH.two }
    t.same(await opened(folder, keyFor('a')), { passwords, logged: [{ secret: 'one' }] }, statement)
    const { secrets, close } = await openInFolder(folder, {
      secretsKey: keysOf(keyFor('a')),
      log: { error: () => undefined },
    })
    t.throws(() => secrets.read('one'), { message: /^The secret "one" cannot be decrypted/ })
    await secrets.drop('one', false, NEVER)
    t.same(passwordsOf(secrets), { two: BOTH.two })
    await secrets.put(loginOf('one', 'again'), NEVER)
    await close()
    t.same((await opened(folder, keyFor('a'))).passwords, { ...BOTH, one: 'again' })
  }
  const folder = await folderWith(t)
  edit(folder, `UPDATE secrets SET name = 'three' WHERE name = 'two'`)
  t.same((await opened(folder, keyFor('a'))).passwords, { one: BOTH.one, three: 'unreadable_secret' })
})

t.test('any values come back, by the same head and key alone', async () => {
  const [key, other] = keysOf(keyFor('a'), keyFor('b'))
  if (key === undefined || other === undefined) throw new Error('no keys')
  const head = fc.record({
    name: fc.string({ unit: 'binary' }),
    type: fc.string(),
    scope: fc.option(fc.string()),
    keys: fc.array(fc.string()),
  })
  fc.assert(
    fc.property(head, head, fc.array(fc.string({ unit: 'binary' })), fc.nat(), (one, two, values, at) => {
      const sealed = sealValues(one, values, key)
      const same = JSON.stringify(openValues(one, sealed, key)) === JSON.stringify(values)
      if (!same) throw new Error('not the same')
      if (openValues(one, sealed, other) !== null) throw new Error('opened by another key')
      if (JSON.stringify(one) !== JSON.stringify(two) && openValues(two, sealed, key) !== null)
        throw new Error('opened under another head')
      const bytes = Buffer.from(sealed, 'base64')
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << (at % 8))
      if (openValues(one, bytes.toString('base64'), key) !== null) throw new Error('opened though changed')
      if (sealValues(one, values, key) === sealed) throw new Error('the same nonce twice')
    }),
  )
})
