import t, { type Test } from 'tap'
import {
  createLocationSearch,
  type SearchLocation,
} from '../../src/main/datasets/fingerprint/location-searches.ts'
import type { Location } from '../../src/main/datasets/partitions/find-located.ts'
import { type DatasetRoot, openDatasetRoot } from '../../src/main/datasets/root.ts'
import { RIGHTS_OF_TABLES } from '../../src/main/datasets/search.ts'
import { createListedLocations } from '../../src/main/query/source/listed/listed-locations.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { networkFileSystem } from '../datasets/network-file-system.ts'
import { fc } from '../support/generate.ts'
import { type Entry, makeTree, never } from './crawled.ts'

const LOCATIONS: readonly Location[] = [
  '.',
  'a',
  'a/*.nc',
  '**/*.[nN][cC]',
  'a/**/*.nc',
  'b/year=*/**/*.nc',
  'none',
].flatMap((path) => [
  { path, extensions: ['nc'], keys: [] },
  { path, extensions: ['nc'], keys: ['year'] },
])

/** Lists in a thread. What main has to list is counted. */
function listing(t: Test, root: DatasetRoot) {
  const { markers } = FORMATS
  const main = createLocationSearch(root, markers)
  const counted = { byMain: 0 }
  const otherwise: SearchLocation = (...asked) => {
    counted.byMain++
    return main(...asked)
  }
  const listed = createListedLocations({ root, hidden: [], markers, otherwise, log: { warn() {} } })
  t.teardown(listed.end)
  return { main, listed, counted }
}

const ask = (search: SearchLocation, location: Location, signal = never) =>
  search(location, null, RIGHTS_OF_TABLES, signal)

t.test('the same files in the same versions and order', async (t) => {
  const name = fc.constantFrom('x.nc', 'y.NC', 'z.csv', '_SUCCESS', '.hidden.nc', 'ä.nc', 'a[b].nc', '\n.nc')
  const folder = fc.constantFrom('', 'a/', 'a/year=1/', 'a/year=2/deep/', 'b/', 'b/year=%201/', 'c/other=1/')
  const path = fc.tuple(folder, name).map((parts) => parts.join(''))
  const entry: fc.Arbitrary<Entry> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('file' as const), path, bytes: fc.nat(2) }) },
    fc.record({ kind: fc.constant('link' as const), path, to: path }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 30 }), async (entries) => {
      const root = await openDatasetRoot(await makeTree(t, entries))
      const { main, listed, counted } = listing(t, root)
      for (const location of LOCATIONS) t.same(await ask(listed.search, location), await ask(main, location))
      t.equal(counted.byMain, 0)
      await listed.end()
    }),
    { numRuns: 4 },
  )
})

t.test('the errors of main, its signal, and another thread after the end', async (t) => {
  const root = await openDatasetRoot(await makeTree(t, [{ kind: 'file', path: 'a/x.nc' }]))
  const { listed } = listing(t, root)
  const inA = { path: 'a', extensions: ['nc'], keys: [] }
  await t.rejects(ask(listed.search, { ...inA, path: '../a' }), { code: 'invalid_path' })
  const reason = new Error('that is enough')
  await t.rejects(ask(listed.search, inA, AbortSignal.abort(reason)), reason)
  for (let time = 0; time < 2; time++) {
    t.equal((await ask(listed.search, inA)).files.length, 1)
    await listed.end()
  }
})

t.test('main asks where a file server may have to be waited for', async (t) => {
  const tree = await makeTree(t, [
    { kind: 'file', path: 'a/x.nc' },
    { kind: 'file', path: 'net/y.nc' },
  ])
  const network = networkFileSystem(`${tree}/net`)
  const { listed, counted } = listing(t, await openDatasetRoot(tree, { system: network.system }))
  t.equal((await ask(listed.search, { path: '**/*.nc', extensions: ['nc'], keys: [] })).files.length, 2)
  t.same([counted.byMain, network.syncCalls], [1, []])
})
