import assert from 'node:assert/strict'
import { lstatSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { EVERYTHING } from '../../src/main/auth/rights/rights.ts'
import { AMONG_LAKE_FILES, LONG_LOCATION } from '../../src/main/crawlers/walk/unread.ts'
import { findDatasets } from '../../src/main/datasets/list.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { fc } from '../support/generate.ts'
import { crawled, type Entry, filesOf, fillTree, never, regularFile } from './crawled.ts'

const FOLDERS = [
  'a',
  'b',
  'Obs 1',
  '日本',
  'line\nbreak',
  'back\\slash',
  '{a,b}',
  '+(x)',
  '!n',
  '.dot',
  '%3D',
  "quo'te",
  '\uFFFD',
  'year=2024',
  'year=2023',
  'month=01',
  'Year=1',
  'ye%61r=2025',
  'year=*',
  'year=',
  'year=__HIVE_DEFAULT_PARTITION__',
  '=x',
  '==',
  'a=',
  'a=b=c',
  '[a]',
  '[',
  ']',
  '*',
  '**',
  '?',
  'a*',
  'a[b',
  'a[[]b',
  '[!=]*=*',
  's.zarr',
  'metadata',
  '_delta_log',
] as const

const NAMES = [
  'a',
  'b',
  '*',
  '**',
  '***',
  '?',
  '[a]',
  'x=1',
  'line\nbreak',
  '日本',
  '.dot',
  'back\\slash',
  '\uFFFD',
  'a.b',
  '',
] as const

const EXTENSIONS = [
  'nc',
  'nc',
  'nc',
  'NC',
  'Nc',
  '[nN][cC]',
  'parquet',
  'parquet',
  'csv',
  'tsv',
  'CSV',
  'h5',
  'hdf5',
  'tif',
  'tiff',
  'txt',
  'feather',
  'arrow',
  'bbf',
  'geoparquet',
  'zarr',
  'md',
  'nc.gz',
] as const

const WHOLE_NAMES = ['zarr.json', '.zgroup', '_metadata', 'v1.metadata.json', '_SUCCESS', 'nc'] as const

const folder = fc.array(fc.constantFrom(...FOLDERS), { maxLength: 4 })
const name = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...EXTENSIONS))
      .map((parts) => parts.join('.')),
  },
  { weight: 1, arbitrary: fc.constantFrom(...WHOLE_NAMES) },
)
const path = fc.tuple(folder, name).map(([names, last]) => [...names, last].join('/'))

const file: fc.Arbitrary<Entry> = fc.record({
  kind: fc.constant('file' as const),
  path,
  bytes: fc.constantFrom(1, 1, 1, 1, 0),
})

/** A name with a byte that is not UTF-8. */
const wrongName: fc.Arbitrary<Entry> = fc.tuple(folder, fc.boolean()).map(([names, isFolder]) => ({
  kind: 'file',
  path: Buffer.concat([
    Buffer.from([...names, ''].join('/')),
    Buffer.from([0xff]),
    Buffer.from(isFolder ? '/a.nc' : '.nc'),
  ]),
}))

const tree = fc
  .array(fc.oneof({ weight: 12, arbitrary: file }, { weight: 1, arbitrary: wrongName }), { maxLength: 30 })
  .chain((files) => {
    const paths = files.map(({ path }) => path.toString())
    const targets = [
      ...paths,
      ...paths.map((each) => each.slice(0, Math.max(0, each.lastIndexOf('/')))),
      'nowhere',
    ]
    const link: fc.Arbitrary<Entry> = fc.record({
      kind: fc.constant('link' as const),
      path,
      to: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...targets) },
        { weight: 1, arbitrary: path },
        { weight: 1, arbitrary: fc.constant('/etc/passwd') },
      ),
    })
    return fc.record({
      entries: fc.array(link, { maxLength: 6 }).map((links): readonly Entry[] => [...files, ...links]),
      prefix: fc.oneof(
        { weight: 3, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: fc.constantFrom(...paths, 'a') },
      ),
    })
  })

const filter = fc.oneof(
  fc.constant<readonly string[]>([]),
  fc.constant<readonly string[]>(['zarr', 'tsv', 'odv', 'h5', 'nc', 'tif', 'feather', 'parquet']),
)

t.test(
  'a query of a location reads as many files as were counted, and all files are in a table or skipped',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        filter,
        fc.boolean(),
        async ({ entries, prefix: path }, formats, detectsPartitions) => {
          const folder = await realpath(await mkdtemp(join(tmpdir(), 'halocline-crawl-')))
          try {
            fillTree(folder, entries)
            const root = await openDatasetRoot(folder)
            const above = path.slice(0, Math.max(0, path.lastIndexOf('/')))
            const prefix =
              regularFile(join(folder, above)) === null && isThere(join(folder, above)) ? above : ''
            const report = await crawled(root, { prefix, formats, detectsPartitions }).catch(
              (error: { code?: string }) => {
                if (error.code === 'invalid_path') return null
                throw error
              },
            )
            if (report === null) return
            const read = new Set<string>()
            for (const group of report.groups) {
              const files = await filesOf(root, group)
              assert.equal(
                files.length,
                group.files,
                `${JSON.stringify(group)}: ${files.map((each) => each.path).join(', ')}`,
              )
              for (const { location } of files) read.add(location)
            }
            const isWithout = report.unread.some(
              ({ reason }) => reason === AMONG_LAKE_FILES || reason === LONG_LOCATION,
            )
            if (prefix !== '' || formats.length > 0 || isWithout) return
            const lakes = lakesIn(folder, entries)
            let skipped = lakes.size
            const datasets = await findDatasets(root, FORMATS, '.', EVERYTHING, never)
            for (const path of new Set(datasets.map(({ file }) => file.path))) {
              const dataset = regularFile(join(folder, path))
              if (dataset === null || isInLake(path, lakes)) continue
              const { group, marker } = FORMATS.matchName(path) ?? {}
              const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
              if (marker !== null || extension !== group?.id || dataset.size === 0) skipped++
              else assert.ok(read.has(dataset.location), `${JSON.stringify(path)} is in a table`)
            }
            assert.equal(report.skippedFiles, skipped, `skipped: ${JSON.stringify(report)}`)
          } finally {
            await rm(folder, { recursive: true })
          }
        },
      ),
      { numRuns: 60 },
    )
  },
)

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The outermost folders of Delta and Iceberg that a walk meets. */
function lakesIn(root: string, entries: readonly Entry[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { path } of entries) {
    const names = path.toString().split('/')
    for (let depth = 0; depth < names.length; depth++) folders.add(names.slice(0, depth).join('/'))
  }
  const isLake = (folder: string): boolean =>
    isThere(join(root, folder, '_delta_log')) ||
    (isThere(join(root, folder, 'metadata')) &&
      entries.some(
        ({ path }) =>
          path.toString() === [folder, 'metadata/v1.metadata.json'].filter((each) => each !== '').join('/') &&
          lstatSync(join(root, path.toString()), { throwIfNoEntry: false }) !== undefined,
      ))
  const isClosed = (folder: string): boolean =>
    ['zarr.json', '.zgroup'].some((marker) =>
      lstatSync(join(root, folder, marker), { throwIfNoEntry: false })?.isFile(),
    )
  const isHidden = (folder: string): boolean => folder.startsWith('.') || folder.includes('/.')
  const lakes = [...folders].filter(
    (folder) => isThere(join(root, folder)) && !isHidden(folder) && isLake(folder),
  )
  return new Set(
    lakes.filter((lake) => {
      const above =
        lake === ''
          ? []
          : ['', ...lake.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'))]
      return (
        !isClosed(lake) && above.every((each) => each === lake || (!lakes.includes(each) && !isClosed(each)))
      )
    }),
  )
}

function isInLake(path: string, lakes: ReadonlySet<string>): boolean {
  return [...lakes].some((lake) => lake === '' || path.startsWith(`${lake}/`))
}
