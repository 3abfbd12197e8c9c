import { execFileSync } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { walkFolder } from '../../src/main/crawlers/walk/walk-folder.ts'
import { hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { networkFileSystem } from '../datasets/network-file-system.ts'
import { crawled, type Entry, filesOf, makeTree, never } from './crawled.ts'

const files = (...paths: readonly string[]): readonly Entry[] => paths.map((path) => ({ kind: 'file', path }))

t.test('a walk in its thread gives the same report, and tells how far it is', async (t) => {
  const root = await makeTree(t, files('a/x.nc', 'a/y.nc', 'own/z.nc', 'b/year=1/z.parquet'))
  const seen: unknown[] = []
  const request = { root, prefix: '', formats: [], hidden: [join(root, 'own')] }
  const report = await walkFolder(request, (at) => seen.push(at), never)
  t.same(
    report.groups.map(({ location, files: count }) => [location, count]),
    [
      ['a/*.nc', 2],
      ['b/**/*.parquet', 1],
    ],
  )
  t.same(seen.at(-1), { folders: 5, files: 3 })
  const hidden = await openDatasetRoot(root, { hidden: request.hidden })
  t.same(report, await crawled(hidden))
  await t.rejects(
    walkFolder({ ...request, prefix: '..' }, () => undefined, never),
    { code: 'invalid_path' },
  )
  await t.rejects(
    walkFolder({ ...request, prefix: 'own' }, () => undefined, never),
    { code: 'invalid_path' },
  )
})

t.test('a walk ends by its signal, and its thread with it', async (t) => {
  const root = await makeTree(
    t,
    files(...Array.from({ length: 300 }, (_, index) => `${index % 7}/${index}/x.nc`)),
  )
  const request = { root, prefix: '', formats: [], hidden: [] }
  const reason = new Error('that is enough')
  await t.rejects(
    walkFolder(request, () => undefined, AbortSignal.abort(reason)),
    reason,
  )
  const ending = new AbortController()
  const walk = walkFolder(request, () => undefined, ending.signal)
  ending.abort(reason)
  await t.rejects(walk, reason)
})

t.test('pipes do not count, and names that are not UTF-8 are reported', async (t) => {
  const root = await makeTree(t, [
    ...files('a/x.nc', 'a/\uFFFD.nc'),
    { kind: 'file', path: Buffer.from([...Buffer.from('a/'), 0xff, ...Buffer.from('.nc')]) },
    { kind: 'file', path: Buffer.from([...Buffer.from('a/'), 0xfe, ...Buffer.from('/y.nc')]) },
  ])
  execFileSync('mkfifo', [join(root, 'a/pipe.nc')])
  const report = await crawled(root)
  t.same(
    report.groups.map((each) => each.files),
    [2],
  )
  t.match(report.unread, [{ reason: /UTF-8/, count: 2, example: /^a\/\uFFFD/ }])
})

t.test('folders below what a path can name are walked as far as the system names them', async (t) => {
  const root = await makeTree(t, files('a/x.nc', 'deep/year=1/y.nc'))
  // A path of so many levels is longer than a system call takes: each folder is made in the one before.
  // 100 of these levels have a path that the system takes.
  const script =
    'import os, sys\nos.chdir(sys.argv[1])\nfor _ in range(150): os.mkdir("d" * 40); os.chdir("d" * 40)'
  execFileSync('python3', ['-c', script, join(root, 'deep')])
  const report = await crawled(root)
  t.match(report.unread, [{ reason: /4096 bytes/, count: 1 }])
  const datasets = await openDatasetRoot(root)
  for (const group of report.groups) t.equal((await filesOf(datasets, group)).length, 1)
  t.same(
    report.groups.map(({ location }) => location),
    ['a/*.nc', 'deep/**/*.nc'],
  )
})

t.test('a folder that may not be read is reported, and the rest is walked', async (t) => {
  const root = await makeTree(t, files('a/x.nc', 'b/y.nc'))
  const refused = join(root, 'b')
  const system = {
    ...hostFileSystem,
    readdirSync(path: string) {
      if (path === refused) throw Object.assign(new Error('refused'), { code: 'EACCES' })
      return hostFileSystem.readdirSync(path)
    },
  }
  const report = await crawled(await openDatasetRoot(root, { system }))
  t.same(
    report.groups.map(({ location }) => location),
    ['a/*.nc'],
  )
  t.match(report.unread, [{ reason: 'The service may not read it.', count: 1, example: 'b' }])
})

t.test('a network folder is asked without waiting for it, and one that hangs is reported', async (t) => {
  const root = await makeTree(t, files('a/x.nc', 'net/y.nc', 'net/empty.nc', 'net/in/z.nc'))
  await rm(join(root, 'net/empty.nc'))
  await mkdir(join(root, 'net/none'))
  const network = networkFileSystem(join(root, 'net'))
  const options = { system: network.system, limitMs: 3000, concurrency: 2 }
  const datasets = await openDatasetRoot(root, options)
  const counts = async () =>
    (await crawled(datasets)).groups.map(({ location, files: count }) => [location, count])
  t.same(await counts(), [
    ['a/*.nc', 1],
    ['net/*.nc', 1],
    ['net/in/*.nc', 1],
  ])
  t.same(network.syncCalls, [])
  network.hang(join(root, 'net/in'))
  t.teardown(() => network.resume())
  const report = await crawled(datasets)
  t.same(
    report.groups.map(({ location }) => location),
    ['a/*.nc', 'net/*.nc'],
  )
  t.match(report.unread, [{ reason: /does not answer/, count: 1, example: 'net/in' }])
})
