import assert from 'node:assert/strict'
import { join } from 'node:path'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import type { Source } from '../../src/main/query/source/files-table.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import type { ScanPlan } from '../../src/plan/plan.ts'
import { PARQUET } from '../formats/product.ts'
import type { Value } from '../formats/values.ts'
import { toValue } from '../query/arrow-table.ts'
import { type Layout, layouts, WRITABLE, writeFiles } from '../query/files.ts'
import { type GeneratedQuery, queriesOver, tables } from '../query/generated/generators.ts'
import type { TestTable } from '../query/table.ts'
import { fc } from '../support/generate.ts'
import { finishedRows } from './oracle.ts'
import { type Ending, endings, NO_FILES, planWith, scanTypes } from './plans.ts'
import { type Pool, startPool } from './pool.ts'

interface Case {
  readonly query: GeneratedQuery
  readonly layout: Layout
  readonly ending: Ending
  readonly batchRows: number
}

function cases(mayRound: boolean): fc.Arbitrary<Case> {
  return fc
    .tuple(tables(WRITABLE).chain(queriesOver), layouts, fc.constantFrom(1, 10, 1000))
    .chain(([query, layout, batchRows]) =>
      endings(scanTypes(query), mayRound).map((ending) => ({ query, layout, ending, batchRows })),
    )
}

/** Bytes and rows of an answer, or the code of its error. */
interface Outcome {
  readonly bytes: string
  readonly rows: unknown
}

async function outcomeOf(
  pool: Pool,
  folder: string,
  batchRows: number,
  planOf: (source: Source) => ScanPlan,
): Promise<Outcome> {
  try {
    const table = await pool.table(folder, PARQUET)
    // Partials are merged as soon as there are two.
    const { bytes, rows } = await pool.run(planOf(table), table, { mergeBytes: 1, batchRows })
    return { bytes: bytes.toString('hex'), rows: rows.map((row) => row.map(withoutSign)) }
  } catch (error) {
    if (isServiceError(error) && error.code === 'type_mismatch') return { bytes: '', rows: error.code }
    throw error
  }
}

function expectedOf(plan: ScanPlan, table: TestTable): unknown {
  const types = plan.output.fields.map(({ type }) => type)
  try {
    return finishedRows(plan, table).map((row) =>
      row.map((cell, place) => withoutSign(toValue(cell, types[place] ?? { kind: 'null' }))),
    )
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
}

/** It does not matter which of equal values is the least: −0.0 becomes 0.0. */
function withoutSign(value: Value): Value {
  return value === '-0' ? '0' : value
}

t.test('any plan gives what the naive evaluator gives, on any number of workers', async (t) => {
  const pools = [1, 2, 3].map((workers) => startPool(t, workers))
  const root = t.testdir({})
  let folders = 0

  async function outcomes({ query, layout, ending, batchRows }: Case, statistics: EnabledStatistics) {
    const folder = join(root, String(folders++))
    writeFiles(folder, query.table, layout, statistics)
    const found: Outcome[] = []
    for (const pool of pools)
      found.push(await outcomeOf(pool, folder, batchRows, (source) => planWith(query, source, ending)))
    for (const { bytes } of found) assert.equal(bytes, found[0]?.bytes)
    return found[0]?.rows
  }

  await fc.assert(
    fc.asyncProperty(cases(false), async (each) => {
      const { query, ending } = each
      const expected = expectedOf(planWith(query, NO_FILES, ending), query.table)
      assert.deepEqual(await outcomes(each, EnabledStatistics.Page), expected, 'with statistics')
      assert.deepEqual(await outcomes(each, EnabledStatistics.None), expected, 'without')
    }),
    { numRuns: 150 },
  )
  await fc.assert(
    fc.asyncProperty(cases(true), async (each) => {
      await outcomes(each, EnabledStatistics.Page)
    }),
    { numRuns: 50 },
  )
  t.ok(folders >= 350)
})
