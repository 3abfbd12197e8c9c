import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'

const service = await startTestService(t)
const { rowsOf, scalarOf } = answersOf(service)

/** Decibars, degrees and metres, by GSW (scripts/make-seawater-fixtures.py). */
const DEPTHS: readonly (readonly [pressure: number, latitude: number, depth: number])[] = JSON.parse(
  readFileSync(new URL('../fixtures/seawater/depths.json', import.meta.url), 'utf8'),
)

const CALL = { function: 'pressure_to_depth_teos_10', args: ['pressure', 'latitude'], alias: 'depth' }

t.test('of columns, by SQL and JSON, they are those of GSW', async (t) => {
  const lines = DEPTHS.map(([pressure, latitude], row) => [row, pressure, latitude].join(','))
  writeFileSync(join(service.datasets, 'casts.csv'), `row,pressure,latitude\n${lines.join('\n')}\n`)
  const bySql = await rowsOf({
    sql: "SELECT row, pressure_to_depth_teos_10(pressure, latitude) AS depth FROM read_csv('casts.csv') ORDER BY row",
  })
  const byJson = await rowsOf({ select: ['row', CALL], from: { csv: { paths: ['casts.csv'] } } })
  t.equal(bySql.length, DEPTHS.length)
  for (const [index, [pressure, latitude, depth]] of DEPTHS.entries()) {
    const found = Number(bySql[index]?.['depth'])
    // Sines of other libraries may differ in their last bit.
    t.ok(
      Math.abs(found - depth) <= 4e-16 * depth * 4,
      `${pressure} dbar at ${latitude}: ${found} for ${depth}`,
    )
  }
  t.same(
    byJson.toSorted((a, b) => Number(a['row']) - Number(b['row'])),
    bySql,
  )
})

t.test('of whole numbers and decimals too, and null of a null', async (t) => {
  t.equal(
    await scalarOf('SELECT pressure_to_depth_teos_10(1000, 45) = pressure_to_depth_teos_10(1e3, 45.0)'),
    true,
  )
  t.equal(await scalarOf('SELECT pressure_to_depth_teos_10(NULL, 45)'), null)
  t.equal(await scalarOf('SELECT pressure_to_depth_teos_10(1000, NULL)'), null)
  t.equal(await scalarOf("SELECT isnan(pressure_to_depth_teos_10('nan'::DOUBLE, 45))"), true)
})
