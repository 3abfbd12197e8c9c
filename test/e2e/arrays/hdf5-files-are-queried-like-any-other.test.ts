import { copyFileSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures')

const service = await startTestService(t)
const { rowsOf } = answersOf(service)
const { datasets } = service
mkdirSync(join(datasets, 'made'))
for (const name of [
  'groups',
  'packed',
  'phony',
  'optodas',
  'refused-narrow',
  'refused-virtual',
  'refused-filter',
  'filter-shuffle-deflate',
])
  copyFileSync(join(FIXTURES, 'hdf5', `${name}.h5`), join(datasets, 'made', `${name}.h5`))
copyFileSync(join(FIXTURES, 'netcdf4', 'grid-nc4.nc'), join(datasets, 'made', 'grid.nc'))
copyFileSync(join(FIXTURES, 'netcdf', 'grid-cdf1.nc'), join(datasets, 'made', 'classic.nc'))

t.test('groups are paths, in JSON and in SQL', async (t) => {
  const columns = ['observations/temperature', 'station_id', 'observations/.source']
  const json = await rowsOf({ select: columns, from: { hdf5: { paths: ['made/groups.h5'] } } })
  t.equal(json.length, 12)
  t.match(json[0], { station_id: 11, 'observations/.source': 'ctd' })
  const list = columns.map((name) => `"${name}"`).join(', ')
  const from = "FROM read_hdf5('made/groups.h5')"
  t.same(await rowsOf({ sql: `SELECT ${list} ${from}` }), json)
  const inDuckdb = `SELECT ${list} ${from} WHERE abs("observations/temperature") >= 0`
  t.same(await rowsOf({ sql: inDuckdb }), json, 'and in DuckDB')
  t.same(await rowsOf({ sql: `SELECT ${list} ${from}` }), json, 'and again, from what is kept')
})

t.test('NetCDF-4 has the rows of the classic file', async (t) => {
  const of = (name: string) => rowsOf({ sql: `SELECT * FROM read_netcdf('made/${name}.nc')` })
  const [classic, now] = [await of('classic'), await of('grid')]
  t.ok(now.length > 0)
  t.same(now, classic)
  const both = await rowsOf({ sql: "SELECT count(*) AS n FROM read_netcdf('made/*.nc')" })
  t.equal(both[0]?.['n'], 2 * now.length)
})

t.test('dimensions choose the rows, also where names are made', async (t) => {
  const sql = "SELECT * FROM read_hdf5('made/phony.h5', ['phony_len_4', 'phony_len_6'])"
  t.equal((await rowsOf({ sql })).length, 24)
})

t.test('a convention adds axes, in JSON, by place and by name', async (t) => {
  const names = ['time', 'distance', 'data']
  const json = (convention: string) =>
    rowsOf({ select: names, from: { hdf5: { paths: ['made/optodas.h5'], convention } } })
  const rows = await json('optodas')
  t.equal(rows.length, 24)
  t.match(rows[1], { time: '2026-03-28T12:00:00', distance: 5 })
  t.same(await json('opto-das'), rows)
  for (const given of [
    "NULL, 'optodas'",
    "convention => 'OptoDAS'",
    "dimensions := ['time', 'distance'], convention := 'opto_das'",
  ])
    t.same(await rowsOf({ sql: `SELECT ${names} FROM read_hdf5('made/optodas.h5', ${given})` }), rows, given)
  const late = await rowsOf({
    sql: `SELECT ${names} FROM read_hdf5('made/optodas.h5', NULL, 'optodas')
          WHERE time >= TIMESTAMP '2026-03-28 12:00:00.03' AND distance > 5`,
  })
  t.same(
    late,
    rows.filter(({ distance }, index) => index >= 16 && Number(distance) > 5),
  )
  const plain = "SELECT * FROM read_hdf5('made/optodas.h5', NULL, 'none')"
  t.notOk('time' in ((await rowsOf({ sql: plain }))[0] ?? {}))
  const schema = "SELECT column_name FROM read_hdf5_schema('made/optodas.h5', NULL, 'optodas')"
  t.ok((await rowsOf({ sql: schema })).some(({ column_name }) => column_name === 'distance'))
  const wrong = "SELECT * FROM read_hdf5('made/optodas.h5', NULL, 'optodos')"
  t.match(await failure({ sql: wrong }), /convention must be 'none' or 'optodas', did you mean .*optodas/)
  t.match(await failure({ sql: "SELECT * FROM read_hdf5('made/optodas.h5', NULL, 7)" }), /convention must be/)
})

t.test(
  'a column of integers that are narrower than they are stored is a 400, and the others are read',
  async (t) => {
    const from = "FROM read_hdf5('made/refused-narrow.h5')"
    const message = await failure({ sql: `SELECT twenty_bits ${from}` })
    t.match(message, /made\/refused-narrow\.h5.*twenty_bits.*precision of 20 bits in 32/)
    t.same(
      (await rowsOf({ sql: `SELECT whole ${from}` })).map(({ whole }) => whole),
      [0, 1, 2, 3],
    )
  },
)

t.test('schemas and errors name the format', async (t) => {
  const names = (await rowsOf({ sql: "SELECT column_name FROM read_hdf5_schema('made/groups.h5')" })).map(
    ({ column_name }) => column_name,
  )
  t.ok(names.includes('qc/flag'))
  t.match(await failure({ sql: "SELECT * FROM read_parquet('made/groups.h5')" }), /HDF5|NetCDF/)
  t.match(await failure({ sql: "SELECT * FROM read_hdf5('made/classic.nc')" }), /NetCDF/)
  t.match(await failure({ sql: "SELECT * FROM read_hdf5('made/refused-virtual.h5')" }), /other files/)
  t.match(await failure({ sql: "SELECT * FROM read_hdf5('made/refused-filter.h5')" }), /fcidecomp \(32018\)/)
})

t.test('a file that is replaced has its new metadata and rows', async (t) => {
  const sql = "SELECT count(*) AS n FROM read_hdf5('made/changing.h5')"
  const put = (name: string) => {
    copyFileSync(join(FIXTURES, 'hdf5', `${name}.h5`), join(datasets, 'next'))
    renameSync(join(datasets, 'next'), join(datasets, 'made', 'changing.h5'))
  }
  put('groups')
  t.same(await rowsOf({ sql }), [{ n: 12 }])
  put('phony')
  t.same(await rowsOf({ sql }), [{ n: 84 }])
})

async function failure(query: object): Promise<string> {
  const response = await ask(query)
  t.equal(response.status, 400)
  return response.text()
}

function ask(query: object): Promise<Response> {
  return fetch(`${service.url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(query),
  })
}
