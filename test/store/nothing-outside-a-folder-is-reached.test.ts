// In a process of its own: it names a socket by its descriptor.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLocalStores } from '../../src/workers/store/local-stores.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { foundFolder, MARKER } from './folder.ts'

const openStore = createLocalStores()

function storeIn(t: Test, files: object = {}): { readonly folder: string; readonly store: Store } {
  const root = t.testdir({
    store: { [MARKER]: '{}', a: { b: { 0: 'chunk' } }, ...files },
    outside: { secret: 'x' },
  })
  const folder = join(root, 'store')
  const store = openStore(foundFolder(folder), createStopwatch())
  t.teardown(() => store[Symbol.dispose]())
  return { folder, store }
}

t.test('a key is names of files below the folder and nothing else', async (t) => {
  const { store } = storeIn(t, { 'a%2F..': 'percent', 'a\\b': 'backslash', '...': 'dots' })
  const textOf = (key: string) => store.open(key)?.read(0, 2)
  t.equal(store.open('a/b/0')?.size, 5)
  for (const key of ['a%2F..', 'a\\b', '...']) t.ok(textOf(key), key)
  for (const key of [
    '/',
    '.',
    '..',
    '../outside/secret',
    'a/../../outside/secret',
    'a/./b/0',
    './a/b/0',
    'a//b/0',
    'a/b/',
    '/etc/hostname',
    'a\0b',
    '\ud800',
    'a/'.repeat(3000),
  ])
    t.throws(() => store.open(key), { code: 'unreadable_file', message: /"data\/store" .* names no object/ })
  t.equal(store.open(''), null, 'it is no file')
  t.equal(store.open('%2e%2e/outside/secret'), null, 'a percent sign is a character')
  t.throws(() => store.open('x'.repeat(300)), { code: 'unreadable_file', message: /ENAMETOOLONG/ })
})

t.test('no symbolic link inside is followed, wherever it leads', async (t) => {
  const { folder, store } = storeIn(t)
  symlinkSync('../outside', join(folder, 'out'))
  symlinkSync('../outside/secret', join(folder, 'file'))
  symlinkSync('b', join(folder, 'a/c'))
  symlinkSync('0', join(folder, 'a/b/1'))
  symlinkSync('nowhere', join(folder, 'a/b/2'))
  const refused = { code: 'unreadable_file', message: /symbolic link/ }
  for (const key of ['out/secret', 'out/nothing', 'file', 'a/c/0', 'a/c/nothing', 'a/b/1', 'a/b/2'])
    t.throws(() => store.open(key), refused, key)
  t.ok(store.open('a/b/0'))
})

t.test('a folder that becomes a link while it is read leads where it led', async (t) => {
  const { folder, store } = storeIn(t)
  const chunk = store.open('a/b/0')
  execFileSync('mv', [join(folder, 'a'), join(folder, 'moved')])
  mkdirSync(join(folder, '../outside/b'))
  writeFileSync(join(folder, '../outside/b/0'), 'other')
  symlinkSync('../outside', join(folder, 'a'))
  t.equal(Buffer.from(chunk?.read(0, 5) ?? []).toString(), 'chunk')
  t.throws(() => store.verify(), { code: 'file_changed', message: /"data\/store\/a\/b\/0"/ })
})

t.test('what is not a regular file is refused, and does not block the worker', async (t) => {
  const { folder, store } = storeIn(t)
  execFileSync('mkfifo', [join(folder, 'pipe')])
  // The path of a socket has at most 107 bytes.
  const descriptor = openSync(folder, 'r')
  const server = createServer().listen(`/proc/self/fd/${descriptor}/socket`)
  await new Promise((resolve) => server.once('listening', resolve))
  t.teardown(() => {
    server.close()
    closeSync(descriptor)
  })
  t.throws(() => store.open('pipe'), { code: 'unreadable_file', message: /"data\/store\/pipe" is a pipe/ })
  t.throws(() => store.open('socket'), { code: 'unreadable_file', message: /a device or socket/ })
  t.throws(() => store.open('a'), { code: 'unreadable_file', message: /"data\/store\/a" is a folder/ })
  t.equal(store.open('pipe/0'), null)
  t.equal(store.open(`${MARKER}/0`), null)
  store.verify()
})
