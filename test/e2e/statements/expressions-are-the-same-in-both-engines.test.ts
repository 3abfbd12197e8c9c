import assert from 'node:assert/strict'
import { join } from 'node:path'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import { layouts, writeFiles } from '../../query/files.ts'
import { cells } from '../../query/generated/generators.ts'
import type { TestTable } from '../../query/table.ts'
import { numbered } from '../../sql/numbered.ts'
import { type AnswerOrError, askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import {
  EXPRESSION_COLUMNS,
  oddTimes,
  sqlConditions,
  sqlExpressions,
  sqlNumbers,
} from '../../sql/select/sql-expressions.ts'
import { fc } from '../../support/generate.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 2 })

const table: fc.Arbitrary<TestTable> = fc
  .integer({ min: 0, max: 40 })
  .chain((rows) =>
    fc
      .tuple(
        ...Object.entries(EXPRESSION_COLUMNS).map(([name, type]) =>
          cells(type, rows, oddTimes(type)).map((values) => ({ name, type, cells: values })),
        ),
      )
      .map((columns) => ({ rows, columns })),
  )

/** What follows FROM, and what is selected. */
interface Asked {
  readonly list: string
  readonly tail: string
  /** Whether floats are equal to the last bit, as those are that are not summed up. */
  readonly isExact: boolean
}

const rows = fc.tuple(sqlExpressions, fc.option(sqlConditions, { nil: null })).map(
  ([item, where]): Asked => ({
    list: `"row id", ${item} AS x`,
    tail: `${where === null ? '' : ` WHERE ${where}`} ORDER BY "row id"`,
    isExact: true,
  }),
)
const filtered = sqlConditions.map(
  (where): Asked => ({ list: '"row id"', tail: ` WHERE ${where} ORDER BY "row id"`, isExact: true }),
)
const grouped = fc.tuple(sqlExpressions, sqlNumbers).map(
  ([key, value]): Asked => ({
    list: `${key} AS k, count(*) AS n, min(${value}) AS least, max(${value}) AS most, count(DISTINCT ${value}) AS d`,
    tail: ' GROUP BY k ORDER BY min("row id")',
    isExact: true,
  }),
)
const summed = fc.tuple(sqlNumbers, sqlConditions).map(
  ([value, where]): Asked => ({
    list: `sum(TRY_CAST(${value} AS REAL)) AS s, round(avg(i8), 2) AS a, max(i32) / 3 AS m, count(*) * 2 AS n, count(*) FILTER (WHERE ${where}) AS f, min(day) FILTER (WHERE i16 > 1), max(${value}) FILTER (WHERE ${where}) AS g`,
    tail: ` WHERE ${where} GROUP BY flag HAVING count(*) + 1 > 2 ORDER BY min("row id") + 1`,
    isExact: false,
  }),
)
const ordered = sqlExpressions.map(
  (key): Asked => ({ list: '"row id"', tail: ` ORDER BY ${key}, "row id" LIMIT 7`, isExact: true }),
)

const asked = fc.oneof(
  { arbitrary: rows, weight: 4 },
  { arbitrary: filtered, weight: 3 },
  grouped,
  summed,
  ordered,
)

t.test('what the core computes is what DuckDB computes', async (t) => {
  const counts = { core: 0, left: 0, rows: 0, errors: 0 }
  let cases = 0
  const generated = fc.tuple(table.map(numbered), layouts, fc.array(asked, { minLength: 25, maxLength: 25 }))
  const property = fc.asyncProperty(generated, async ([written, layout, statements]) => {
    const folder = `case-${cases++}`
    writeFiles(join(service.datasets, folder), written, layout, EnabledStatistics.Page)
    for (const { list, tail, isExact } of statements) {
      const sql = `SELECT ${list} FROM read_parquet('${folder}/*.parquet')${tail}`
      const { engine, core, duck } = await askBoth(service, sql)
      if (engine === 'DuckDB') {
        counts.left++
        continue
      }
      const isSame = isExact ? areEqual(core, duck) : sameAnswers(core, duck, true)
      assert.ok(isSame, `${sql}\n${show(core)}\n${show(duck)}`)
      counts.core++
      if (typeof core === 'string') counts.errors++
      else counts.rows += core.rows.length
    }
  })
  await fc.assert(property, { numRuns: 8, endOnFailure: true })
  t.ok(counts.core > 20 && counts.rows > counts.core, JSON.stringify(counts))
})

/** An error of one engine has to be one of the other. */
function areEqual(core: AnswerOrError, duck: AnswerOrError): boolean {
  if (typeof core === 'string' || typeof duck === 'string') return typeof core === typeof duck
  const written = (answer: typeof core) =>
    show([answer.columns, answer.rows.map((row) => row.map((value) => `${value}`))])
  return written(core) === written(duck)
}
