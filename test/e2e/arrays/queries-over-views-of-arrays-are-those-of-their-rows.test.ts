import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { grids, type MadeGrid, rowsOf } from '../../arrays/made-grid.ts'
import { classicFile, LIBRARIES, writeHdf5 } from '../../arrays/write-grid.ts'
import { columnValues } from '../../formats/values.ts'
import { post, SUPER_USER } from '../../http/test-server.ts'
import { quoted } from '../../query/generated/in-sql.ts'
import { fc } from '../../support/generate.ts'
import { startTestService } from '../service.ts'
import { SERVICES } from './services.ts'

/** A column of a view, and its type in the file. */
interface ViewColumn {
  readonly name: string
  readonly type: DataType
  readonly source: string
}

/** A view over arrays. Its condition may be on a column that is not in its list. */
interface View {
  readonly columns: readonly ViewColumn[]
  readonly where: string
  /** Whether another view is between it and the file. */
  readonly isNested: boolean
}

/** What is asked of a view, by what stands for the view in SQL or in JSON. */
type Question = (inSql: string, inJson: unknown) => Readonly<Record<string, unknown>>

function views(grid: MadeGrid): fc.Arbitrary<View> {
  const all = rowsOf(grid, null).columns
  const column = fc.constantFrom(...all)
  return fc
    .record({
      list: fc.uniqueArray(column, { selector: ({ name }) => name, minLength: 1, maxLength: 4 }),
      filter: fc.option(fc.tuple(column, fc.constantFrom('IS NULL', 'IS NOT NULL'))),
      isNested: fc.boolean(),
    })
    .map(({ list, filter, isNested }) => ({
      columns: list.map(({ name, type }, index) => ({ name: `k${index}`, type, source: quoted(name) })),
      where: filter === null ? '' : ` WHERE ${quoted(filter[0].name)} ${filter[1]}`,
      isNested,
    }))
}

/** Sums of these have no rounding, and fit. */
const isSmall = ({ type }: ViewColumn): boolean => type.kind === 'int' && type.bits <= 32

function questions({ columns }: View): fc.Arbitrary<Question> {
  const names = columns.map(({ name }) => name)
  const some = fc.shuffledSubarray(names, { minLength: 1 })
  const name = fc.constantFrom(...names)
  const where = fc
    .option(fc.tuple(name, fc.constantFrom('IS NULL', 'IS NOT NULL')))
    .map((filter) => (filter === null ? '' : ` WHERE ${filter.join(' ')}`))
  const cut = fc.record({ offset: fc.integer({ min: 0, max: 3 }), limit: fc.integer({ min: 1, max: 40 }) })
  const aggregates = fc.subarray(
    [
      'count(*)',
      ...columns.flatMap((each) => [
        `count(${each.name})`,
        `min(${each.name})`,
        `max(${each.name})`,
        ...(isSmall(each) ? [`sum(${each.name})`] : []),
      ]),
    ],
    { minLength: 1 },
  )
  const asked = (sql: string): Question => {
    return (from) => ({ sql: sql.replace('FROM v', `FROM ${from}`) })
  }
  return fc.oneof(
    fc
      .tuple(some, where, fc.option(cut))
      .map(([list, where, cut]) =>
        asked(
          `SELECT ${list.join(', ')} FROM v${where}${cut === null ? '' : ` LIMIT ${cut.limit} OFFSET ${cut.offset}`}`,
        ),
      ),
    fc.tuple(aggregates, where).map(([list, where]) => asked(`SELECT ${list.join(', ')} FROM v${where}`)),
    fc
      .tuple(some, some)
      .map(([list, keys]) => asked(`SELECT ${list.join(', ')} FROM v ORDER BY ${keys.join(', ')}`)),
    fc
      .tuple(some, aggregates)
      .map(([keys, list]) =>
        asked(
          `SELECT ${[...keys, ...list].join(', ')} FROM v GROUP BY ${keys.join(', ')} ORDER BY ${keys.join(', ')}`,
        ),
      ),
    fc
      .tuple(some, where)
      .map(([list, where]) => asked(`SELECT count(*) FROM (SELECT ${list} FROM v${where})`)),
    fc
      .record({
        select: some,
        sort: fc.option(fc.tuple(name, fc.constantFrom('Asc', 'Desc'))),
        isDistinct: fc.boolean(),
        filter: fc.option(name),
        cut: fc.option(cut),
      })
      .map(({ select, sort, isDistinct, filter, cut }): Question => {
        const request = {
          select,
          ...(filter !== null && { filters: [{ is_not_null: { column: filter } }] }),
          ...(isDistinct && { distinct: { on: select, select } }),
          ...(sort !== null && !isDistinct && { sort_by: [{ [sort[1]]: sort[0] }] }),
          ...cut,
        }
        return (_, from) => ({ ...request, from })
      }),
  )
}

const cases = grids.chain((grid) =>
  views(grid).chain((view) =>
    fc.record({
      grid: fc.constant(grid),
      view: fc.constant(view),
      asked: fc.array(questions(view), { minLength: 8, maxLength: 8 }),
      library: fc.constantFrom(...LIBRARIES),
    }),
  ),
)

for (const [service, options] of Object.entries(SERVICES))
  t.test(service, async (t) => {
    const { url, datasets, rows, query } = await startTestService(t, options)
    const seen = { cases: 0, values: 0, byCore: 0, notRead: 0 }

    async function define(sql: string): Promise<void> {
      const response = await post(`${url}/api/query`, { sql }, SUPER_USER)
      assert.equal(response.status, 200, `${sql}: ${await response.text()}`)
    }

    async function compare(asked: Question, view: string, file: string): Promise<void> {
      const ofView = asked(view, view)
      const found = columnValues(await rows(ofView))
      const expected = columnValues(
        await rows(asked(`read_parquet('${file}')`, { parquet: { paths: [file] } })),
      )
      assert.deepEqual(found, expected, JSON.stringify(ofView))
      seen.values += expected.flat().filter((value) => value !== null).length
      const plan = await (await post(`${url}/api/explain-query`, ofView)).text()
      if (!plan.includes('DuckDB')) seen.byCore++
      if (plan.includes('Rows Of')) seen.notRead++
    }

    const property = fc.asyncProperty(cases, async ({ grid, view, asked, library }) => {
      const number = seen.cases++
      const folder = `case-${number}`
      mkdirSync(join(datasets, folder))
      writeFileSync(join(datasets, folder, 'a.nc'), classicFile(grid, false))
      await writeHdf5(join(datasets, folder, 'a.h5'), grid, library)
      for (const [format, path] of [
        ['netcdf', `${folder}/a.nc`],
        ['hdf5', `${folder}/a.h5`],
      ]) {
        const name = `${format}_${number}`
        const list = view.columns.map(({ name, source }) => `${source} AS ${name}`).join(', ')
        const own = view.isNested ? `${name}_below` : name
        await define(`CREATE VIEW ${own} AS SELECT ${list} FROM read_${format}('${path}')${view.where}`)
        if (view.isNested) await define(`CREATE VIEW ${name} AS SELECT * FROM ${own}`)
        const kept = await query({ sql: `SELECT * FROM ${name}`, output: { format: 'parquet' } })
        assert.equal(kept.status, 200)
        const file = `${folder}/${format}.parquet`
        writeFileSync(join(datasets, file), new Uint8Array(await kept.arrayBuffer()))
        for (const each of asked) await compare(each, name, file)
      }
    })
    await fc.assert(property, { numRuns: 12, endOnFailure: true })
    t.ok(seen.values > 100 && seen.byCore > 100 && seen.notRead > 10, JSON.stringify(seen))
  })
