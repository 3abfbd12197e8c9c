import { join } from 'node:path'
import t, { type Test } from 'tap'
import { STATEMENT_STEPS } from '../../src/main/catalog/steps.ts'
import type { StoredCatalogOptions } from '../../src/main/catalog/store/open-stored-catalog.ts'
import { changeUntilKilled, openInFolder } from '../catalog/store.ts'
import { keyFor } from './keys.ts'
import { loginOf, passwordsOf } from './logins.ts'
import { keysOf } from './opened.ts'

const NEVER = new AbortController().signal
const MODULE = join(import.meta.dirname, 'change-secrets-until-killed.ts')

const open = (folder: string, options: Partial<StoredCatalogOptions> = {}) =>
  openInFolder(folder, { secretsKey: keysOf(keyFor('a')), ...options })

async function folderBefore(t: Test): Promise<string> {
  const folder = t.testdir()
  const { secrets, close } = await open(folder)
  await secrets.put(loginOf('changed', 'before'), NEVER)
  await secrets.put(loginOf('other', 'other'), NEVER)
  await close()
  return folder
}

for (const [name, step] of Object.entries(STATEMENT_STEPS))
  t.test(`by a process that is killed at step ${step}, ${name}`, async (t) => {
    const folder = await folderBefore(t)
    t.same(await changeUntilKilled(folder, step, MODULE), { signal: 'SIGKILL', printed: '' })
    const { secrets, close } = await open(folder)
    const changed = step < STATEMENT_STEPS.committed ? 'before' : 'after'
    t.same(passwordsOf(secrets), { changed, other: 'other' })
    await secrets.drop('changed', false, NEVER)
    t.same(passwordsOf(secrets), { other: 'other' }, 'it goes on')
    await close()
  })

t.test('by a process that is not killed', async (t) => {
  const folder = await folderBefore(t)
  t.same(await changeUntilKilled(folder, 0, MODULE), { signal: null, printed: 'answered' })
  const { secrets, close } = await open(folder)
  t.same(passwordsOf(secrets), { changed: 'after', other: 'other' })
  await close()
})

t.test('to a disk that cannot be written to: nothing is changed', async (t) => {
  const folder = await folderBefore(t)
  const { secrets, close } = await open(folder, {
    entry: new URL('../catalog/read-only-writer.ts', import.meta.url),
  })
  for (const change of [
    secrets.put(loginOf('changed', 'after'), NEVER),
    secrets.put(loginOf('changed', 'after', false), NEVER),
    secrets.drop('other', false, NEVER),
  ])
    await t.rejects(change, { code: 'catalog_unwritable' })
  t.same(passwordsOf(secrets), { changed: 'before', other: 'other' })
  await close()
})

t.test('by a client that leaves before: nothing is changed, and what is asked for later is', async (t) => {
  const folder = t.testdir()
  const { secrets, close } = await open(folder)
  const client = new AbortController()
  const first = secrets.put(loginOf('first', '1'), NEVER)
  const left = secrets.put(loginOf('left', '2'), client.signal)
  const temporary = secrets.put(loginOf('temporary', '2', false), client.signal)
  const last = secrets.put(loginOf('last', '3'), NEVER)
  client.abort()
  await t.rejects(left, { name: 'AbortError' })
  await t.rejects(temporary, { name: 'AbortError' })
  await Promise.all([first, last])
  t.same(passwordsOf(secrets), { first: '1', last: '3' })
  await close()
})

t.test('by a thread that dies: the next one stores it', async (t) => {
  const folder = await folderBefore(t)
  const messages: string[] = []
  const { secrets, close } = await open(folder, {
    entry: new URL('../catalog/once-dying-writer.ts', import.meta.url),
    log: { error: (_, message) => messages.push(message) },
  })
  await secrets.put(loginOf('new', 'n'), NEVER)
  await secrets.drop('other', false, NEVER)
  t.same(messages, ['the thread that writes the catalog died'])
  await close()
  const again = await open(folder)
  t.same(passwordsOf(again.secrets), { changed: 'before', new: 'n' })
  await again.close()
})

t.test('that is being made when the service stops: it is stored', async (t) => {
  const folder = t.testdir()
  const { secrets, close } = await open(folder)
  const changes = ['a', 'b', 'c'].map((name) => secrets.put(loginOf(name, name), NEVER))
  await close()
  await Promise.all(changes)
  const again = await open(folder)
  t.same(passwordsOf(again.secrets), { a: 'a', b: 'b', c: 'c' })
  await again.close()
})
