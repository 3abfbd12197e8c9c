import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { lstat, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openDatasetFiles } from '../../src/main/datasets/file-system/dataset-files.ts'
import { hostFileSystem, mountPointsOf } from '../../src/main/datasets/file-system/file-system.ts'
import { realpathBySteps } from '../../src/main/datasets/file-system/links.ts'
import { isNetworkType, readMounts } from '../../src/main/datasets/file-system/mounts.ts'
import { fc } from '../support/generate.ts'
import { EXT4, NFS, networkFileSystem } from './network-file-system.ts'

t.test('mount points are read as Linux writes them', async (t) => {
  const text = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
40 27 0:52 / /data/with\\040blank\\134and\\011more rw shared:1 - nfs4 server:/export rw
`
  t.strictSame(mountPointsOf(text), ['/proc', '/', '/data/with blank\\and\tmore'])
  t.strictSame(mountPointsOf(''), [])
})

t.test('this machine tells its mounts and types', async (t) => {
  const points = await hostFileSystem.mountPoints()
  if (process.platform === 'linux') t.ok(points.includes('/'))
  t.type(await hostFileSystem.typeOf('/'), 'number')
})

t.test('a number that was widened with its sign is the same type', async (t) => {
  t.ok(isNetworkType(0xff534d42))
  t.ok(isNetworkType(0xff534d42 | 0))
  t.notOk(isNetworkType(EXT4))
})

t.test('the innermost mount says what a path is on', async (t) => {
  const types: Record<string, number> = { '/data': EXT4, '/data/nfs': NFS, '/data/nfs/disk': EXT4 }
  const asked: string[] = []
  const system = {
    mountPoints: async () => ['/', '/data/nfs', '/data/nfs/disk', '/data/nfs', '/database'],
    typeOf: async (path: string) => {
      asked.push(path)
      return types[path] ?? NFS
    },
  }
  const mounts = await readMounts('/data', system, (_, call) => call())
  t.strictSame(
    asked.toSorted(),
    ['/data', '/data/nfs', '/data/nfs/disk'],
    'each once, and none outside the root',
  )
  const remote = ['/data', '/data/a', '/data/nfs', '/data/nfs/a', '/data/nfs2', '/data/nfs/disk/a'].filter(
    mounts.isRemote,
  )
  t.strictSame(remote, ['/data/nfs', '/data/nfs/a'])
  t.ok(mounts.isRemote('/elsewhere'), 'of what is outside nothing is known')
  t.notOk(mounts.areLocal)
})

t.test('a mount that does not say is taken to be a network', async (t) => {
  const system = { mountPoints: async () => ['/data/a'], typeOf: async () => EXT4 }
  const mounts = await readMounts('/data', system, (path, call) =>
    path === '/data/a' ? Promise.reject(new Error('late')) : call(),
  )
  t.ok(mounts.isRemote('/data/a/b'))
  t.notOk(mounts.isRemote('/data/b'))
})

t.test('without any, every path is local, wherever a link leads', async (t) => {
  const system = { mountPoints: async () => ['/data/a'], typeOf: async () => EXT4 }
  const mounts = await readMounts('/data', system, (_, call) => call())
  t.ok(mounts.areLocal)
  t.notOk(mounts.isRemote('/elsewhere'))
})

t.test('a file system that is mounted later is noticed by the first call', async (t) => {
  const root = t.testdir({ a: { b: {} } })
  let points: string[] = []
  let device = 1n
  const files = await openDatasetFiles(root, {
    system: {
      ...hostFileSystem,
      lstat: async (path) => Object.assign(await hostFileSystem.lstat(path), { dev: device }),
      mountPoints: async () => points,
      typeOf: async (path) => (path === join(root, 'a') ? NFS : EXT4),
    },
  })
  t.ok(files.isLocal(join(root, 'a'), join(root, 'a')))
  points = [join(root, 'a')]
  device = 2n
  await files.lstat(join(root, 'a'))
  t.notOk(files.isLocal(join(root, 'a/b'), join(root, 'a/b')))
  t.ok(files.isLocal(join(root, 'c'), join(root, 'c')))
})

t.test('a path is followed step by step to where the system says', async (t) => {
  const root = await realpath(t.testdir({ a: { b: { c: 'x' } }, d: 'x' }))
  const outside = await realpath(t.testdirName.replace(/[^/]+$/, ''))
  const links: Record<string, string> = {
    'a/up': '..',
    'a/file': 'b/c',
    'a/b/self': 'self',
    round: 'trip',
    trip: 'round',
    away: outside,
    absolute: join(root, 'a/b'),
    dangling: 'nowhere/at/all',
    dot: './a/../a/./b',
    top: '/',
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path))
  mkdirSync(join(root, 'empty'))
  writeFileSync(join(root, 'a/b/e'), '')
  const steps = {
    lstat: (path: string) => lstat(path, { bigint: true }),
    readlink: (path: string) => readlink(path),
    elsewhere: () => null,
  }
  const outcome = (way: Promise<string>): Promise<string> => way.catch((error) => error.code)
  const names = [
    'a',
    'b',
    'c',
    'd',
    'up',
    'file',
    'self',
    'round',
    'away',
    'absolute',
    'dangling',
    'dot',
    'empty',
    '.',
    '',
  ]
  const property = fc.asyncProperty(
    fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 }),
    async (way) => {
      const path = way.join('/').replace(/^\/+/, '')
      const expected = await outcome(realpath(`${root}/${path}`))
      const found = await outcome(realpathBySteps(root, path, steps))
      if (found !== expected) throw new Error(`${path}: ${found}, not ${expected}`)
    },
  )
  await fc.assert(property, { numRuns: 500 })
  t.equal(await realpathBySteps(root, 'top/etc', steps), '/etc')
})

t.test('a link from this machine to a network is followed to the mount, and not over it', async (t) => {
  const root = await realpath(
    t.testdir({ nfs: { 'a.csv': 'x' }, link: t.fixture('symlink', 'nfs'), 'b.csv': 'x' }),
  )
  const network = networkFileSystem(join(root, 'nfs'))
  const files = await openDatasetFiles(root, { system: network.system })
  const before = network.calls.length
  t.equal(await files.realpath(join(root, 'b.csv')), join(root, 'b.csv'))
  t.equal(network.calls.length, before)
  t.equal(await files.realpath(join(root, 'link/a.csv')), join(root, 'nfs/a.csv'))
  t.strictSame(network.calls.slice(before), [join(root, 'nfs/a.csv')], 'in one call')
  t.notOk(files.isLocal(join(root, 'link/a.csv'), join(root, 'nfs/a.csv')))
  t.notOk(files.isLocal(join(root, 'link/*.csv'), null), 'what is not there may be missing over there')
})
