import { join } from 'node:path'
import t, { type Test } from 'tap'
import { STATEMENT_STEPS } from '../../src/main/catalog/steps.ts'
import { changeUntilKilled, openInFolder } from '../catalog/store.ts'
import { contentOf, putRole, putUser } from './changes.ts'

const NEVER = new AbortController().signal
const MODULE = join(import.meta.dirname, 'change-accounts-until-killed.ts')

const BEFORE = {
  users: { ann: ['changed', 'dropped'], gone: ['dropped'], anonymous: [] },
  roles: { changed: [{ effect: 'grant', target: { kind: 'all' } }], dropped: [] },
}
const AFTER = {
  users: { ann: ['changed', 'new'], new: [], anonymous: [] },
  roles: {
    changed: [{ effect: 'deny', target: { kind: 'path', glob: 'after/*' } }],
    new: [{ effect: 'deny', target: { kind: 'all' } }],
  },
}

/** A folder with the users and roles of `BEFORE`. */
async function folderBefore(t: Test): Promise<string> {
  const folder = t.testdir()
  const { directory, close } = await openInFolder(folder)
  await directory.change(
    () => [
      putRole('changed', { effect: 'grant', target: { kind: 'all' } }),
      putRole('dropped'),
      putUser('ann', 'changed', 'dropped'),
      putUser('gone', 'dropped'),
    ],
    NEVER,
  )
  await close()
  return folder
}

for (const [name, step] of Object.entries(STATEMENT_STEPS))
  t.test(`by a process that is killed at step ${step}, ${name}`, async (t) => {
    const folder = await folderBefore(t)
    t.same(await changeUntilKilled(folder, step, MODULE), { signal: 'SIGKILL', printed: '' })
    const { directory, close } = await openInFolder(folder)
    t.same(contentOf(directory), step < STATEMENT_STEPS.committed ? BEFORE : AFTER)
    await directory.change(() => [putUser('next')], NEVER)
    t.same(contentOf(directory).users['next'], [], 'it goes on')
    await close()
  })

t.test('by a process that is not killed', async (t) => {
  const folder = await folderBefore(t)
  t.same(await changeUntilKilled(folder, 0, MODULE), { signal: null, printed: 'answered' })
  const { directory, close } = await openInFolder(folder)
  t.same(contentOf(directory), AFTER)
  await close()
})

t.test('to a disk that cannot be written to: nothing is changed', async (t) => {
  const folder = await folderBefore(t)
  const { directory, close } = await openInFolder(folder, {
    entry: new URL('../catalog/read-only-writer.ts', import.meta.url),
  })
  const before = directory.snapshot()
  await t.rejects(
    directory.change(() => [putUser('new')], NEVER),
    { code: 'catalog_unwritable' },
  )
  t.equal(directory.snapshot(), before)
  await close()
})

t.test('by a client that leaves before: nothing is changed, and what is asked for later is', async (t) => {
  const folder = t.testdir()
  const { directory, close } = await openInFolder(folder)
  const client = new AbortController()
  const first = directory.change(() => [putUser('first')], NEVER)
  const left = directory.change(() => [putUser('left')], client.signal)
  const last = directory.change(() => [putUser('last')], NEVER)
  client.abort()
  await t.rejects(left, { name: 'AbortError' })
  await Promise.all([first, last])
  t.same(Object.keys(contentOf(directory).users).toSorted(), ['anonymous', 'first', 'last'])
  await close()
})

t.test('by a thread that dies: the next one stores it', async (t) => {
  const folder = await folderBefore(t)
  const messages: string[] = []
  const { directory, close } = await openInFolder(folder, {
    entry: new URL('../catalog/once-dying-writer.ts', import.meta.url),
    log: { error: (_, message) => messages.push(message) },
  })
  await directory.change(() => [{ kind: 'drop_role', name: 'dropped' }], NEVER)
  await directory.change(() => [putUser('new', 'changed')], NEVER)
  t.same(messages, ['the thread that writes the catalog died'])
  await close()
  const again = await openInFolder(folder)
  t.same(contentOf(again.directory).users, { ann: ['changed'], gone: [], new: ['changed'], anonymous: [] })
  await again.close()
})

t.test('that is being made when the service stops: it is stored', async (t) => {
  const folder = t.testdir()
  const { directory, close } = await openInFolder(folder)
  const changes = ['a', 'b', 'c'].map((name) => directory.change(() => [putUser(name)], NEVER))
  await close()
  await Promise.all(changes)
  const again = await openInFolder(folder)
  t.same(Object.keys(contentOf(again.directory).users).toSorted(), ['a', 'anonymous', 'b', 'c'])
  await again.close()
})
