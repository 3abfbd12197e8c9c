import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'
import { createFingerprint } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import { findDatasets } from '../../src/main/datasets/list.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { createSearch } from '../../src/main/datasets/search.ts'
import { createFormats } from '../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { TOY } from '../formats/toy-folder/row.ts'
import { writeChunk } from '../formats/toy-folder/write.ts'

const never = new AbortController().signal
const formats = createFormats([...FORMATS.rows, TOY])
const STORAGE = formats.storageOf(formats.withOptions(TOY))

const store = () => ({
  'toy.json': '{}',
  'a.parquet': '1',
  a: { 0: '', 'b.parquet': '1' },
  inner: { 'toy.json': '{}' },
})

/** A root with datasets of both kinds, and the folders in it that are read. */
async function start(t: Test) {
  const folder = realpathSync(
    t.testdir({
      'x.parquet': '1',
      more: { 'y.parquet': '1', deep: { 'z.parquet': '1', 'one.toy': store() } },
      'two.toy': store(),
      'group.zarr': { 'zarr.json': '{}', c: { 0: '' } },
    }),
  )
  const read: string[] = []
  const opendir = (path: string) => {
    read.push(relative(folder, path) || '.')
    return hostFileSystem.opendir(path)
  }
  const root = await openDatasetRoot(folder, { system: { ...hostFileSystem, opendir } })
  const search = createSearch(root, formats.markers)
  return {
    folder,
    /** Paths that a search finds, and the folders that it reads. */
    async find(path: string, storage = STORAGE, fingerprint = createFingerprint()) {
      read.length = 0
      const found = await search([path], EVERYTHING, never, fingerprint, storage).catch(() => ({ files: [] }))
      return { paths: found.files.map((file) => file.path), read: read.toSorted() }
    },
    async list(pattern: string) {
      read.length = 0
      const found = await findDatasets(root, formats, pattern, EVERYTHING, never)
      return { paths: found.map(({ file }) => file.path), read: read.toSorted() }
    },
  }
}

t.test('by a search for others', async (t) => {
  const { find } = await start(t)
  const files = formats.storageOf(formats.withOptions(formats.row('parquet')))
  t.same(await find('**/*.parquet', files), {
    paths: ['more/deep/z.parquet', 'more/y.parquet', 'x.parquet'],
    read: ['.', 'more', 'more/deep'],
  })
  t.same(await find('two.toy', files), { paths: [], read: [] })
  t.same((await find('two.toy/*.parquet', files)).paths, ['two.toy/a.parquet'], 'a file in it may be named')
})

t.test('by a search for it', async (t) => {
  const { find } = await start(t)
  const all = { paths: ['more/deep/one.toy', 'two.toy'], read: ['.', 'more', 'more/deep'] }
  t.same(await find('**'), all)
  t.same(await find('**/toy.json'), all)
  t.same(await find('**/*.toy'), all)
  t.same(await find('.'), all)
  t.same(await find('*.toy'), { paths: ['two.toy'], read: ['.'] }, 'one level is read')
  t.same(await find('two.toy'), { paths: ['two.toy'], read: [] })
  t.same(await find('two.toy/toy.json'), { paths: ['two.toy'], read: [] })
  t.same(await find('two.toy/inner'), { paths: ['two.toy/inner'], read: [] }, 'one inside may be named')
  t.same(await find('two.toy/*'), { paths: ['two.toy'], read: [] }, 'its marker is one of its files')
})

t.test('by a listing', async (t) => {
  const { list } = await start(t)
  const { paths, read } = await list('**/*')
  t.same(paths, [
    'more/deep/z.parquet',
    'more/y.parquet',
    'x.parquet',
    'group.zarr/zarr.json',
    'more/deep/one.toy/toy.json',
    'two.toy/toy.json',
  ])
  t.same(read, ['.', 'more', 'more/deep'])
  t.same(await list('two.toy/**'), { paths: ['two.toy/toy.json'], read: [] })
  t.same(await list('two.toy/a/**'), { paths: [], read: [] })
})

t.test('its objects may change, and a search is still the same', async (t) => {
  const { folder, find } = await start(t)
  const [first, second] = [createFingerprint(), createFingerprint()]
  await find('two.toy', STORAGE, first)
  writeChunk(join(folder, 'two.toy'), '1', 1)
  writeChunk(join(folder, 'two.toy'), 'a/1', 1)
  await find('two.toy', STORAGE, second)
  t.same([...second.versions], [...first.versions])
  t.same([...second.realpaths], [...first.realpaths])
})
