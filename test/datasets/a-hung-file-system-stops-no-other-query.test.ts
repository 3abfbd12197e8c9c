import { realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { type FileSystem, hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'
import { describeDatasets, findDatasets } from '../../src/main/datasets/list.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { createSearch } from '../../src/main/datasets/search.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { untilSettled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { networkFileSystem } from './network-file-system.ts'

const never = new AbortController().signal

/** Long enough for any call that does return, on a busy machine too. */
const LIMIT_MS = 500

/** A root with a folder of this machine, and one on a network whose calls may take so long. */
async function start(t: Test, limitMs = LIMIT_MS) {
  const folder = realpathSync(
    t.testdir({
      here: { 'a.csv': 'n\n1\n', 'b.csv': 'n\n2\n', sub: { 'a.csv': 'n\n1\n' } },
      nfs: { 'a.csv': 'n\n3\n', 'b.csv': 'n\n4\n', 'c.csv': 'n\n5\n', sub: { 'a.csv': 'n\n6\n' } },
    }),
  )
  symlinkSync('nfs', join(folder, 'link'))
  symlinkSync('../nfs/c.csv', join(folder, 'here/c.csv'))
  await untilSettled(folder)
  const network = networkFileSystem(join(folder, 'nfs'))
  t.teardown(network.resume)
  const root = await openDatasetRoot(folder, { system: network.system, limitMs, concurrency: 2 })
  const search = createSearch(root)
  const ask = async (...paths: readonly string[]): Promise<string[]> =>
    (await search(paths, EVERYTHING, never)).files.map(({ path }) => path)
  return { folder, root, network, ask }
}

const UNAVAILABLE = { code: 'path_unavailable', message: /not answered/ }

t.test('paths on a network are found as any other', async (t) => {
  const { root, network, ask } = await start(t)
  for (let again = 0; again < 2; again++) {
    t.strictSame(await ask('nfs/*.csv'), ['nfs/a.csv', 'nfs/b.csv', 'nfs/c.csv'])
    t.strictSame(await ask('link/a.csv', 'here/c.csv'), ['link/a.csv', 'here/c.csv'])
    t.strictSame(await ask('**/a.csv'), ['here/a.csv', 'here/sub/a.csv', 'nfs/a.csv', 'nfs/sub/a.csv'])
  }
  await t.rejects(ask('nfs/none.csv'), { code: 'no_files' })
  await t.rejects(ask('link/*/*/*'), { code: 'no_files' })
  const datasets = await findDatasets(root, FORMATS, 'nfs/**', EVERYTHING, never)
  const entries = await describeDatasets(root, datasets, never)
  t.strictSame(
    entries.map(({ file_path, size }) => [file_path, size]),
    ['nfs/a.csv', 'nfs/b.csv', 'nfs/c.csv', 'nfs/sub/a.csv'].map((path) => [path, 4]),
  )
  t.strictSame(network.syncCalls, [])
  t.ok(network.mostPending <= 2)
})

for (const again of [false, true])
  t.test(
    `a path is refused while a call for it hangs${again ? ', also when it was found before' : ''}`,
    async (t) => {
      const { folder, root, network, ask } = await start(t)
      if (again) await ask('nfs/a.csv')
      void network.hang(join(folder, 'nfs/a.csv'))
      await t.rejects(ask('nfs/a.csv'), { ...UNAVAILABLE, message: /^nfs\/a\.csv is on a file system/ })
      const made = network.calls.length
      await t.rejects(ask('nfs/a.csv'), UNAVAILABLE)
      t.equal(network.calls.length, made, 'it is not asked for again')
      t.match(root.files.refusal(join(folder, 'nfs/a.csv')), UNAVAILABLE, 'and no worker opens it')
      t.strictSame(await ask('nfs/b.csv', 'here/a.csv'), ['nfs/b.csv', 'here/a.csv'])
      t.equal(root.files.refusal(join(folder, 'nfs/b.csv')), null)
      network.resume()
      await until('the call has returned', () => root.files.refusal(join(folder, 'nfs/a.csv')) === null)
      t.strictSame(await ask('nfs/a.csv'), ['nfs/a.csv'])
      t.equal(root.files.refusal(join(folder, 'nfs/a.csv')), null)
      t.strictSame(network.syncCalls, [])
    },
  )

t.test('a server that answers nothing costs queries of this machine nothing', async (t) => {
  const { network, ask } = await start(t)
  await ask('here/b.csv')
  void network.hang()
  const asked = ['nfs/a.csv', 'nfs/b.csv', 'nfs/*.csv', 'nfs/', 'link/a.csv', 'here/c.csv', '**/a.csv']
  for (const outcome of await Promise.allSettled(asked.map((path) => ask(path))))
    t.match(outcome, { reason: { code: 'path_unavailable' } })
  t.equal(network.pending, 2, 'no more threads wait for it')
  t.strictSame(await ask('here/b.csv'), ['here/b.csv'], 'one that was found before')
  t.strictSame(await ask('here/sub/', 'here/a*'), ['here/sub/a.csv', 'here/a.csv'], 'and one that was not')
  for (const outcome of await Promise.allSettled(asked.map((path) => ask(path))))
    t.match(outcome, { reason: { code: 'path_unavailable' } })
  t.equal(network.pending, 2)
  network.resume()
  await until('the calls have returned', () => network.pending === 0)
  t.strictSame(await ask('nfs/*.csv'), ['nfs/a.csv', 'nfs/b.csv', 'nfs/c.csv'])
  t.strictSame(network.syncCalls, [])
})

t.test('a listing of a folder that hangs fails, and one beside it does not', async (t) => {
  const { folder, root, network } = await start(t)
  void network.hang(join(folder, 'nfs/sub'))
  await t.rejects(findDatasets(root, FORMATS, 'nfs/**', EVERYTHING, never), UNAVAILABLE)
  t.equal((await findDatasets(root, FORMATS, 'here/**', EVERYTHING, never)).length, 4)
  t.equal((await findDatasets(root, FORMATS, 'nfs/*.csv', EVERYTHING, never)).length, 3)
})

t.test('a folder that is opened too late is closed', async (t) => {
  const folder = realpathSync(t.testdir({ 'a.csv': 'n\n1\n' }))
  const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  const system: FileSystem = {
    ...networkFileSystem(folder).system,
    async opendir(path) {
      await answering
      const opened = await hostFileSystem.opendir(path)
      const closing = (): Promise<void> => {
        close()
        return opened.close()
      }
      return {
        [Symbol.asyncIterator]: () => opened[Symbol.asyncIterator](),
        close: closing,
        read: () => opened.read(),
      }
    },
  }
  const root = await openDatasetRoot(folder, { system, limitMs: LIMIT_MS })
  const entries = await root.files.entries(folder)
  await t.rejects(entries[Symbol.asyncIterator]().next(), UNAVAILABLE)
  answer()
  await t.resolves(closed)
})

t.test('a call that takes long, but not longer than the limit, is waited for', async (t) => {
  const { folder, network, ask } = await start(t, 60_000)
  const reached = network.hang(join(folder, 'nfs/a.csv'))
  const answer = ask('nfs/a.csv')
  await reached
  network.resume()
  t.strictSame(await answer, ['nfs/a.csv'])
})

t.test('a change over there is seen', async (t) => {
  const { folder, ask } = await start(t)
  await ask('nfs/*.csv')
  writeFileSync(join(folder, 'nfs/d.csv'), 'n\n1\n')
  t.equal((await ask('nfs/*.csv')).length, 4)
})
