import t from 'tap'
import { SUPER_USER } from '../http/test-server.ts'
import { type WrittenArray, writeGroup } from '../zarr/write-store.ts'
import { startTables } from './tables.ts'

const { at, command, ask, columns, settle, url } = await startTables(t)

/** Two times, and a grid of them with two depths. */
const arrays = (first: number): Readonly<Record<string, WrittenArray>> => ({
  time: { shape: [2], chunk: [2], dimensions: ['time'], values: Int32Array.of(first, first + 1) },
  temp: { shape: [2, 2], chunk: [1, 2], dimensions: ['time', 'z'], values: Int32Array.of(1, 2, 3, 4) },
})
writeGroup(at('stores/a.zarr'), arrays(10))
writeGroup(at('stores/more/b.zarr'), arrays(20))
await settle()

t.test('its location is a store, its marker, a folder of stores, or a pattern', async (t) => {
  const rows = { 'stores/a.zarr': 4, 'stores/a.zarr/zarr.json': 4, 'stores/': 8, 'stores/**': 8, 'none/': 0 }
  for (const [location, count] of Object.entries(rows)) {
    t.equal(await command(`CREATE OR REPLACE EXTERNAL TABLE z STORED AS ZARR LOCATION '${location}'`), '')
    t.same(await ask('SELECT count(*) FROM z'), ['count_star()', String(count)], location)
  }
})

t.test('a new store counts in the next query', async (t) => {
  t.equal(await command("CREATE OR REPLACE EXTERNAL TABLE z STORED AS zarr LOCATION 'growing/'"), '')
  t.same(await columns('z'), [])
  writeGroup(at('growing/a.zarr'), arrays(10))
  t.same(await ask('SELECT max(time) AS m FROM z'), ['m', '11'])
  t.equal(await command('REFRESH z'), '')
  t.same(await columns('z'), ['temp "Int32"', 'time "Int32"'])
  writeGroup(at('growing/b.zarr'), arrays(30))
  t.same(await ask('SELECT max(time) AS m FROM z WHERE temp = 4'), ['m', '31'])
  t.same(await ask({ from: 'z', select: ['time'], filters: [{ column: 'time', gt: 20 }] }), [
    'time',
    '30',
    '31',
  ])
})

t.test('its options are those of queries', async (t) => {
  const create = (options: string) =>
    command(`CREATE OR REPLACE EXTERNAL TABLE z STORED AS ZARR LOCATION 'stores/' OPTIONS (${options})`)
  for (const key of ['read_dimensions', 'dimensions', 'statistics_columns']) {
    t.equal(await create(`${key} 'time', enable_statistics 'false'`), '')
    t.same(await ask('SELECT count(*) FROM z'), ['count_star()', '4'], key)
  }
  t.equal(await create("statistics_columns 'temp, time'"), '')
  t.same(await ask('SELECT count(*) FROM z'), ['count_star()', '8'])
  t.match(await create("statistics_columns 'oxygen'"), /statistics_columns: "oxygen" is no column/)
  t.match(await create("read_dimensions 'oxygen'"), /dimension 'oxygen' not found/)
  t.match(await create("enable_statistics 'perhaps'"), /enable_statistics must be true or false/)
})

t.test('it has no partitions', async (t) => {
  const message = /^Zarr does not support partitioned tables \(PARTITIONED BY year\): .* as one unit/
  const sql = "CREATE EXTERNAL TABLE p STORED AS ZARR PARTITIONED BY (year) LOCATION 'stores/'"
  t.match(await command(sql), message)
  const answer = await fetch(`${url}/api/admin/external-tables`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...SUPER_USER },
    body: JSON.stringify({ name: 'p', location: 'stores/', file_type: 'ZARR', partition_cols: ['year'] }),
  })
  t.equal(answer.status, 400)
  t.match(await answer.text(), message)
})
