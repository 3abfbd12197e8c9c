import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { fixture } from '../formats/fixtures.ts'

const service = await startTestService(t, { workers: 1 })
// 35 pixels of half a degree by 21 of a quarter, from 10° W and 60° N on; the second one is in metres, and the last one is rotated.
for (const name of ['tiles-f32', 'strips-u32', 'rotated'])
  copyFileSync(fixture('tiff', name), join(service.datasets, `${name}.tif`))

const rowsOf = async (sql: string): Promise<unknown[]> =>
  (await service.rows({ sql })).toArray().map((row) => row?.toJSON())

const explained = async (sql: string): Promise<string> =>
  (await rowsOf(`EXPLAIN ${sql}`)).map((row) => Object.values(row as object).join('\n')).join('\n')

const WEST = `"geo.lon" BETWEEN -9.8 AND -7 AND "geo.lat" > 59`

t.test('of a file the tiles in the box are read', async (t) => {
  const plan = await explained(`SELECT sum("band.0") FROM read_tiff('tiles-f32.tif') WHERE ${WEST}`)
  t.match(plan, '"Chunk":{"y":16,"x":16},"Ranges":{"y":"0..4","x":"0..6"},"Chunks":"1 of 6"')
})

t.test('files outside of it are not read', async (t) => {
  const plan = await explained(`SELECT sum("band.0") FROM read_tiff('*.tif') WHERE ${WEST}`)
  t.match(plan, 'Files: rotated.tif, tiles-f32.tif; Files Pruned: 1 of 3')
  // The rotated raster reaches no farther than 12° E.
  t.match(
    await explained(`SELECT sum("band.0") FROM read_tiff('*.tif') WHERE "geo.lon" BETWEEN 15 AND 20`),
    'Files Pruned: 3 of 3',
  )
})

t.test('rows, the first and the last position follow from the tags', async (t) => {
  t.same(
    await rowsOf(
      `SELECT count(*) AS rows, min("geo.lon") AS west, max("geo.lat") AS north FROM read_tiff('tiles-f32.tif') WHERE ${WEST}`,
    ),
    [{ rows: 24n, west: -9.75, north: 59.875 }],
  )
})

t.test('any box has the rows that comparing each position gives', async (t) => {
  const box = (column: string, min: number, max: number) => `${column} >= ${min} AND ${column} <= ${max}`
  for (const [west, east, south, north] of [
    [-9.75, 7.25, 54.875, 59.875],
    [-9.7, -1.2, 55.1, 56.4],
    [0.25, 0.25, 57.125, 57.125],
    [0.3, 0.7, 57.2, 57.3],
    [-20, 20, 59.6, 80],
  ] as const)
    for (const name of ['tiles-f32', 'rotated']) {
      const sums = `SELECT count(*) AS rows, sum("band.0") AS sum FROM read_tiff('${name}.tif') WHERE`
      const pruned = `${box('"geo.lon"', west, east)} AND ${box('"geo.lat"', south, north)}`
      const compared = `${box('"geo.lon" + 0 * "band.0"', west, east)} AND ${box('"geo.lat" + 0 * "band.0"', south, north)}`
      const both = `${compared} OR "band.0" IS NULL AND ${pruned}`
      t.same(await rowsOf(`${sums} ${pruned}`), await rowsOf(`${sums} ${both}`), `${name}: ${pruned}`)
    }
})
