import { mkdir, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startTestServer } from './test-server.ts'

interface Entry {
  readonly file_path: string
  readonly format: string
  readonly can_inspect: boolean
  readonly can_partial_explore: boolean
  readonly size: number | null
  readonly last_modified: string | null
}

const FILES = Object.fromEntries(
  [
    'z.parquet',
    'obs/a.parquet',
    'obs/readme.md',
    'obs/odv.txt',
    'b.csv',
    'a.tsv',
    'c.arrow',
    'd.feather',
    'd.arrows',
    'd.ipc',
    'e.tif',
    'f.tiff',
    'store.zarr/zarr.json',
    'store.zarr/temp/zarr.json',
    'store.zarr/temp/c/0',
    'more/deep.zarr/zarr.json',
    'g.bbf',
    'h.geoparquet',
    'i.nc',
    'j.h5',
    'k.hdf5',
    'UPPER.PARQUET',
    'l.pq',
    'Mixed.Csv',
    'n.netcdf',
    '.hidden.parquet',
  ].map((path) => [path, path]),
)

const LISTED = [
  ['UPPER.PARQUET', 'parquet'],
  ['l.pq', 'parquet'],
  ['obs/a.parquet', 'parquet'],
  ['z.parquet', 'parquet'],
  ['Mixed.Csv', 'csv'],
  ['a.tsv', 'csv'],
  ['b.csv', 'csv'],
  ['c.arrow', 'arrow'],
  ['d.arrows', 'arrow'],
  ['d.feather', 'arrow'],
  ['d.ipc', 'arrow'],
  ['e.tif', 'tiff'],
  ['f.tiff', 'tiff'],
  ['more/deep.zarr/zarr.json', 'zarr'],
  ['store.zarr/zarr.json', 'zarr'],
  ['g.bbf', 'bbf'],
  ['h.geoparquet', 'geoparquet'],
  ['i.nc', 'nc'],
  ['n.netcdf', 'nc'],
  ['j.h5', 'hdf5'],
  ['k.hdf5', 'hdf5'],
] as const

const getJson = async <T>(url: string): Promise<T> => (await fetch(url)).json() as Promise<T>

t.test('all of them, in the order of the formats and of bytes within one', async (t) => {
  const { url } = await startTestServer(t, { files: FILES })
  const entries = await getJson<Entry[]>(`${url}/api/list-datasets`)
  t.same(
    entries.map((entry) => [entry.file_path, entry.format]),
    LISTED,
  )
  t.same(
    await getJson(`${url}/api/datasets`),
    LISTED.map(([path]) => path),
  )
  t.equal(await (await fetch(`${url}/api/total-datasets`)).text(), String(LISTED.length))
})

t.test('each with size and time', async (t) => {
  const { url, root } = await startTestServer(t, {
    files: { 'a.parquet': '12345', 'b.parquet': '', 'c.parquet': '1' },
  })
  await utimes(join(root, 'a.parquet'), 1_700_000_000, 1_700_000_000)
  await utimes(join(root, 'b.parquet'), 1_700_000_000, 1_700_000_000.25)
  await utimes(join(root, 'c.parquet'), new Date(0), new Date(-1500))
  const common = { format: 'parquet', can_inspect: false, can_partial_explore: false }
  t.same(await getJson(`${url}/api/list-datasets`), [
    { file_path: 'a.parquet', ...common, size: 5, last_modified: '2023-11-14T22:13:20+00:00' },
    { file_path: 'b.parquet', ...common, size: 0, last_modified: '2023-11-14T22:13:20.250+00:00' },
    { file_path: 'c.parquet', ...common, size: 1, last_modified: '1969-12-31T23:59:58.500+00:00' },
  ])
})

t.test('those that a pattern or a path names', async (t) => {
  const { url } = await startTestServer(t, { files: { ...FILES, 'a b+c.parquet': '', '100%.parquet': '' } })
  const paths = (query: string) => getJson<string[]>(`${url}/api/datasets?${query}`)
  t.same(await paths('pattern=obs/*'), ['obs/a.parquet'])
  t.same(await paths('pattern=**/*.nc'), ['i.nc'])
  t.same(await paths('pattern=obs/a.parquet'), ['obs/a.parquet'])
  t.same(await paths('pattern=a+b%2Bc.parquet'), ['a b+c.parquet'])
  t.same(await paths('pattern=100%25.parquet'), ['100%.parquet'])
  t.same(await paths('pattern=nope/*&unknown=1'), [])
  t.same(await paths('pattern=store.zarr/**'), ['store.zarr/zarr.json'])
  t.same(await paths('pattern=*.zarr'), ['store.zarr/zarr.json'], 'by its folder')
  t.same(await paths('pattern=store.zarr/temp/**'), [], 'a group inside a store is no dataset')
})

t.test('page by page', async (t) => {
  const { url } = await startTestServer(t, { files: FILES })
  const paths = (query: string) => getJson<string[]>(`${url}/api/datasets?${query}`)
  const all = LISTED.map(([path]) => path)
  t.same(await paths('offset=2&limit=3'), all.slice(2, 5))
  t.same(await paths('offset=14'), all.slice(14))
  t.same(await paths('offset=999'), [])
  t.same(await paths('limit=0'), [])
  t.same(await paths('limit=100000'), all)
  t.equal((await getJson<Entry[]>(`${url}/api/list-datasets?offset=1&limit=1`))[0]?.file_path, 'l.pq')
})

t.test('a parameter that does not parse is 400', async (t) => {
  const { url } = await startTestServer(t)
  const queries = [
    'limit=abc',
    'limit=-1',
    'limit=',
    'limit=1.5',
    'offset=1e3',
    'limit=1&limit=2',
    'pattern=a&pattern=b',
  ]
  for (const path of ['/api/list-datasets', '/api/datasets'])
    for (const query of queries) {
      const answer = await fetch(`${url}${path}?${query}`)
      t.equal(answer.status, 400, query)
      t.match(answer.headers.get('content-type'), /^application\/json/)
      t.match(await answer.json(), query.split('=')[0] ?? '')
    }
})

t.test('a pattern that could leave the root is 400', async (t) => {
  const { url } = await startTestServer(t)
  for (const pattern of ['../*', '/etc/*', 's3://bucket/*', '']) {
    const answer = await fetch(`${url}/api/list-datasets?pattern=${encodeURIComponent(pattern)}`)
    t.equal(answer.status, 400, pattern)
  }
})

t.test('what is added is there at once, links out of the root never', async (t) => {
  const { url, root } = await startTestServer(t, { files: { 'a.parquet': '' } })
  await mkdir(join(root, 'folder.parquet'))
  await symlink('a.parquet', join(root, 'b.parquet'))
  await symlink('nowhere', join(root, 'c.parquet'))
  await symlink('/etc/hostname', join(root, 'd.parquet'))
  t.same(await getJson(`${url}/api/datasets`), ['a.parquet', 'b.parquet'])
  t.equal(await getJson(`${url}/api/total-datasets`), 2)
})
