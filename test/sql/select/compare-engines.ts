import assert from 'node:assert/strict'
import { join } from 'node:path'
import { EnabledStatistics } from 'parquet-wasm'
import type { Test } from 'tap'
import type { DataType } from '../../../src/plan/types/schema.ts'
import type { TestService } from '../../e2e/service.ts'
import { layouts, writeFiles } from '../../query/files.ts'
import { cells } from '../../query/generated/generators.ts'
import type { TestTable } from '../../query/table.ts'
import { fc } from '../../support/generate.ts'
import { numbered } from '../numbered.ts'
import { type AnswerOrError, askBoth, sameAnswers, show } from './both-engines.ts'

/** A statement over generated files: what is selected, and what follows FROM. `$FILES` are the files, for subqueries. */
export interface Asked {
  readonly list: string
  readonly tail: string
  /** Whether floats are equal to the last bit, as those are that are not summed up. */
  readonly isExact: boolean
}

/** Tables of up to 40 rows. `more` gives further values of a type. */
export function tablesOf(
  columns: Readonly<Record<string, DataType>>,
  more: (type: DataType) => readonly bigint[] = () => [],
): fc.Arbitrary<TestTable> {
  return fc
    .integer({ min: 0, max: 40 })
    .chain((rows) =>
      fc
        .tuple(
          ...Object.entries(columns).map(([name, type]) =>
            cells(type, rows, more(type)).map((values) => ({ name, type, cells: values })),
          ),
        )
        .map((columns) => ({ rows, columns })),
    )
}

/**
 * Whether DuckDB may fail for a row that another condition has left out: it tests conditions in the order that takes it the least time. The core
 * fails for rows alone that those before it have left.
 */
function hasSeveralConditions(tail: string): boolean {
  return / (AND|OR) /.test(tail.replaceAll(/BETWEEN (?:(?! AND ).)* AND /g, ''))
}

/** Asks generated statements of both engines. Those that the core declines are not compared. */
export async function compareEngines(
  t: Test,
  service: TestService,
  table: fc.Arbitrary<TestTable>,
  asked: fc.Arbitrary<Asked>,
): Promise<void> {
  const counts = { core: 0, left: 0, answered: 0, rows: 0, errors: 0 }
  let cases = 0
  const generated = fc.tuple(table.map(numbered), layouts, fc.array(asked, { minLength: 25, maxLength: 25 }))
  const property = fc.asyncProperty(generated, async ([written, layout, statements]) => {
    const folder = `case-${cases++}`
    writeFiles(join(service.datasets, folder), written, layout, EnabledStatistics.Page)
    for (const { list, tail, isExact } of statements) {
      const files = `read_parquet('${folder}/*.parquet')`
      const sql = `SELECT ${list} FROM ${files}${tail}`.replaceAll('$FILES', () => files)
      const { engine, core, duck } = await askBoth(service, sql)
      if (engine === 'DuckDB') {
        counts.left++
        continue
      }
      if (typeof duck === 'string' && typeof core !== 'string' && hasSeveralConditions(tail)) {
        counts.left++
        continue
      }
      const isSame = isExact ? areEqual(core, duck) : sameAnswers(core, duck, true)
      assert.ok(isSame, `${sql}\n${show(core)}\n${show(duck)}`)
      counts.core++
      if (typeof core === 'string') counts.errors++
      else {
        counts.rows += core.rows.length
        counts.answered += Number(core.rows.length > 0)
      }
    }
  })
  await fc.assert(property, { numRuns: 8, endOnFailure: true })
  // How many rows there are depends on the few tables, of which some have one row or none.
  t.ok(counts.core > 20 && counts.answered > 20, JSON.stringify(counts))
}

/** An error of one engine has to be one of the other. */
function areEqual(core: AnswerOrError, duck: AnswerOrError): boolean {
  if (typeof core === 'string' || typeof duck === 'string') return typeof core === typeof duck
  const written = (answer: typeof core) =>
    show([answer.columns, answer.rows.map((row) => row.map((value) => `${value}`))])
  return written(core) === written(duck)
}
