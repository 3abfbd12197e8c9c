import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { fc } from '../support/generate.ts'

/** Metres. */
const RADIUS = 6_371_008.8

const service = await startTestService(t)
const { rowsOf, scalarOf } = answersOf(service)

/** The angle between two vectors, which is exact at all distances. Metres on the sphere. */
function distance([lon1 = 0, lat1 = 0, lon2 = 0, lat2 = 0]: readonly number[]): number {
  const vector = (longitude: number, latitude: number): [number, number, number] => {
    const [x, y] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180]
    return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)]
  }
  const [a, b] = [vector(lon1, lat1), vector(lon2, lat2)]
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  return RADIUS * Math.atan2(Math.hypot(...cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
}

t.test('distances of random places are the angles between them', async (t) => {
  const longitude = fc.oneof(
    fc.integer({ min: -180, max: 360 }),
    fc.double({ min: -180, max: 360, noNaN: true }),
  )
  const latitude = fc.oneof(fc.integer({ min: -90, max: 90 }), fc.double({ min: -90, max: 90, noNaN: true }))
  const pairs = fc.sample(fc.tuple(longitude, latitude, longitude, latitude), 1000)
  const lines = pairs.map((pair, row) => [row, ...pair].join(','))
  writeFileSync(join(service.datasets, 'pairs.csv'), `row,a,b,c,d\n${lines.join('\n')}\n`)
  const rows = await rowsOf({
    sql: `SELECT haversine(a, b, c, d) AS there, haversine(c, d, a, b) AS back FROM read_csv('pairs.csv') ORDER BY row`,
  })
  t.equal(rows.length, pairs.length)
  for (const [row, pair] of pairs.entries()) {
    const there = Number(rows[row]?.['there'])
    // Near antipodes half the digits are lost.
    const fault = Math.abs(there - distance(pair))
    if (!(fault < 0.5)) t.fail(`${pair}: ${there}, not ${distance(pair)}`)
    if (!(Math.abs(there - Number(rows[row]?.['back'])) < 0.5)) t.fail(`${pair}: another distance back`)
  }
})

t.test('nulls give null, and any type of number is taken', async (t) => {
  for (const args of ['NULL, 1, 2, 3', '1, NULL, 2, 3', '1, 2, NULL, 3', '1, 2, 3, NULL'])
    t.equal(await scalarOf(`SELECT haversine(${args})`), null, args)
  t.equal(await scalarOf('SELECT haversine(1, 2, 1, 2)'), 0)
  t.equal(await scalarOf('SELECT round(haversine(0, 0, 180, 0))'), Math.round(Math.PI * RADIUS))
  t.equal(await scalarOf("SELECT haversine('NaN'::FLOAT, 0, 180, 0)::VARCHAR"), 'nan')
  t.equal(
    await scalarOf('SELECT round(haversine(200::UTINYINT, 10::UTINYINT, 190::UTINYINT, 20::UTINYINT))'),
    Math.round(distance([200, 10, 190, 20])),
  )
})
