import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { write, writeGroup } from './write-store.ts'

const service = await startTestService(t, { workers: 1 })
const time = new BigInt64Array(6).map((_, index) => BigInt(index))
const temp = new Float32Array(6 * 5).map((_, index) => (index === 7 ? -999 : index))
const documents = writeGroup(
  join(service.datasets, 'x.zarr'),
  {
    time: {
      shape: [6],
      chunk: [4],
      dimensions: ['time'],
      values: time,
      attributes: { units: 'days since 2000-01-01' },
    },
    temp: {
      shape: [6, 5],
      chunk: [4, 3],
      dimensions: ['time', 'x'],
      values: temp,
      attributes: { _FillValue: 'AAAAAAA4j8A=', units: 'K', valid_range: [0, 40], count: 3 },
    },
  },
  { title: 'a store', nothing: null },
)

const GRID_OF_2 = { name: 'regular', configuration: { chunk_shape: [2] } }

const rowsOf = async (sql: string): Promise<unknown[]> =>
  (await service.rows({ sql })).toArray().map((row) => row?.toJSON())

t.test('rows come chunk by chunk, and attributes with one value are columns', async (t) => {
  const table = await service.rows({ select: ['temp'], from: { zarr: { paths: ['x.zarr'] } } })
  const byChunk = [
    [0, 1, 2, 5, 6, null, 10, 11, 12, 15, 16, 17],
    [3, 4, 8, 9, 13, 14, 18, 19],
    [20, 21, 22, 25, 26, 27],
    [23, 24, 28, 29],
  ]
  t.same([...(table.getChild('temp') ?? [])], byChunk.flat())
  const columns = await rowsOf("SELECT column_name, data_type FROM read_zarr_schema('x.zarr')")
  const text = 'Dictionary(Int32, Utf8)'
  t.same(columns, [
    { column_name: '.title', data_type: text },
    { column_name: 'temp', data_type: 'Float32' },
    { column_name: 'temp._FillValue', data_type: text },
    { column_name: 'temp.count', data_type: 'Float64' },
    { column_name: 'temp.units', data_type: text },
    { column_name: 'time', data_type: 'Timestamp(ns)' },
    { column_name: 'time.units', data_type: text },
  ])
})

t.test('filters on coordinates and values find the same rows as in any other format', async (t) => {
  const sql = `SELECT count(*) AS rows, sum(temp) AS sum FROM read_zarr('x.zarr')
    WHERE time >= TIMESTAMP '2000-01-02' AND time < '2000-01-04' AND temp > 5`
  t.same(await rowsOf(sql), [{ rows: 8n, sum: 6 + 8 + 9 + 10 + 11 + 12 + 13 + 14 }])
  const own = await rowsOf("SELECT count(*) AS rows FROM read_zarr('x.zarr', ['time'])")
  t.same(own, [{ rows: 6n }])
})

t.test('booleans are booleans, of which one may mean null', async (t) => {
  const store = join(service.datasets, 'b.zarr')
  const array = { shape: [3], chunk: [3], dimensions: ['x'], values: Int32Array.of(0, 0, 0) }
  const boolean = { data_type: 'bool', fill_value: true }
  writeGroup(store, {
    a: { ...array, metadata: boolean, attributes: { isGood: false } },
    b: { ...array, metadata: { ...boolean, chunk_grid: GRID_OF_2 }, attributes: { _FillValue: true } },
  })
  write(join(store, 'a/c/0'), zstdCompressSync(Uint8Array.of(1, 0, 1)))
  write(join(store, 'b/c/0'), zstdCompressSync(Uint8Array.of(1, 0)))
  t.same(await rowsOf('SELECT a, b, "a.isGood" AS good FROM read_zarr(\'b.zarr\')'), [
    { a: true, b: null, good: false },
    { a: false, b: false, good: false },
    { a: true, b: null, good: false },
  ])
  t.same(await rowsOf("SELECT count(*) AS rows FROM read_zarr('b.zarr') WHERE a AND b IS NULL"), [
    { rows: 2n },
  ])
})

t.test('consolidated metadata count, and not what else lies in the store', async (t) => {
  const store = join(service.datasets, 'y.zarr')
  writeGroup(store, { gone: { shape: [2], chunk: [2], dimensions: ['x'], values: Int32Array.of(1, 2) } })
  const metadata = { kept: documents['time/zarr.json'] }
  const consolidated = { kind: 'inline', must_understand: false, metadata }
  const root = { zarr_format: 3, node_type: 'group', consolidated_metadata: consolidated }
  write(join(store, 'zarr.json'), JSON.stringify(root))
  t.same(await rowsOf("SELECT column_name FROM read_zarr_schema('y.zarr')"), [
    { column_name: 'kept' },
    { column_name: 'kept.units' },
  ])
})

t.test('links are not followed, so none leads in a circle', async (t) => {
  const store = join(service.datasets, 'l.zarr')
  writeGroup(store, { a: { shape: [2], chunk: [2], dimensions: ['x'], values: Int32Array.of(1, 2) } })
  symlinkSync('.', join(store, 'again'))
  const response = await service.query({ sql: "SELECT * FROM read_zarr('l.zarr')" })
  t.equal(response.status, 400)
  t.match(await response.text(), /l\.zarr\/again.* is a symbolic link; links inside a store are not followed/)
})

t.test('an array that is added is a column of the next query', async (t) => {
  const store = join(service.datasets, 'z.zarr')
  const array = { shape: [2], chunk: [2], dimensions: ['x'], values: Int32Array.of(1, 2) }
  writeGroup(store, { a: array })
  const sql = "SELECT * FROM read_zarr('z.zarr')"
  t.same(await rowsOf(sql), [{ a: 1 }, { a: 2 }])
  writeGroup(store, { a: array, b: { ...array, values: Int32Array.of(3, 4) } })
  t.same(await rowsOf(sql), [
    { a: 1, b: 3 },
    { a: 2, b: 4 },
  ])
})
