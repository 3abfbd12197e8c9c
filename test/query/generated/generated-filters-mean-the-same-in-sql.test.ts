import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import { startTestService } from '../../e2e/service.ts'
import { columnValues } from '../../formats/values.ts'
import { fc } from '../../support/generate.ts'
import { toValue } from '../arrow-table.ts'
import { layouts, WRITABLE, writeFiles } from '../files.ts'
import type { TestTable } from '../table.ts'
import { type GeneratedQuery, queriesOver, tables } from './generators.ts'
import { quoted, writeFilters } from './in-sql.ts'
import { answer } from './oracle.ts'

/** Types that an answer to SQL has unchanged. Those of the others are in the tables of docs/reference/sql.md. */
const KEPT = WRITABLE.filter(
  (type) => type.kind !== 'time' && !(type.kind === 'timestamp' && type.zone !== null),
)

/** A filter of the JSON language as a condition in SQL on the columns of `table`. */
interface Filter {
  readonly json: object
  where(table: string): string
}

/** Filters without a geometry, which SQL does not have. */
function filterOf({ table, request }: GeneratedQuery): Filter | null {
  const write = writeFilters(request, table)
  return write === null
    ? null
    : {
        json: { ...request, offset: null, limit: null },
        where: (alias) => write((name) => `${alias}.${quoted(name)}`),
      }
}

const cases = tables(KEPT).chain((table) =>
  fc.record({
    table: fc.constant(table),
    one: fc.boolean().chain((withPatterns) => queriesOver(table, withPatterns).map(filterOf)),
    // Two selective filters seldom leave a pair: in one case of four the other side keeps every row.
    other: fc.oneof(
      { weight: 3, arbitrary: queriesOver(table).map(filterOf) },
      {
        weight: 1,
        arbitrary: queriesOver(table).map(({ table, request }) =>
          filterOf({ table, request: { ...request, filters: null, filter: null } }),
        ),
      },
    ),
    layout: layouts,
  }),
)

const passing = (filter: Filter, table: TestTable): number =>
  answer(JSON.stringify(filter.json), table).length

t.test('a filter in SQL = native DuckDB = without pruning = the naive evaluator', async (t) => {
  const service = await startTestService(t, { workers: 2 })
  const native = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  let count = 0
  const seen = { rows: 0, joins: 0 }

  const property = fc.asyncProperty(cases, async ({ table, one, other, layout }) => {
    fc.pre(one !== null && other !== null)
    assert(one !== null && other !== null)
    const folder = `case-${count++}`
    writeFiles(join(service.datasets, folder, 'with'), table, layout, EnabledStatistics.Page)
    writeFiles(join(service.datasets, folder, 'without'), table, layout, EnabledStatistics.None)
    const read = (statistics: string) => `read_parquet('${folder}/${statistics}/*.parquet')`

    const columns = table.columns.map(({ name }) => name)
    const whole = JSON.stringify({ ...one.json, select: columns })
    const isShadowed = JSON.stringify(one.json).includes('"alias"')
    for (const statistics of ['with', 'without']) {
      const select = columns.map((name, place) => `a.${quoted(name)} AS c${place}`).join(', ')
      const rows = await service.rows({
        sql: `SELECT ${select} FROM ${read(statistics)} a WHERE ${one.where('a')}`,
      })
      assert.equal(rows.numRows, passing(one, table), statistics)
      seen.rows += rows.numRows
      // Without the select entry an alias in the filter could mean another column.
      if (isShadowed) continue
      const expected = answer(whole, table).map((row) =>
        row.map((cell, place) => toValue(cell, table.columns[place]?.type ?? { kind: 'null' })),
      )
      const found = columnValues(rows)
      assert.deepEqual(
        expected.map((_, row) => found.map((column) => column[row] ?? null)),
        expected,
        statistics,
      )
    }

    const pairs = passing(one, table) * passing(other, table)
    const where = `${one.where('a')} AND ${other.where('b')}`
    for (const [left, right] of [
      ['with', 'with'],
      ['with', 'without'],
    ] as const) {
      const sql = `SELECT count(*) AS n FROM ${read(left)} a, ${read(right)} b WHERE ${where}`
      assert.equal(Number((await service.rows({ sql })).get(0)?.['n']), pairs, `${left}, ${right}`)
    }
    // One file without statistics: native DuckDB widens fewer types, and trusts statistics of floats, which do not include NaN.
    writeFiles(join(service.datasets, folder, 'one'), table, { ...layout, files: 1 }, EnabledStatistics.None)
    const file = `'${join(service.datasets, folder, 'one', '0.parquet')}'`
    const [[n] = []] = (
      await native.runAndReadAll(`SELECT count(*) FROM ${file} a, ${file} b WHERE ${where}`)
    ).getRows()
    assert.equal(Number(n), pairs, 'native')
    if (pairs > 0) seen.joins++
  })
  await fc.assert(property, { numRuns: 60 })
  t.ok(seen.rows > 20 && seen.joins > 0, `filters let rows through: ${JSON.stringify(seen)}`)
})
