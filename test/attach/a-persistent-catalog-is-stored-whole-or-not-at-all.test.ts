import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { STATEMENT_STEPS } from '../../src/main/catalog/steps.ts'
import { changeUntilKilled } from '../catalog/store.ts'
import { NEVER } from '../remotes/remote.ts'
import { catalogAt, hostsOf, openAttached } from './stored.ts'

const MODULE = join(import.meta.dirname, 'attach-until-killed.ts')

async function folderBefore(t: Test): Promise<string> {
  const folder = t.testdir()
  const { attached, close } = await openAttached(folder)
  await attached.put(catalogAt('Changed', 'before'), NEVER)
  await attached.put(catalogAt('other', 'other'), NEVER)
  await attached.put(catalogAt('gone', 'gone', false), NEVER)
  t.same(hostsOf(attached), { Changed: 'before', gone: 'gone', other: 'other' })
  await close()
  return folder
}

for (const [name, step] of Object.entries(STATEMENT_STEPS))
  t.test(`by a process that is killed at step ${step}, ${name}`, async (t) => {
    const folder = await folderBefore(t)
    t.same(await changeUntilKilled(folder, step, MODULE), { signal: 'SIGKILL', printed: '' })
    const { attached, close } = await openAttached(folder)
    const changed = step < STATEMENT_STEPS.committed ? { Changed: 'before' } : { changed: 'after' }
    t.same(hostsOf(attached), { ...changed, other: 'other' })
    t.same(attached.state('other'), { state: 'not_asked', lastError: null })
    t.equal(await attached.drop('CHANGED', NEVER), true)
    await close()
    const again = await openAttached(folder)
    t.same(hostsOf(again.attached), { other: 'other' }, 'it goes on')
    await again.close()
  })

t.test('by a process that is not killed', async (t) => {
  const folder = await folderBefore(t)
  t.same(await changeUntilKilled(folder, 0, MODULE), { signal: null, printed: 'answered' })
  const { attached, close } = await openAttached(folder)
  t.same(hostsOf(attached), { changed: 'after', other: 'other' })
  t.strictSame(attached.find('changed'), catalogAt('changed', 'after'))
  await close()
})

t.test('to a disk that cannot be written to: nothing is changed', async (t) => {
  const folder = await folderBefore(t)
  const { attached, close } = await openAttached(folder, {
    entry: new URL('../catalog/read-only-writer.ts', import.meta.url),
  })
  for (const change of [
    attached.put(catalogAt('new', 'new'), NEVER),
    attached.put(catalogAt('other', 'after', false), NEVER),
    attached.drop('other', NEVER).then(() => undefined),
  ])
    await t.rejects(change, { code: 'catalog_unwritable' })
  t.same(hostsOf(attached), { Changed: 'before', other: 'other' })
  await close()
})

t.test('one that ends with the process takes the place of a stored one', async (t) => {
  const folder = await folderBefore(t)
  const { attached, close } = await openAttached(folder)
  await attached.put(catalogAt('changed', 'after', false), NEVER)
  const gone = AbortSignal.abort()
  await t.rejects(attached.put(catalogAt('other', 'after'), gone), { name: 'AbortError' })
  await t.rejects(attached.put(catalogAt('other', 'after', false), gone), { name: 'AbortError' })
  await t.rejects(attached.drop('other', gone), { name: 'AbortError' })
  t.same(hostsOf(attached), { changed: 'after', other: 'other' })
  await close()
  const again = await openAttached(folder)
  t.same(hostsOf(again.attached), { other: 'other' })
  await again.close()
})

t.test('one that cannot be read is left out, and may be replaced or dropped', async (t) => {
  const folder = await folderBefore(t)
  const edit = (sql: string): void => {
    const database = new Database(join(folder, 'catalog.db'))
    database.exec(sql)
    database.close()
  }
  const copy = (key: string, column: string, value: string): string =>
    `INSERT INTO attached SELECT '${key}', '${key}', ${['address', 'secret', 'tables']
      .map((each) => (each === column ? `'${value}'` : each))
      .join(', ')} FROM attached WHERE key = 'other'`
  edit(
    [
      copy('a', 'address', 'nothing'),
      copy('b', 'address', '{"kind":"service","host":1}'),
      copy('c', 'tables', '[{"schema":"public"}]'),
      copy('d', 'tables', '{}'),
      copy('e', 'address', 'null'),
      copy('service', 'secret', 's'),
    ].join(';'),
  )
  const { attached, unreadable, close } = await openAttached(folder)
  t.same(unreadable, ['a', 'b', 'c', 'd', 'e', 'service'])
  t.same(hostsOf(attached), { Changed: 'before', other: 'other' })
  await attached.put(catalogAt('a', 'after'), NEVER)
  t.equal(await attached.drop('b', NEVER), true)
  t.equal(await attached.drop('b', NEVER), false)
  await close()
  const again = await openAttached(folder)
  t.same(again.unreadable, ['c', 'd', 'e', 'service'])
  t.same(hostsOf(again.attached), { Changed: 'before', a: 'after', other: 'other' })
  await again.close()
})
