import { realpathSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { hostFileSystem } from '../../src/main/datasets/file-system/file-system.ts'
import { findDatasets } from '../../src/main/datasets/list.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { createSearch } from '../../src/main/datasets/search.ts'
import { FORMATS } from '../../src/plan/formats.ts'

const never = new AbortController().signal
const STORAGE = FORMATS.row('zarr').storage
const array = () => ({ 'zarr.json': '', c: { 0: '' } })

/** Stores of both versions, one of them with several groups, and one with the markers of both versions. */
async function start(t: Test) {
  const folder = realpathSync(
    t.testdir({
      'three.zarr': {
        'zarr.json': '',
        temp: array(),
        winter: { 'zarr.json': '', temp: array() },
        spring: { 'zarr.json': '', temp: array() },
      },
      'two.zarr': { '.zgroup': '', '.zmetadata': '', '.zattrs': '', temp: { '.zarray': '', '0.0': '' } },
      'both.zarr': { 'zarr.json': '', '.zgroup': '', '.zmetadata': '' },
      more: { 'array.zarr': { '.zarray': '', '0.0': '' }, deep: { old: { '.zmetadata': '' } } },
      'none.zarr': { 'temp.nc': '' },
      'x.nc': '',
    }),
  )
  const read: string[] = []
  const opendir = (path: string) => {
    read.push(relative(folder, path) || '.')
    return hostFileSystem.opendir(path)
  }
  const root = await openDatasetRoot(folder, { system: { ...hostFileSystem, opendir } })
  const search = createSearch(root, FORMATS.markers)
  const find = async (...paths: string[]) => {
    read.length = 0
    const { files } = await search(paths, EVERYTHING, never, undefined, STORAGE)
    return files.map(({ path, folder }) => `${path} ${folder?.marker}`)
  }
  return {
    folder,
    find,
    message: (path: string) => t.rejects(find(path)).then((error) => (error as Error).message),
    read: () => read.toSorted(),
    list: async (pattern: string) =>
      (await findDatasets(root, FORMATS, pattern, EVERYTHING, never)).map(({ file }) => file.path),
  }
}

const THREE = 'three.zarr zarr.json'
const TWO = 'two.zarr .zgroup'
const BOTH = 'both.zarr zarr.json'
const ARRAY = 'more/array.zarr .zarray'
const OLD = 'more/deep/old .zmetadata'

t.test('by its folder, by any of its markers, and by patterns of either', async (t) => {
  const { find } = await start(t)
  for (const path of ['two.zarr', 'two.zarr/', 'two.zarr/.zgroup', 'two.zarr/.zmetadata', 'two.zar[r]/*'])
    t.same(await find(path), [TWO], path)
  for (const path of ['both.zarr', 'both.zarr/zarr.json', 'both.zarr/.zgroup', 'both.zarr/.zmetadata'])
    t.same(await find(path), [BOTH], path)
  t.same(await find('*.zarr'), [BOTH, THREE, TWO])
  t.same(await find('*/.zgroup'), [TWO], 'version 3 comes first in a folder that has both')
  t.same(await find('*/zarr.json'), [BOTH, THREE])
  t.same(await find('more/*'), [ARRAY])
  t.same(await find('more/*/*'), [ARRAY, OLD])
  t.same(await find('**/.zarray', '**/.zmetadata'), [ARRAY, OLD])
  t.same(await find('two.zarr', '*.zarr/.zgroup', '**'), [TWO, BOTH, ARRAY, OLD, THREE])
})

t.test('`**` and folders enter no store', async (t) => {
  const { find, read } = await start(t)
  for (const path of ['**', '.', '**/*', '**/zarr.json'])
    t.equal((await find(path)).length, path === '**/zarr.json' ? 2 : 5, path)
  t.same(read(), ['.', 'more', 'more/deep', 'none.zarr'])
  t.same(await find('three.zarr/**/zarr.json'), [THREE])
  t.same(read(), [])
})

t.test('groups and arrays in a store, if the path names the store', async (t) => {
  const { find, message } = await start(t)
  t.same(await find('three.zarr/winter'), ['three.zarr/winter zarr.json'])
  t.same(await find('three.zarr/*in*/zarr.json'), [
    'three.zarr/spring zarr.json',
    'three.zarr/winter zarr.json',
  ])
  t.same(await find('three.zarr/[sw]*', 'two.zarr/temp'), [
    'three.zarr/spring zarr.json',
    'three.zarr/winter zarr.json',
    'two.zarr/temp .zarray',
  ])
  t.match(await message('*/winter'), /matched "\*\/winter"/)
  for (const paths of [
    ['three.zarr', 'three.zarr/winter'],
    ['three.zarr/winter/temp', 'three.zarr/*/zarr.json', '*/zarr.json'],
  ])
    t.ok((await find(...paths)).includes(THREE), 'not beside the store itself')
  t.same(await find('three.zarr/winter/temp', 'three.zarr/spring', 'three.zarr/'), [THREE])
})

t.test('what is none says so, and what is there', async (t) => {
  const { folder, message } = await start(t)
  const none = 'No Zarr v3 metadata (zarr.json) found in the provided path(s). '
  const markers = 'zarr.json, .zgroup, .zarray or .zmetadata'
  t.equal(await message('none.zarr'), `${none}No folder with ${markers} matched "none.zarr".`)
  t.equal(
    await message('tow.zarr'),
    `${none}No folder with ${markers} matched "tow.zarr"; did you mean "two.zarr"?`,
  )
  t.equal(await message('x.nc'), `${none}x.nc is no folder that holds ${markers}.`)
  t.equal(await message('two.zarr/temp/0.0'), `${none}two.zarr/temp/0.0 is no folder that holds ${markers}.`)
  symlinkSync('../three.zarr/zarr.json', join(folder, 'none.zarr/zarr.json'))
  t.match(await message('none.zarr'), /found in the provided/, 'a link is no marker')
})

t.test('in listings, by its first marker', async (t) => {
  const { list, read, folder } = await start(t)
  symlinkSync('../three.zarr/zarr.json', join(folder, 'none.zarr/zarr.json'))
  const zarr = [
    'both.zarr/zarr.json',
    'more/array.zarr/.zarray',
    'more/deep/old/.zmetadata',
    'three.zarr/zarr.json',
    'two.zarr/.zgroup',
  ]
  t.same(await list('**/*'), [...zarr, 'none.zarr/temp.nc', 'x.nc'])
  t.same(read(), ['.', 'more', 'more/deep', 'none.zarr'])
  t.same(await list('*/*'), [
    'both.zarr/zarr.json',
    'more/array.zarr/.zarray',
    'three.zarr/zarr.json',
    'two.zarr/.zgroup',
    'none.zarr/temp.nc',
  ])
  t.same(
    await list('*/*/*'),
    ['more/array.zarr/.zarray', 'more/deep/old/.zmetadata'],
    'by its marker or its folder, and no pattern enters one',
  )
  for (const pattern of [
    'two.zarr',
    'two.zarr/',
    'two.zarr/*',
    'two.zarr/**',
    '*/.zgroup',
    'two.zarr/.zgroup',
  ])
    t.same(await list(pattern), ['two.zarr/.zgroup'], pattern)
  for (const pattern of ['two.zarr/temp', 'two.zarr/temp/*', 'two.zarr/temp/.zarray', 'three.zarr/winter/**'])
    t.same(await list(pattern), [], `${pattern} is no dataset of its own`)
})
