import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import type { Rule } from '../../src/main/auth/directory/directory.ts'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'
import { NO_FINGERPRINT } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import { findDatasets } from '../../src/main/datasets/list.ts'
import { markerIn } from '../../src/main/datasets/marker.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { createSearch } from '../../src/main/datasets/search.ts'
import { tableOfPaths } from '../../src/main/query/source/table.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { DEFAULT_PATH_OPTIONS } from '../../src/plan/source/path-options.ts'
import { csvFormat } from '../formats/product.ts'
import { where } from '../partitions/searching.ts'
import { GRANT_ALL } from './enforced.ts'
import { denyPath, grantPath, refusedPaths, rightsOfRules } from './one-by-one.ts'

const never = new AbortController().signal
const ZARR = { kind: 'folder', markers: ['zarr.json', '.zgroup'] } as const
const OBJECT = { kind: 'object' } as const

interface Links {
  readonly [path: string]: string
}

/** Searches over files, each with a row, and links, given by where they lead. */
async function started(t: Test, files: readonly string[], links: Links = {}) {
  const location = realpathSync(t.testdir({ root: {}, 'outside.csv': 'n\n1\n' }))
  const at = join(location, 'root')
  const folderOf = (path: string): void => {
    mkdirSync(dirname(join(at, path)), { recursive: true })
  }
  for (const path of files) {
    folderOf(path)
    writeFileSync(join(at, path), 'n\n1\n')
  }
  for (const [path, end] of Object.entries(links)) {
    folderOf(path)
    symlinkSync(end, join(at, path))
  }
  const calls: string[] = []
  const observed = <A extends readonly unknown[], R>(name: string, call: (...args: A) => R) => {
    return (...args: A): R => {
      calls.push(`${name} ${String(args[0])}`)
      return call(...args)
    }
  }
  const { lstat, realpath, opendir, lstatSync, realpathSync: realSync } = hostFileSystem
  const root = await openDatasetRoot(at, {
    system: {
      ...hostFileSystem,
      lstat: observed('lstat', lstat),
      realpath: observed('realpath', realpath),
      opendir: observed('opendir', opendir),
      lstatSync: observed('lstatSync', lstatSync),
      realpathSync: observed('realpathSync', realSync),
    },
  })
  const search = createSearch(root, FORMATS.markers)
  calls.length = 0
  return {
    root,
    calls,
    search,
    /** The paths that a query reads, or the message of its error. */
    async read(
      rules: readonly Rule[] | null,
      paths: readonly string[],
      storage: typeof ZARR | typeof OBJECT = OBJECT,
    ) {
      const rights = rules === null ? EVERYTHING : rightsOfRules(rules)
      try {
        const found = await search(paths, rights, never, NO_FINGERPRINT, storage)
        return found.files.map(({ path }) => path)
      } catch (error) {
        if (isServiceError(error)) return error.message
        throw error
      }
    },
    async listed(rules: readonly Rule[], pattern = '**/*') {
      const found = await findDatasets(root, FORMATS, pattern, rightsOfRules(rules), never)
      return found.map(({ file }) => file.path)
    },
  }
}

t.test('what is refused by its text is refused without a look at the file system', async (t) => {
  const { read, listed, calls, root } = await started(t, ['open/a.csv', 'secret/a.csv', 'secret/s/zarr.json'])
  const some = [grantPath('open/*.csv'), grantPath('part/**'), denyPath('part/secret')]
  for (const path of [
    'secret/a.csv',
    'secret/none.csv',
    'secret/*',
    'secret',
    'part/secret/x',
    'part/secret/*.csv',
  ]) {
    t.equal(await read(some, [path]), refusedPaths(path))
    t.equal(await read(some, ['open/a.csv', path]), refusedPaths('open/a.csv', path))
    t.equal(await read([], [path]), refusedPaths(path), 'nothing is granted')
    t.equal(await read([GRANT_ALL, { effect: 'deny', target: { kind: 'all' } }], [path]), refusedPaths(path))
    t.same(await listed(some, path), [])
    await t.rejects(markerIn(root, path, rightsOfRules(some), FORMATS.markers), {
      message: refusedPaths(path),
    })
  }
  t.same(await listed([]), [])
  t.same(calls, [])
})

t.test('a link is decided by its own path, and denied by where it leads', async (t) => {
  const { read, listed } = await started(t, ['open/a.csv', 'secret/b.csv'], {
    'open/link.csv': '../secret/b.csv',
    'open/folder': '../secret',
  })
  t.same(await read([grantPath('open/**')], ['open/*.csv']), ['open/a.csv', 'open/link.csv'])
  t.same(await read([grantPath('open/**')], ['open/folder/*.csv']), ['open/folder/b.csv'])
  const denied = [grantPath('open/**'), denyPath('secret/**')]
  for (const path of ['open/*.csv', 'open/link.csv', 'open/folder/b.csv', 'open/folder', 'open/f*/b.csv'])
    t.equal(await read(denied, [path]), refusedPaths(path))
  t.same(await read(denied, ['open/a.csv']), ['open/a.csv'])
  t.same(await listed(denied), ['open/a.csv'])
  t.same(await listed(denied, 'open/folder/*'), [])
  t.equal(
    await read([grantPath('secret/**')], ['open/link.csv']),
    refusedPaths('open/link.csv'),
    'not the other way',
  )
})

t.test('each name of a file is decided, also of one that is there once', async (t) => {
  const { read } = await started(t, ['a/x.csv', 'b/y.csv'], { 'b/x.csv': '../a/x.csv', 'a/z.csv': 'x.csv' })
  const only = [grantPath('a/x.csv'), grantPath('b/y.csv')]
  t.same(await read(only, ['a/x.csv', 'b/y.csv']), ['a/x.csv', 'b/y.csv'])
  for (const paths of [['a/x.csv', 'b/x.csv'], ['a/*.csv'], ['a/x.csv', 'b/*']])
    t.equal(await read(only, paths), refusedPaths(...paths))
  const denied = [grantPath('**'), denyPath('b/x.csv')]
  t.equal(await read(denied, ['a/x.csv', 'b/x.csv']), refusedPaths('a/x.csv', 'b/x.csv'))
  t.same(await read(denied, ['a/x.csv', 'a/x.csv']), ['a/x.csv'])
})

t.test('a store is its folder or its marker, and never what is in it', async (t) => {
  const { read, listed } = await started(t, [
    's.zarr/zarr.json',
    's.zarr/c/0/zarr.json',
    's.zarr/c/0.csv',
    't.zarr/.zgroup',
    'd/u.zarr/zarr.json',
  ])
  for (const grant of ['s.zarr', 's.zarr/', '*.zarr', '[s]*', '*/zarr.json', 's.zarr/zarr.json']) {
    for (const path of ['s.zarr', 's.zarr/', 's.zarr/zarr.json'])
      t.same(await read([grantPath(grant)], [path], ZARR), ['s.zarr'], `${path} by ${grant}`)
    t.ok((await listed([grantPath(grant)])).includes('s.zarr/zarr.json'), grant)
    for (const deny of ['s.zarr', '*.zarr', 's.zarr/zarr.json', '**/zarr.json', 's*/z*']) {
      t.equal(await read([grantPath(grant), denyPath(deny)], ['s.zarr'], ZARR), refusedPaths('s.zarr'))
      t.notOk((await listed([grantPath(grant), denyPath(deny)])).includes('s.zarr/zarr.json'), deny)
    }
  }
  for (const deny of ['s.zarr/c', 's.zarr/*/*/**', 's.zarr/.*', '**/0.csv'])
    t.same(await read([GRANT_ALL, denyPath(deny)], ['s.zarr'], ZARR), ['s.zarr'], deny)
  for (const grant of ['s.zarr/c/**', 's.zarr/c'])
    t.equal(await read([grantPath(grant)], ['s.zarr'], ZARR), refusedPaths('s.zarr'), grant)
  t.same(await read([grantPath('*.zarr')], ['s.zarr', 't.zarr'], ZARR), ['s.zarr', 't.zarr'])
  t.equal(
    await read([grantPath('*.zarr')], ['**/*.zarr'], ZARR),
    refusedPaths('**/*.zarr'),
    'd/u.zarr is found too',
  )
  t.same(await read([grantPath('**/*.zarr')], ['**/*.zarr'], ZARR), ['d/u.zarr', 's.zarr', 't.zarr'])
  const inner = [grantPath('*.zarr'), denyPath('**/0/zarr.json')]
  t.same(await read(inner, ['s.zarr'], ZARR), ['s.zarr'])
  t.equal(
    await read(inner, ['s.zarr', 's.zarr/c/0'], ZARR),
    refusedPaths('s.zarr', 's.zarr/c/0'),
    'it is named itself',
  )
  t.equal(
    await read([grantPath('*.zarr')], ['s.zarr/c/0.csv']),
    refusedPaths('s.zarr/c/0.csv'),
    'a file, not a store',
  )
})

t.test('files without rows that lie beside data are no matter of rules', async (t) => {
  const { read, root } = await started(t, ['d/a.csv', 'd/_metadata'])
  writeFileSync(join(root.location, 'd/_SUCCESS'), '')
  t.same(await read([grantPath('d/*.csv')], ['d/*']), ['d/a.csv'])
  t.same(await read([GRANT_ALL, denyPath('d/_*')], ['d']), ['d/a.csv'])
})

t.test('names that begin with a dot are matched by rules, and not by queries', async (t) => {
  const { read } = await started(t, ['secret/.a/x.csv', 'a/.b/c.csv', 'a/c.csv'])
  const rules = [GRANT_ALL, denyPath('secret/**'), denyPath('a/*/c.csv')]
  for (const path of [
    'secret/.a/x.csv',
    'secret/.a',
    'secret/.a/*',
    'secret/.*/x.csv',
    'a/.b/c.csv',
    'a/.*/*',
  ])
    t.equal(await read(rules, [path]), refusedPaths(path))
  t.same(await read(rules, ['a/**']), ['a/c.csv'])
  t.same(await read([grantPath('**/x.csv')], ['secret/.a/x.csv']), ['secret/.a/x.csv'])
})

t.test('what is wrong is told as what is refused, but for faults of the text itself', async (t) => {
  const { read, root, listed } = await started(t, ['a.csv', 'd/b.csv', 'sub/x.csv'], {
    'out.csv': '../outside.csv',
    'gone.csv': 'nothing',
    loop: 'loop',
  })
  const rules = [GRANT_ALL, denyPath('d/**')]
  for (const path of [
    'out.csv',
    'gone.csv',
    'loop',
    'none.csv',
    'none/*.csv',
    'a.csv/x',
    'sub/*.nc',
    'd/b.csv',
    'd/*',
    'b.csv',
  ])
    t.equal(await read(rules, [path]), refusedPaths(path))
  t.equal(await read(rules, ['a.csv'], ZARR), refusedPaths('a.csv'), 'a file that is no store')
  t.match(await read(null, ['out.csv']), /is a link that leads out/)
  t.match(await read(null, ['b.csv']), /did you mean|has "/)
  for (const [path, fault] of [
    ['/a.csv', /is absolute/],
    ['d/../a.csv', /has a `\.\.` part/],
    ['s3://d/a.csv', /has a scheme/],
    ['', /is empty/],
  ] as const)
    for (const some of [rules, [], null]) t.match(await read(some, [path]), fault)
  t.same(await listed(rules, 'out.csv'), [])
  for (const path of ['out.csv', 'd', 'none', 'a.csv', 'sub'])
    await t.rejects(markerIn(root, path, rightsOfRules(rules), FORMATS.markers), {
      message: refusedPaths(path),
    })
})

t.test(
  'what a filter leaves out is decided all the same, and folders that are hidden give no column its type',
  async (t) => {
    const { search, root } = await started(t, [
      't/k=1/a.csv',
      't/k=2/a.csv',
      'u/k=1/a.csv',
      'u/k=2/a.csv',
      'u/k=x/b.txt',
    ])
    const filter = where(['k', 'eq', 1])
    const files = (rules: readonly Rule[], path: string) =>
      tableOfPaths(csvFormat(), [path], DEFAULT_PATH_OPTIONS, (paths, _, partitions) =>
        search(paths, rightsOfRules(rules), never, NO_FINGERPRINT, OBJECT, partitions),
      ).files(filter)
    const paths = async (rules: readonly Rule[], path: string) =>
      (await files(rules, path)).files.map((each) => each.path)
    for (let time = 0; time < 2; time++) {
      t.same(await paths([GRANT_ALL], 't/**'), ['t/k=1/a.csv'])
      t.same(await paths([grantPath('t/**')], 't/**'), ['t/k=1/a.csv'])
      t.same(await paths([GRANT_ALL, denyPath('u/**')], 't/**'), ['t/k=1/a.csv'])
      for (const rules of [[GRANT_ALL, denyPath('t/k=2')], [grantPath('t/k=1')], [grantPath('*/k=1/*')]])
        for (const path of ['t/**', 't/**/*.csv', 't/*/*', 't'])
          await t.rejects(paths(rules, path), { message: refusedPaths(path) })
    }
    const typesOf = async (rules: readonly Rule[]) =>
      (await files(rules, 'u/*/*.csv')).columns.map(({ type }) => type.kind)
    t.same(await typesOf([GRANT_ALL]), ['utf8'], 'u/k=x has a name like the others')
    t.same(await typesOf([GRANT_ALL, denyPath('u/k=x')]), ['int'])
    t.equal(root.location.endsWith('/root'), true)
  },
)
