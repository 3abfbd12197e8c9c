import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Operator } from '../../../src/plan/statement/statement.ts'
import { field } from '../../../src/plan/types/schema.ts'
import { type BoundScan, readColumns } from '../../../src/workers/sql/binding/scans.ts'
import { startTestService } from '../service.ts'

const CALL = "read_netcdf('field.nc')"

/** A statement with so many calls, of which every other one reads another column. */
function calls(count: number): string {
  const each = Array.from(
    { length: count },
    (_, index) => `SELECT ${index % 2 ? 'x' : 'y'} AS v FROM ${CALL}`,
  )
  return `SELECT count(v) AS n FROM (${each.join(' UNION ALL ')})`
}

const service = await startTestService(t)
const fixture = join(import.meta.dirname, '../../fixtures/netcdf4/field-chunked.nc')
copyFileSync(fixture, join(service.datasets, 'field.nc'))

t.test('a statement with more calls than EXPLAIN tells apart', async (t) => {
  const answered = await service.query({ sql: calls(129), output: { format: 'csv' } })
  t.equal(await answered.text(), `n\n${65 * 7 + 64 * 11}\n`)
})

t.test('a call in each form that the function takes', async (t) => {
  for (const [call, rows] of [
    ["read_netcdf('field.nc')", 11],
    ["READ_NETCDF('fie' || 'ld.nc')", 11],
    ["read_netcdf(['field.nc', 'field.nc'])", 11],
    ["read_netcdf(paths := 'field.nc')", 11],
    ["read_netcdf('field.nc', dimensions = ['y', 'x'])", 11],
    ["read_netcdf('field.nc', ['y', 'x'])", 11],
    ["read_netcdf('field.nc', dimensions => ['x'], filename := true)", 11],
    ["read_netcdf(filename = true, paths = 'field.nc')", 11],
    ["read_netcdf('field.nc', NULL, NULL, filename = true)", 11],
  ] as const) {
    const sql = `WITH unused AS (SELECT 1) SELECT count(x + 0) AS n FROM ${call}`
    const answer = await service.query({ sql, output: { format: 'csv' } })
    t.equal(await answer.text(), `n\n${rows}\n`, call)
  }
})

t.test('a call with names in its alias, of which the first one is named, or none', async (t) => {
  for (const [names, expression] of [
    ['a', 'count(*)'],
    ['a, b', 'max(a)'],
  ]) {
    const refused = await service.query({
      sql: `WITH unused AS (SELECT 1) SELECT ${expression} FROM ${CALL} AS f(${names})`,
    })
    t.equal(refused.status, 400)
    t.match(
      await refused.text(),
      /netcdf\(field\.nc\): the rows of arrays follow the columns .* with no names in brackets behind an alias/,
    )
  }
})

const DOUBLE = { kind: 'float', bits: 64 } as const
const FIELDS = ['lat', 'lon'].map((name) => field(name, DOUBLE))

t.test('a call that a plan has twice, with different columns, tells none', async (t) => {
  const source = { request: null, digest: null, schema: { fields: FIELDS, metadata: {} }, rows: 640 }
  const bound: readonly BoundScan[] = [{ index: 0, source }]
  const scan = (column: string): Operator => ({
    name: 'scan',
    details: { Projections: column, 'Estimated Cardinality': '640' },
    children: [],
    scan: null,
  })
  const planOf = (...columns: string[]): Operator => {
    return { name: 'UNION', details: {}, children: columns.map(scan), scan: null }
  }
  const names = new Map([['scan', 'read_netcdf']])
  t.same(readColumns(planOf('lat'), bound, names), [[0]])
  t.same(readColumns(planOf('lat', 'lat'), bound, names), [[0]])
  t.same(readColumns(planOf('lat', 'lon'), bound, names), [null])
})
