import assert from 'node:assert/strict'
import t from 'tap'
import { bindSelect } from '../../../src/main/query/core/bind/bind-select.ts'
import { parseSelect } from '../../../src/main/query/core/parse/parse-select.ts'
import { tokenize } from '../../../src/main/sql/text/tokens.ts'
import { TRUE } from '../../../src/plan/condition/condition.ts'
import { operandsOf } from '../../../src/plan/condition/operands.ts'
import { columnNameOf } from '../../../src/plan/expression.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import type { ScanPlan } from '../../../src/plan/plan.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'
import { PARQUET } from '../../formats/product.ts'
import { FILTERABLE, tables } from '../../query/generated/generators.ts'
import { cellIn, interpret } from '../../query/generated/interpret.ts'
import { type Cell, schemaOf, type TestTable } from '../../query/table.ts'
import { fc } from '../../support/generate.ts'
import { createExplainer, type Statement } from '../explained.ts'
import { numbered } from '../numbered.ts'
import { simpleConditions } from './simple-conditions.ts'

t.test('the core keeps the rows that DuckDB keeps, no others', async (t) => {
  const explainer = await createExplainer()
  const counts = { bound: 0, left: 0, kept: 0, dropped: 0 }
  const cases = tables([
    ...FILTERABLE,
    { kind: 'date', unit: 'millisecond' },
    { kind: 'time', unit: 'nanosecond' },
  ])
    .map(numbered)
    .chain((table) =>
      fc.tuple(
        fc.constant(table),
        fc.array(simpleConditions(table.columns), { minLength: 12, maxLength: 12 }),
      ),
    )
  const property = fc.property(cases, ([table, wheres]) => {
    explainer.use(table)
    for (const where of wheres) {
      const statement: Statement = (name) => `SELECT "row id" FROM ${name} WHERE ${where}`
      const plan = planOf(statement("read_parquet('t')"), table)
      // What is computed before it is compared is compared with DuckDB's by the whole service.
      const isPlain = operandsOf(plan?.scan.filter ?? TRUE).every(({ kind }) => kind === 'column')
      if (plan === null || !isPlain) {
        counts.left++
        continue
      }
      const { filter, columns } = plan.scan
      const cell = (name: string, row: number): Cell => {
        const to = columns.find((column) => column.name === name)?.type
        const from = table.columns.find((column) => column.name === name)?.type
        return to && from ? widened(cellIn(table, name, row), from, to) : null
      }
      const rows = Array.from({ length: table.rows }, (_, row) => row).filter(
        (row) =>
          filter === null || interpret(filter, (operand) => cell(columnNameOf(operand) ?? '', row)) === true,
      )
      assert.deepEqual(rows, explainer.numbers(statement), statement('t'))
      counts.bound++
      counts.kept += rows.length
      counts.dropped += table.rows - rows.length
    }
  })
  fc.assert(property, { numRuns: 80, endOnFailure: true })
  t.ok(
    counts.bound > 1.5 * counts.left && counts.kept > counts.bound && counts.dropped > counts.bound,
    JSON.stringify(counts),
  )
})

/** Null: the core declines the statement. */
function planOf(sql: string, table: TestTable): ScanPlan | null {
  const parsed = parseSelect(tokenize(sql), FORMATS)
  if ('reason' in parsed) return null
  const bound = bindSelect(parsed.done, {
    relation: 't',
    format: PARQUET,
    files: [],
    schema: schemaOf(table),
    summaries: [],
    unlisted: null,
    isNarrowed: false,
  })
  return 'done' in bound ? bound.done : null
}

const MICROSECONDS = { second: 1_000_000n, millisecond: 1_000n, microsecond: 1n, nanosecond: 0n }

/** A cell, widened to the type of its column in the scan. */
function widened(cell: Cell, from: DataType, to: DataType): Cell {
  const isFiner =
    (to.kind === 'time' || to.kind === 'timestamp') && from.kind === to.kind && from.unit !== to.unit
  return isFiner && typeof cell === 'bigint' ? cell * MICROSECONDS[from.unit] : cell
}
