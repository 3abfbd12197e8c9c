import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableToIPC } from 'apache-arrow'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import { startTestService } from '../../e2e/service.ts'
import { columnValues, type Value } from '../../formats/values.ts'
import { fc } from '../../support/generate.ts'
import { toArrow, toValue } from '../arrow-table.ts'
import { layouts, WRITABLE, writeFiles } from '../files.ts'
import { type GeneratedQuery, keysOf, queriesOver, tables } from './generators.ts'
import { evaluate } from './oracle.ts'

/** Types that an answer to SQL has unchanged. Those of the others are in the tables of docs/reference/sql.md. */
const KEPT = WRITABLE.filter(
  (type) => type.kind !== 'time' && !(type.kind === 'timestamp' && type.zone !== null),
)

type Entry = GeneratedQuery['request']['select'][number]
type Json = Readonly<Record<string, unknown>>

const nameOf = (entry: Entry): string => (typeof entry === 'string' ? entry : (entry.alias ?? ''))

const isColumn = (entry: Entry): boolean => typeof entry === 'string' || entry.column !== undefined

/** An entry that calls a function which returns the entry unchanged, under the same name. */
function called(entry: Entry): Json {
  const { alias, ...inner } = typeof entry === 'string' ? { column: entry, alias: entry } : entry
  return { function: 'coalesce', args: [inner, inner], alias }
}

/** DuckDB returns 0.0 for −0.0 in columns by which rows are distinct; they are equal. */
function distinctValue(value: Value): Value {
  return value === '-0' ? '0' : value
}

/** The request with functions in it, sorted and with distinct rows. */
function withStatement({ table, request }: GeneratedQuery): fc.Arbitrary<GeneratedQuery> {
  const isGeometry = JSON.stringify(request).includes('longitude')
  const outputs = request.select.map(nameOf)
  const { key, some } = keysOf(outputs, table)
  return fc
    .record({
      sort_by: fc.option(fc.array(key, { maxLength: 3 })),
      distinct: fc.option(
        fc.tuple(some, some, fc.boolean()).map(([on, select, isCalled]) => ({
          on: isCalled ? on.map((each) => called(each)) : on,
          select: isCalled ? select.map((each) => called(each)) : select,
        })),
        { nil: undefined },
      ),
      offset: fc.option(fc.integer({ min: 0, max: 4 })),
      isFiltered: fc.boolean(),
      calls: fc.array(fc.boolean(), { minLength: outputs.length, maxLength: outputs.length }),
    })
    .map(({ sort_by, distinct, offset, isFiltered, calls }) => {
      const select = request.select.map((entry, index) =>
        calls[index] && !isGeometry && isColumn(entry) ? called(entry) : entry,
      ) as Entry[]
      const filters = isFiltered ? {} : { filter: null, filters: null }
      return {
        table,
        request: { ...request, ...filters, select, sort_by, ...(distinct && { distinct }), offset },
      }
    })
}

const queries = tables(KEPT).chain((table) =>
  fc.boolean().chain((withPatterns) => queriesOver(table, withPatterns)),
)

t.test('what DuckDB has a part in = the naive evaluator', async (t) => {
  const { rows, datasets } = await startTestService(t, { workers: 2 })
  let cases = 0
  const seen = { rows: 0, sorted: 0, distinct: 0 }

  async function ask(request: object, from: object): Promise<Value[][]> {
    const table = await rows({ ...request, from })
    const columns = columnValues(table)
    return Array.from({ length: table.numRows }, (_, row) =>
      columns.map((column) => distinctValue(column[row] ?? null)),
    )
  }

  const generated = fc.tuple(queries.chain(withStatement), layouts)
  const property = fc.asyncProperty(generated, async ([{ table, request }, layout]) => {
    const folder = `case-${cases++}`
    writeFiles(join(datasets, folder), table, layout, EnabledStatistics.Page)
    writeFileSync(join(datasets, folder, 'all.arrow'), tableToIPC(toArrow(table), 'file'))
    const { rows, columns } = evaluate(JSON.stringify(request), table)
    const expected = rows.map((row) =>
      columns.map(({ cell, type }) => distinctValue(toValue(cell(row), type))),
    )
    seen.rows += rows.length
    if (request['sort_by']) seen.sorted += rows.length
    if (request['distinct']) seen.distinct += rows.length
    assert.deepEqual(await ask(request, { parquet: { paths: [`${folder}/*.parquet`] } }), expected)
    assert.deepEqual(await ask(request, { arrow: { paths: [`${folder}/all.arrow`] } }), expected)
  })
  await fc.assert(property, { numRuns: 100 })
  t.ok(
    seen.sorted > 50 && seen.distinct > 20 && seen.rows > 80,
    `requests give rows: ${JSON.stringify(seen)}`,
  )
})
