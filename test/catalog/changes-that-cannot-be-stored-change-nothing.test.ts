import t, { type Test } from 'tap'
import { until } from '../support/until.ts'
import { put } from './definitions.ts'
import { locations, openInFolder } from './store.ts'

const NEVER = new AbortController().signal

/** Opens a catalog with one table over a thread in this folder, and closes it after the test. */
async function openWith(t: Test, entry: string) {
  const folder = t.testdir()
  const lines: string[] = []
  const catalog = await openInFolder(folder, {
    entry: new URL(entry, import.meta.url),
    log: { error: (_, message) => lines.push(message) },
  })
  return { folder, lines, catalog }
}

const long = (name: string) => put(name, 'x'.repeat(100_000))

t.test('a full disk', async (t) => {
  const { folder, catalog } = await openWith(t, './full-writer.ts')
  await catalog.change([put('kept')], NEVER)
  const before = catalog.snapshot()
  await t.rejects(catalog.change([put('other'), long('long')], NEVER), {
    code: 'no_space',
    message:
      'Nothing has changed, because the catalog could not be written: database or disk is full: free some space on its disk.',
  })
  t.equal(catalog.snapshot(), before)
  await catalog.change([put('small')], NEVER)
  await catalog.close()
  const again = await openInFolder(folder)
  t.same(locations(again), { kept: 'a.csv', small: 'a.csv' })
  await again.close()
})

t.test('a disk that cannot be written to', async (t) => {
  const { folder, catalog } = await openWith(t, './read-only-writer.ts')
  await t.rejects(catalog.change([put('other')], NEVER), {
    code: 'catalog_unwritable',
    message:
      'Nothing has changed, because the catalog could not be written: attempt to write a readonly database: let the service write to the file and its folder.',
  })
  t.same(locations(catalog), {})
  await catalog.close()
  const again = await openInFolder(folder)
  t.same(locations(again), {})
  await again.close()
})

t.test('a client that leaves before the commit leaves nothing', async (t) => {
  const folder = t.testdir()
  const catalog = await openInFolder(folder)
  const client = new AbortController()
  const first = catalog.change([put('first')], NEVER)
  const left = catalog.change([put('left')], client.signal)
  const last = catalog.change([put('last')], NEVER)
  client.abort()
  await t.rejects(left, { name: 'AbortError' })
  await Promise.all([first, last])
  t.same(locations(catalog), { first: 'a.csv', last: 'a.csv' })
  await catalog.close()
  const again = await openInFolder(folder)
  t.same(locations(again), { first: 'a.csv', last: 'a.csv' })
  await again.close()
})

t.test('a thread that dies is replaced, and the statement is stored by the next one', async (t) => {
  const { folder, catalog, lines } = await openWith(t, './once-dying-writer.ts')
  await catalog.change([put('first')], NEVER)
  await catalog.change([put('second')], NEVER)
  t.same(lines, ['the thread that writes the catalog died'])
  t.ok(catalog.isOpen)
  await catalog.close()
  const again = await openInFolder(folder)
  t.same(locations(again), { first: 'a.csv', second: 'a.csv' })
  await again.close()
})

t.test('a thread that dies without a statement is replaced, so that the file stays locked', async (t) => {
  const folder = t.testdir()
  const lines: string[] = []
  const catalog = await openInFolder(folder, {
    entry: new URL('./dying-when-told-writer.ts', import.meta.url),
    log: { error: (_, message) => lines.push(message) },
  })
  await until('another thread has the database', () => lines.length > 0 && catalog.isOpen)
  t.same(lines, ['the thread that writes the catalog died'])
  await t.rejects(openInFolder(folder), { message: /database is locked/ })
  await catalog.change([put('t')], NEVER)
  await catalog.close()
})

t.test('what is being stored when the service stops is stored', async (t) => {
  const folder = t.testdir()
  const catalog = await openInFolder(folder)
  const changes = ['a', 'b', 'c'].map((name) => catalog.change([put(name)], NEVER))
  await catalog.close()
  await Promise.all(changes)
  const again = await openInFolder(folder)
  t.same(Object.keys(locations(again)), ['a', 'b', 'c'])
  await again.close()
})
