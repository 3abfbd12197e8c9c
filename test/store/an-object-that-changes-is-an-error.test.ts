import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLocalStores } from '../../src/workers/store/local-stores.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { changedAt, MARKER, objectAt, plannedFolder, touch } from './folder.ts'

const openStore = createLocalStores()
/** A second, in nanoseconds. */
const LATER = 1_000_000_000n

const changed = (name: string) => ({ code: 'file_changed', message: new RegExp(`"data/store.*${name}"`) })

/** A store with one document. Its query was planned this many nanoseconds after the last change. */
function planned(t: Test, later: bigint): { readonly folder: string; open(): Store } {
  const folder = t.testdir({ [MARKER]: '{}', doc: 'd', c: { 0: 'chunk', 1: 'other' } })
  const file = plannedFolder(folder, ['doc'], changedAt(join(folder, 'c/1')) + later)
  return {
    folder,
    open() {
      const store = openStore(file, createStopwatch())
      t.teardown(() => store[Symbol.dispose]())
      return store
    },
  }
}

t.test('objects are read as they were planned, and recorded', async (t) => {
  const { folder, open } = planned(t, LATER)
  const store = open()
  t.equal(Buffer.from(store.open('c/0')?.read(1, 3) ?? []).toString(), 'hun')
  t.equal(store.open('c/9'), null)
  t.equal(store.open('d/0'), null)
  t.equal(store.open('doc')?.size, 1)
  t.equal(store.open(MARKER)?.size, 2)
  store.open('c/0')
  store.verify()
  t.strictSame(
    store.objects(),
    ['c/0', 'c/9', 'd/0'].map((key) => objectAt(join(folder, key))),
    'each once, absent ones too, without the documents',
  )
  const chunk = store.open('c/0')
  t.throws(() => chunk?.read(0, 6), { code: 'unreadable_file', message: /"data\/store\/c\/0" is damaged/ })
  t.throws(() => chunk?.read(-1, 1), RangeError)
})

t.test('one that changes while it is read', async (t) => {
  for (const [key, change] of [
    ['c/0', (at: string) => writeFileSync(at, 'CHUNK')],
    ['c/0', (at: string) => appendFileSync(at, '!')],
    ['c/0', (at: string) => rmSync(at)],
    ['c/0', (at: string) => renameSync(at, `${at}.old`)],
    ['c/9', (at: string) => writeFileSync(at, 'new')],
    ['d/0', (at: string) => mkdirSync(join(at, '..')) ?? writeFileSync(at, 'new')],
    ['doc', touch],
    [MARKER, touch],
  ] as const)
    await t.test(key, async (t) => {
      const { folder, open } = planned(t, LATER)
      const store = open()
      const source = store.open(key)
      store.verify()
      store.open(key)
      change(join(folder, key))
      t.throws(() => store.verify(), changed(key))
      if (key === 'c/0') t.throws(() => source?.read(0, 5), { code: 'file_changed' })
    })
})

t.test('a document that changes is found though it is not opened', async (t) => {
  const { folder, open } = planned(t, LATER)
  const store = open()
  rmSync(join(folder, 'doc'))
  t.throws(() => store.verify(), changed('doc'))
  t.throws(() => store.open('doc'), changed('doc'))
})

t.test('one that changed after the query was planned', async (t) => {
  const { open } = planned(t, 0n)
  const store = open()
  t.throws(() => store.open('c/0'), changed('c/0'))
  t.throws(() => store.open('c/1'), changed('c/1'))
  t.throws(() => store.open('c/9'), changed('c'), 'it may have been there')
  t.ok(store.open('doc'), 'documents are the ones that were planned')
})

t.test('a folder that replaces another one, and has only old files', async (t) => {
  const { folder, open } = planned(t, -LATER)
  touch(join(folder, 'c'))
  t.throws(() => open().open('c/0'), { code: 'file_changed' })
  const root = t.testdir({ a: { [MARKER]: '{}' }, b: { [MARKER]: '{}' } })
  const file = plannedFolder(join(root, 'a'), [], BigInt(Date.now()) * 1_000_000n + LATER)
  using store = openStore(file, createStopwatch())
  renameSync(join(root, 'a'), join(root, 'c'))
  renameSync(join(root, 'b'), join(root, 'a'))
  t.throws(() => store.verify(), changed(MARKER))
})

t.test('what was made of an object can be used while that is the same', async (t) => {
  const { folder, open } = planned(t, LATER)
  const [there, absent] = ['c/0', 'c/9'].map((key) => objectAt(join(folder, key)))
  if (!there || !absent) throw new Error('no objects')
  const store = open()
  t.equal(store.isStill(there), true)
  t.equal(store.isStill(absent), true)
  t.strictSame(store.objects(), [there, absent])
  writeFileSync(there.location, 'CHUNK')
  writeFileSync(absent.location, 'new')
  t.equal(store.isStill(there), true, 'for one task it is what it was')
  const next = open()
  t.equal(next.isStill(there), false)
  t.equal(next.isStill(absent), false)
})
