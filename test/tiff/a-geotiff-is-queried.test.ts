import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { fixture } from '../formats/fixtures.ts'

const service = await startTestService(t, { workers: 1 })
copyFileSync(fixture('tiff', 'tiles-f32'), join(service.datasets, 'a.tif'))
copyFileSync(fixture('tiff', 'deflate-tiles-u16'), join(service.datasets, 'b.tiff'))

const rowsOf = async (request: object): Promise<unknown[]> =>
  (await service.rows(request)).toArray().map((row) => row?.toJSON())
const sql = (text: string): Promise<unknown[]> => rowsOf({ sql: text })

/** The value of a pixel of the fixtures, which are 35 pixels wide: see scripts/make-tiff-fixtures.py. */
const valueAt = (x: number, y: number): number => Math.fround(Math.sqrt(35 * y + x) * 7 - 20)

t.test('a row for each pixel, whose position is that of its centre', async (t) => {
  // Pixels of half a degree by a quarter, from 10° W and 60° N on.
  const between = (min: number, max: number) => ({ gt_eq: min, lt_eq: max })
  t.same(
    await rowsOf({
      select: ['geo.lon', 'geo.lat', 'band.0'],
      from: { tiff: { paths: ['a.tif'] } },
      filters: [
        { column: 'geo.lon', ...between(-7, -6) },
        { column: 'geo.lat', ...between(55.7, 56.1) },
      ],
    }),
    [
      { 'geo.lon': -6.75, 'geo.lat': 55.875, 'band.0': valueAt(6, 16) },
      { 'geo.lon': -6.25, 'geo.lat': 55.875, 'band.0': valueAt(7, 16) },
    ],
  )
})

t.test('rows come tile by tile', async (t) => {
  const rows = await rowsOf({ select: ['band.0'], from: { tiff: { paths: ['a.tif'] } }, limit: 18 })
  const first = Array.from({ length: 18 }, (_, index) => valueAt(index % 16, Math.floor(index / 16)))
  // The first pixel is -20, which means null.
  t.same(
    rows,
    first.map((value, index) => ({ 'band.0': index === 0 ? null : value })),
  )
})

t.test('SQL has the same rows, in either engine', async (t) => {
  t.same(
    await sql(
      `SELECT count(*) AS rows, count("band.0") AS numbers, max("geo.lat") AS north, min("geo.lon") AS west,
        max("image.width") AS width, min("geo.crs") AS crs FROM read_tiff('a.tif')`,
    ),
    [{ rows: 735n, numbers: 734n, north: 59.875, west: -9.75, width: 35, crs: 'EPSG:4326' }],
  )
  t.same(
    await sql(
      `WITH pixels AS (SELECT * FROM read_tiff('a.tif'))
        SELECT first("band.0" ORDER BY "geo.lon" DESC, "geo.lat") AS corner FROM pixels`,
    ),
    [{ corner: valueAt(34, 20) }],
  )
})

t.test('several rasters are one table', async (t) => {
  const rows = await sql(
    `SELECT count(*) AS rows, sum("band.0") AS sum FROM read_tiff(['a.tif', 'b.tiff']) WHERE "geo.lat" > 59.8`,
  )
  const width = 35
  const floats = Array.from({ length: width }, (_, x) => valueAt(x, 0)).slice(1)
  const integers = Array.from({ length: width }, (_, x) => Math.floor(x / 3) * 164)
  const sum = [...floats, ...integers].reduce((all, each) => all + each, 0)
  t.match(rows, [{ rows: 70n }])
  const [{ sum: answered }] = rows as [{ sum: number }]
  t.ok(Math.abs(answered - sum) < 1e-6, `${answered} is ${sum}`)
})

t.test('its columns, and what it holds', async (t) => {
  const columns = await sql("SELECT column_name, data_type FROM read_tiff_schema('b.tiff')")
  const text = 'Dictionary(Int32, Utf8)'
  t.same(
    columns.map((row) => Object.values(row as object).join(' ')),
    [
      'band.0 UInt16',
      `geo.crs ${text}`,
      'geo.epsg UInt16',
      'geo.lat Float64',
      'geo.lon Float64',
      `geo.model_pixel_scale ${text}`,
      `geo.model_tiepoint ${text}`,
      `geo.nodata ${text}`,
      'image.bits_per_sample UInt16',
      'image.height UInt32',
      'image.samples_per_pixel UInt16',
      'image.tile_count_x UInt64',
      'image.tile_count_y UInt64',
      'image.tile_height UInt32',
      'image.tile_width UInt32',
      'image.width UInt32',
    ],
  )
  t.match(await sql("SELECT * FROM read_tiff_variables('b.tiff') WHERE name = 'band.0'"), [
    { name: 'band.0', type: 'uint16', column_name: 'band.0', column_type: 'UInt16' },
  ])
  t.match(await (await fetch(`${service.url}/api/list-datasets`)).json(), [
    { file_path: 'a.tif', format: 'tiff' },
    { file_path: 'b.tiff', format: 'tiff' },
  ])
})
