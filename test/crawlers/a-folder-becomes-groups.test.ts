import t from 'tap'
import { crawled, type Entry, makeTree } from './crawled.ts'

const files = (...paths: readonly string[]): readonly Entry[] => paths.map((path) => ({ kind: 'file', path }))

/** The name, location, columns and number of files of each table. */
async function tablesOf(
  ...[root, request]: Parameters<typeof crawled>
): Promise<readonly (readonly [string, string, string, number])[]> {
  const { groups } = await crawled(root, request)
  return groups.map((each) => [each.name, each.location, each.partitions.join(), each.files])
}

t.test('each folder is a table of each format, by format and folder', async (t) => {
  const root = await makeTree(
    t,
    files(
      'x/obs/a.parquet',
      'y/obs/a.parquet',
      'y/obs/b.nc',
      'y/obs/deep/er/c.nc',
      'top.csv',
      'data/Argo Floats-2/a.nc',
    ),
  )
  const report = await crawled(root)
  const groups = report.groups.map(({ versions: _, ...group }) => group)
  t.same(groups, [
    { name: '', location: '*.csv', format: 'CSV', options: {}, partitions: [], files: 1 },
    {
      name: 'argo_floats_2',
      location: 'data/Argo Floats-2/*.nc',
      format: 'NC',
      options: {},
      partitions: [],
      files: 1,
    },
    { name: 'obs', location: 'y/obs/*.nc', format: 'NC', options: {}, partitions: [], files: 1 },
    { name: 'er', location: 'y/obs/deep/er/*.nc', format: 'NC', options: {}, partitions: [], files: 1 },
    { name: 'obs', location: 'x/obs/*.parquet', format: 'PARQUET', options: {}, partitions: [], files: 1 },
    { name: 'obs', location: 'y/obs/*.parquet', format: 'PARQUET', options: {}, partitions: [], files: 1 },
  ])
  t.match(report, { scannedFiles: 6, folders: 9, skippedFiles: 0, unread: [] })
  t.ok(Object.isFrozen(report) && Object.isFrozen(report.groups[0]))
})

t.test('folders key=value are columns of the folder above them, if all files are in the same', async (t) => {
  const root = await makeTree(t, [
    ...files(
      'same/year=2024/month=01/a.nc',
      'same/year=2023/x/month=02/b.nc',
      'same/year=2023/month=%20/c.nc',
    ),
    ...files('others/year=2024/a.nc', 'others/month=1/a.nc', 'twice/k=1/k=2/a.nc', 'cased/k=1/K=2/a.nc'),
    ...files('beside/a.nc', 'beside/year=2024/a.nc', 'plain/=x/a.nc'),
  ])
  t.same(await tablesOf(root), [
    ['beside', 'beside/**/*.nc', '', 2],
    ['cased', 'cased/**/*.nc', '', 1],
    ['others', 'others/**/*.nc', '', 2],
    ['x', 'plain/=x/*.nc', '', 1],
    ['same', 'same/**/*.nc', 'year,month', 3],
    ['twice', 'twice/**/*.nc', '', 1],
  ])
  t.same(await tablesOf(root, { prefix: 'same', detectsPartitions: false }), [
    ['month__20', 'same/year=2023/month=%20/*.nc', '', 1],
    ['month_02', 'same/year=2023/x/month=02/*.nc', '', 1],
    ['month_01', 'same/year=2024/month=01/*.nc', '', 1],
  ])
  t.same(
    await tablesOf(root, { prefix: 'same/year=2023' }),
    [['same', 'same/year=2023/**/*.nc', 'year,month', 2]],
    'of a prefix in such a folder the columns are there, and no file beside it',
  )
})

t.test('a table of folders key=value has no files of other tables below its folder', async (t) => {
  const root = await makeTree(t, [
    ...files('one/year=2024/a.nc', 'one/sub/b.nc', 'two/year=2024/a.nc', 'two/month=1/a.nc', 'two/sub/b.nc'),
    ...files(
      'coded/ye%61r=1/a.nc',
      'coded/year=2/a.nc',
      'coded/sub/b.nc',
      'three/sub/b.csv',
      'three/year=1/a.nc',
    ),
    ...files('all/a.nc', 'all/year=2024/a.nc', 'all/sub/b.NC'),
  ])
  const tables = await tablesOf(root)
  t.same(
    tables.filter(([name]) => name !== 'sub'),
    [
      ['three', 'three/**/*.nc', 'year', 1],
      ['all', 'all/**/*.[nN][cC]', '', 3],
      ['coded', 'coded/[!=]*=*/**/*.nc', 'year', 2],
      ['one', 'one/year=*/**/*.nc', 'year', 1],
      ['two', 'two/[!=]*=*/**/*.nc', '', 2],
    ].toSorted(),
  )
})

t.test('wildcards in names are escaped, and a file that is named as a pattern is in its table', async (t) => {
  const root = await makeTree(
    t,
    files(
      'a[1]/x.nc',
      'b*/x.nc',
      'c?/*.nc',
      'd/*.nc',
      'd/x.nc',
      'd/**.nc',
      'e/A.NC',
      'e/b.nc',
      'f]/x.Csv',
      'g/y=[/a.nc',
      'g/h/b.nc',
    ),
  )
  t.same(await tablesOf(root), [
    ['f', 'f]/*.[cC][sS][vV]', '', 1],
    ['a_1', 'a[[]1]/*.nc', '', 1],
    ['b', 'b[*]/*.nc', '', 1],
    ['c', 'c[?]/*.nc', '', 1],
    ['d', 'd/***.nc', '', 3],
    ['e', 'e/*.[nN][cC]', '', 2],
    ['g', 'g/y=*/**/*.nc', 'y', 1],
    ['h', 'g/h/*.nc', '', 1],
  ])
})

t.test(
  'files that listings know and no table has are skipped, if the filter does not drop their format',
  async (t) => {
    const root = await makeTree(t, [
      ...files(
        'a.nc',
        'b.cdf',
        'c.tsv',
        'd.h5',
        'e.tif',
        'f.feather',
        'g.parq',
        'h.txt',
        'README.md',
        '.i.nc',
      ),
      ...files(
        's.zarr/zarr.json',
        's.zarr/c/a.nc',
        't.zarr/.zgroup',
        't.zarr/zarr.json',
        'deep/u.zarr/.zarray',
      ),
      { kind: 'file', path: 'empty.nc', bytes: 0 },
    ])
    const skipped = async (...formats: readonly string[]): Promise<readonly unknown[]> => {
      const report = await crawled(root, { formats })
      return [
        report.skippedFiles,
        ...report.groups.map((each) => `${each.format} ${each.location} ${each.files}`),
      ]
    }
    t.same(await skipped(), [10, 'NC *.nc 1'])
    t.same(await skipped('nc'), [2, 'NC *.nc 1'])
    t.same(await skipped('NetCDF ', 'cdf'), [1, 'NC *.cdf 1', 'NC *.nc 1'])
    t.same(await skipped('csv'), [1])
    t.same(await skipped('tsv'), [0, 'CSV *.tsv 1'])
    t.same(await skipped('h5', 'tif', 'feather', 'odv'), [
      0,
      'ARROW *.feather 1',
      'HDF5 *.h5 1',
      'ODV *.txt 1',
      'TIFF *.tif 1',
    ])
    t.same(await skipped('zarr'), [0, 'ZARR * 2', 'ZARR deep/* 1'])
    t.same(await skipped('unknown'), [0])
    t.same((await crawled(root, { formats: ['tsv'] })).groups[0]?.options, { delimiter: '\t' })
  },
)

t.test('a prefix that is a store is its own table, and nothing in a store is', async (t) => {
  const root = await makeTree(t, files('a/s[1].zarr/zarr.json', 'a/s[1].zarr/in/x.nc', 'a/t.zarr/zarr.json'))
  t.same(await tablesOf(root, { prefix: 'a/s[1].zarr', formats: ['zarr'] }), [['a', 'a/s[1].zarr', '', 1]])
  const { groups, unread } = await crawled(root, { prefix: 'a/s[1].zarr/in' })
  t.same(groups, [])
  t.match(unread, [{ count: 1, example: 'a/s[1].zarr/in' }])
  const whole = await makeTree(t, files('zarr.json', 'x.nc'))
  t.same(await tablesOf(whole, { formats: ['zarr', 'nc'] }), [['', '.', '', 1]])
})

t.test('a folder of Delta or Iceberg is skipped as one', async (t) => {
  const root = await makeTree(t, [
    ...files(
      'delta/_delta_log/0.json',
      'delta/a.parquet',
      'delta/year=1/b.parquet',
      'plain/metadata/notes.txt',
      'plain/a.parquet',
    ),
    ...files('ice/metadata/v1.metadata.json', 'ice/data/a.parquet'),
  ])
  const report = await crawled(root)
  t.equal(report.skippedFiles, 2)
  t.same(await tablesOf(root), [['plain', 'plain/*.parquet', '', 1]])
  t.equal((await crawled(root, { formats: ['nc'] })).skippedFiles, 0)
  const among = await makeTree(
    t,
    files('year=1/a.parquet', 'year=1/delta/_delta_log/0.json', 'year=1/delta/b.parquet', 'year=2/a.nc'),
  )
  const { groups, skippedFiles, unread } = await crawled(among)
  t.same(
    groups.map(({ location }) => location),
    ['**/*.nc'],
    'its files would be read by the pattern',
  )
  t.equal(skippedFiles, 2)
  t.match(unread, [{ count: 1, example: '' }])
  const beside = await makeTree(t, files('lake/_delta_log/0.json', 'lake/notes.csv', 'year=1/a.csv'))
  t.same(
    (await crawled(beside)).groups.map(({ location, partitions }) => [location, partitions]),
    [['year=*/**/*.csv', ['year']]],
    'a pattern that does not reach what else is there',
  )
})

t.test('links to files count once, and those to nothing are reported', async (t) => {
  const root = await makeTree(t, [
    ...files('a/x.nc', 'b/y.nc'),
    { kind: 'link', path: 'a/same.nc', to: 'a/x.nc' },
    { kind: 'link', path: 'a/other.nc', to: 'b/y.nc' },
    { kind: 'link', path: 'a/again.nc', to: 'b/y.nc' },
    { kind: 'link', path: 'a/loop.nc', to: 'a/loop.nc' },
    { kind: 'link', path: 'a/folder.nc', to: 'b' },
    { kind: 'link', path: 'a/outside.nc', to: '/etc/passwd' },
    { kind: 'link', path: 'a/up', to: '' },
    { kind: 'link', path: 'latest', to: 'b' },
  ])
  const report = await crawled(root)
  t.same(
    report.groups.map(({ location, files: count }) => [location, count]),
    [
      ['a/*.nc', 2],
      ['b/*.nc', 1],
    ],
  )
  t.match(report.unread, [{ count: 3 }])
  t.same(
    await tablesOf(root, { prefix: 'latest' }),
    [['latest', 'latest/*.nc', '', 1]],
    'a prefix may be a link',
  )
})

t.test('a prefix leads nowhere else', async (t) => {
  const root = await makeTree(t, [...files('a/x.nc'), { kind: 'link', path: 'etc', to: '/etc' }])
  await t.rejects(crawled(root, { prefix: '../a' }), { code: 'invalid_path' })
  await t.rejects(crawled(root, { prefix: 'etc' }), { code: 'invalid_path' })
  for (const prefix of ['b', 'a/x.nc', 'a/*'])
    t.match(await crawled(root, { prefix }), { groups: [], unread: [{ count: 1, example: prefix }] })
})
