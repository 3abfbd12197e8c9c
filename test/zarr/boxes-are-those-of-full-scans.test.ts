import assert from 'node:assert/strict'
import { join } from 'node:path'
import t from 'tap'
import { layouts } from '../arrays/write-zarr-grid.ts'
import { startTestService } from '../e2e/service.ts'
import { fc } from '../support/generate.ts'
import { indices } from './cells-of-chunk.ts'
import { writeZarr } from './write-zarr.ts'

/** A cell of the grid. Null: the value is the fill value. */
interface Cell {
  readonly lat: number
  readonly lon: number
  readonly v: number | null
}

/** A condition in SQL, and whether it is true of a cell. */
interface Condition {
  readonly sql: string
  readonly isMet: (cell: Cell) => boolean
}

const FILL = -99

const lats = fc.integer({ min: -45, max: 45 }).map((half) => half * 2)
const lons = fc.integer({ min: -18, max: 18 }).map((tenth) => tenth * 10)
const values = fc.integer({ min: -20, max: 20 })

const span = (column: 'lat' | 'lon', ends: fc.Arbitrary<number>): fc.Arbitrary<Condition> =>
  fc.tuple(ends, ends).map(([a, b]) => {
    const [low, high] = [Math.min(a, b), Math.max(a, b)]
    const isMet = (cell: Cell): boolean => cell[column] >= low && cell[column] <= high
    return { sql: `${column} BETWEEN ${low} AND ${high}`, isMet }
  })

const dateline: fc.Arbitrary<Condition> = fc.tuple(lons, lons).map(([east, west]) => ({
  sql: `(lon >= ${east} OR lon <= ${west})`,
  isMet: ({ lon }) => lon >= east || lon <= west,
}))

const list = (column: 'lat' | 'lon', ends: fc.Arbitrary<number>): fc.Arbitrary<Condition> =>
  fc.uniqueArray(ends, { minLength: 1, maxLength: 4 }).map((found) => ({
    sql: `${column} IN (${found.join()})`,
    isMet: (cell: Cell) => found.includes(cell[column]),
  }))

const value: fc.Arbitrary<Condition> = fc.oneof(
  values.map((least) => ({ sql: `v > ${least}`, isMet: ({ v }: Cell) => v !== null && v > least })),
  fc.constant({ sql: 'v IS NULL', isMet: ({ v }: Cell) => v === null }),
)

const box = all(span('lat', lats), fc.oneof(span('lon', lons), dateline))

const conditions: fc.Arbitrary<Condition> = fc.oneof(
  box,
  all(list('lat', lats), fc.oneof(list('lon', lons), dateline)),
  all(box, value),
  all(value, span('lat', lats)),
  fc.tuple(box, box).map(([a, b]) => ({
    sql: `(${a.sql}) OR (${b.sql})`,
    isMet: (cell: Cell) => a.isMet(cell) || b.isMet(cell),
  })),
  fc.tuple(span('lat', lats), dateline).map(([a, b]) => ({
    sql: `NOT (${a.sql}) AND ${b.sql}`,
    isMet: (cell: Cell) => !a.isMet(cell) && b.isMet(cell),
  })),
)

function all(...each: readonly fc.Arbitrary<Condition>[]): fc.Arbitrary<Condition> {
  return fc.tuple(...each).map((found) => ({
    sql: found.map(({ sql }) => sql).join(' AND '),
    isMet: (cell: Cell) => found.every(({ isMet }) => isMet(cell)),
  }))
}

/** Coordinates in either direction: of the globe, or of a part of it. */
const axis = (ends: fc.Arbitrary<number>): fc.Arbitrary<readonly number[]> =>
  fc
    .tuple(fc.uniqueArray(ends, { minLength: 1, maxLength: 20 }), fc.boolean())
    .map(([found, isDescending]) => found.toSorted((a, b) => (isDescending ? b - a : a - b)))

const cases = fc.record({
  lat: axis(lats),
  lon: axis(lons),
  chunk: fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })),
  seed: fc.integer({ min: 0, max: 1000 }),
  layout: layouts,
  asked: fc.array(conditions, { minLength: 6, maxLength: 6 }),
})

t.test('in both engines, with statistics of chunks and without', async (t) => {
  const service = await startTestService(t)
  let [stores, rows] = [0, 0]
  const property = fc.asyncProperty(cases, async ({ lat, lon, chunk, seed, layout, asked }) => {
    const path = `store-${stores++}.zarr`
    // Values that are near to each other in a chunk, so that statistics of chunks tell something.
    const cells = indices([lat.length, lon.length]).map(([y = 0, x = 0]): Cell => {
      const v = ((y * 3 + x + seed) % 41) - 20
      return { lat: lat[y] ?? 0, lon: lon[x] ?? 0, v: (v + seed) % 7 === 0 ? null : v }
    })
    const array = { dimensions: ['lat', 'lon'], shape: [lat.length, lon.length], chunk }
    writeZarr(
      join(service.datasets, path),
      [
        { name: 'lat', dimensions: ['lat'], shape: [lat.length], chunk: [3], values: Float64Array.from(lat) },
        {
          name: 'lon',
          dimensions: ['lon'],
          shape: [lon.length],
          chunk: [50],
          values: Float32Array.from(lon),
        },
        {
          ...array,
          name: 'v',
          values: Int16Array.from(cells, ({ v }) => v ?? FILL),
          fill: FILL,
          attributes: { _FillValue: FILL },
        },
      ],
      layout,
    )
    for (const { sql, isMet } of asked) {
      const wanted = inOrder(cells.filter(isMet))
      for (const source of [`read_zarr('${path}')`, `read_zarr('${path}', ['v'])`])
        for (const engine of ['', ' AND random() >= 0']) {
          const statement = `SELECT lat, lon, v FROM ${source} WHERE (${sql})${engine}`
          const table = await service.rows({ sql: statement })
          const found = table.toArray().map((row) => row?.toJSON() as Cell)
          assert.deepEqual(inOrder(found), wanted, `${statement} of ${JSON.stringify(layout)}`)
          rows += found.length
        }
    }
  })
  await fc.assert(property, { numRuns: 8, endOnFailure: true })
  t.ok(rows > 200, `${rows} rows`)
})

function inOrder(cells: readonly Cell[]): Cell[] {
  return cells.map(({ lat, lon, v }) => ({ lat, lon, v })).toSorted((a, b) => a.lat - b.lat || a.lon - b.lon)
}
