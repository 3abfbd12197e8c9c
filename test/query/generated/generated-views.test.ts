import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { startTestService } from '../../e2e/service.ts'
import { columnValues, type Value } from '../../formats/values.ts'
import { post, SUPER_USER } from '../../http/test-server.ts'
import { fc } from '../../support/generate.ts'
import { toValue } from '../arrow-table.ts'
import { type Layout, layouts, WRITABLE, writeFiles } from '../files.ts'
import type { TestTable } from '../table.ts'
import { csvTables, csvText } from './csv-text.ts'
import { type GeneratedQuery, queriesOver, tables } from './generators.ts'
import { quoted, writeFilters } from './in-sql.ts'
import { answer } from './oracle.ts'
import { type GeneratedView, type Relation, relationOf, views } from './view-generators.ts'

/** Types that an answer to SQL has unchanged. Those of the others are in the tables of docs/reference/sql.md. */
const KEPT = WRITABLE.filter(
  (type) => type.kind !== 'time' && !(type.kind === 'timestamp' && type.zone !== null),
)

/** Ways to write one name in SQL. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => quoted(name),
  (name) => `public.${name}`,
  (name) => `"SERVICE".Public.${quoted(name.toLowerCase())}`,
]

/** A view, and a request over it. */
interface Step {
  readonly view: GeneratedView
  readonly query: GeneratedQuery
}

interface Case {
  readonly base: Relation
  readonly query: GeneratedQuery
  /** Each view is over the one before it. */
  readonly nested: readonly Step[]
  readonly layout: Layout
  readonly spell: (name: string) => string
}

/** Files of one table, named in one way. */
interface Files {
  readonly format: 'parquet' | 'csv'
  readonly paths: string
}

/** Every other request has all rows. */
const orAllRows = (queries: fc.Arbitrary<GeneratedQuery>): fc.Arbitrary<GeneratedQuery> =>
  fc
    .tuple(queries, fc.boolean())
    .map(([query, hasAll]) => (hasAll ? { ...query, request: { select: query.request.select } } : query))

/** Without geometries, which are compared with columns of files alone. */
const steps = (below: Relation): fc.Arbitrary<Step> =>
  views(below).chain((view) =>
    orAllRows(queriesOver(view.relation.table, true)).map((query) => ({ view, query })),
  )

const casesOver = (all: fc.Arbitrary<TestTable>): fc.Arbitrary<Case> =>
  all.chain((table) => {
    const base = relationOf(table)
    return fc.record({
      base: fc.constant(base),
      query: orAllRows(fc.boolean().chain((withPatterns) => queriesOver(table, withPatterns))),
      nested: steps(base).chain((first) =>
        steps(first.view.relation).map((second): readonly Step[] => [first, second]),
      ),
      layout: layouts,
      spell: fc.constantFrom(...SPELLINGS),
    })
  })

/** What asks each case in every way. */
async function startAsking(t: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(t, { workers: 2 })
  const seen = { rows: 0, through: 0, pruned: 0 }

  async function define(sql: string): Promise<void> {
    const response = await post(`${service.url}/api/query`, { sql }, SUPER_USER)
    assert.equal(response.status, 200, `${sql}: ${await response.text()}`)
  }

  async function rowsOf(body: object): Promise<Value[][]> {
    const table = await service.rows(body)
    const columns = columnValues(table)
    return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => column[row] ?? null))
  }

  /** Asks in JSON, as a simple SELECT, and in a way that only DuckDB answers. Returns the number of rows. */
  async function ask(relation: Relation, { request }: GeneratedQuery, from: object, inSql: string) {
    const { table, isOrdered } = relation
    const question = isOrdered ? request : { ...request, offset: null, limit: null }
    const types = typesOf(question, table)
    const arranged = (rows: Value[][]): Value[][] => (isOrdered ? rows : rows.toSorted(byText))
    const expected = answer(JSON.stringify(question), table).map((row) =>
      row.map((cell, place) => toValue(cell, types[place] ?? { kind: 'null' })),
    )
    const found = await rowsOf({ ...question, ...from })
    assert.deepEqual(arranged(found), arranged(expected), `JSON over ${JSON.stringify(from)}`)
    const sql = selectOf(relation, question)
    if (sql === null) return expected.length
    const kept = expected.map((row) => row.filter((_, place) => isColumn(question.select[place])))
    for (const more of ['', ', 0 * row_number() OVER ()']) {
      const statement = sql(inSql, more)
      const rows = (await rowsOf({ sql: statement })).map((row) => row.slice(0, kept[0]?.length))
      assert.deepEqual(arranged(rows), arranged(kept), statement)
    }
    return expected.length
  }

  async function unitsPruned(from: object, { request }: GeneratedQuery): Promise<number> {
    const body = { ...request, limit: null, ...from }
    const plan = await (await post(`${service.url}/api/explain-analyze-query`, body)).text()
    const found = [...plan.matchAll(/"units_pruned":\s*(\d+)/g)]
    return found.reduce((sum, [, units]) => sum + Number(units), 0)
  }

  /** The names are the same each time, so that nothing of the case before may be left. */
  async function askCase({ base, query, nested, spell }: Case, { format, paths }: Files): Promise<void> {
    await define(`CREATE OR REPLACE EXTERNAL TABLE Obs STORED AS ${format.toUpperCase()} LOCATION '${paths}'`)
    await ask(base, query, { from: { [format]: { paths: [paths] } } }, `read_${format}('${paths}')`)
    seen.rows += await ask(base, query, { from: 'Obs' }, spell('Obs'))
    let below = 'Obs'
    for (const [level, { view, query }] of nested.entries()) {
      const name = `View_${level}`
      await define(`CREATE OR REPLACE VIEW ${name} AS ${view.query(spell(below))}`)
      seen.through += await ask(view.relation, query, { from: name }, spell(name))
      seen.pruned += await unitsPruned({ from: name }, query)
      below = name
    }
  }

  return { datasets: service.datasets, seen, askCase }
}

t.test(
  'by path, by name and through views, of Parquet = without pruning = the naive evaluator',
  async (t) => {
    const { datasets, seen, askCase } = await startAsking(t)
    let count = 0
    const property = fc.asyncProperty(casesOver(tables(KEPT)), async (each) => {
      const folder = `case-${count++}`
      writeFiles(join(datasets, folder, 'with'), each.base.table, each.layout, EnabledStatistics.Page)
      writeFiles(join(datasets, folder, 'without'), each.base.table, each.layout, EnabledStatistics.None)
      for (const statistics of ['with', 'without'])
        await askCase(each, { format: 'parquet', paths: `${folder}/${statistics}/*.parquet` })
    })
    await fc.assert(property, { numRuns: 25 })
    t.ok(
      seen.rows > 50 && seen.through > 100 && seen.pruned > 2,
      `rows are asked for: ${JSON.stringify(seen)}`,
    )
  },
)

t.test('of CSV = the naive evaluator', async (t) => {
  const { datasets, seen, askCase } = await startAsking(t)
  let count = 0
  const property = fc.asyncProperty(casesOver(csvTables()), async (each) => {
    const folder = `case-${count++}`
    mkdirSync(join(datasets, folder))
    writeFileSync(join(datasets, folder, 'a.csv'), csvText(each.base.table))
    await askCase(each, { format: 'csv', paths: `${folder}/*.csv` })
  })
  await fc.assert(property, { numRuns: 25 })
  t.ok(seen.rows > 20 && seen.through > 40, `rows are asked for: ${JSON.stringify(seen)}`)
})

type Entry = GeneratedQuery['request']['select'][number]

function isColumn(entry: Entry | undefined): boolean {
  return typeof entry === 'string' || entry?.column !== undefined
}

/**
 * A request as a `SELECT` over what has a name, with more columns at its end. Null: it cannot be written in SQL, or has no
 * columns.
 */
function selectOf(
  { table, names }: Relation,
  request: GeneratedQuery['request'],
): ((from: string, more: string) => string) | null {
  const filters = writeFilters(request, table)
  const list = request.select.flatMap((entry, place) => {
    const column = typeof entry === 'string' ? entry : entry.column
    return column === undefined ? [] : [`${written(column)} AS c${place}`]
  })
  if (filters === null || list.length === 0) return null
  const { offset, limit } = request as { readonly offset?: number | null; readonly limit?: number | null }
  const cut = `${limit == null ? '' : ` LIMIT ${limit}`}${offset == null ? '' : ` OFFSET ${offset}`}`
  return (from, more) => `SELECT ${list.join(', ')}${more} FROM ${from} AS t WHERE ${filters(written)}${cut}`

  function written(name: string): string {
    return `t.${quoted(names[table.columns.findIndex((column) => column.name === name)] ?? '')}`
  }
}

function typesOf({ select }: GeneratedQuery['request'], table: TestTable): DataType[] {
  return select.map((entry) => {
    const name = typeof entry === 'string' ? entry : entry.column
    return table.columns.find((column) => column.name === name)?.type ?? { kind: 'null' }
  })
}

function byText(a: readonly Value[], b: readonly Value[]): number {
  const [one, other] = [a.map(String).join('\0'), b.map(String).join('\0')]
  return one < other ? -1 : Number(one > other)
}
