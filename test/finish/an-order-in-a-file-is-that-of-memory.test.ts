import assert from 'node:assert/strict'
import { join } from 'node:path'
import { EnabledStatistics } from 'parquet-wasm'
import t from 'tap'
import type { SortSizes } from '../../src/main/output/sort/sort-options.ts'
import { PARQUET } from '../formats/product.ts'
import { type Layout, layouts, WRITABLE, writeFiles } from '../query/files.ts'
import { type GeneratedQuery, queriesOver, tables } from '../query/generated/generators.ts'
import { fc } from '../support/generate.ts'
import { type Ending, endings, planWith, scanTypes } from './plans.ts'
import { startPool } from './pool.ts'

interface Case {
  readonly query: GeneratedQuery
  readonly layout: Layout
  readonly ending: Ending
  readonly sizes: SortSizes
}

const bytes = fc.constantFrom(1, 64, 300, 2000)

/** Orders of any columns, also of several parts, and sizes that make any number of runs, blocks and steps. */
function cases(): fc.Arbitrary<Case> {
  return fc
    .tuple(
      tables(WRITABLE).chain(queriesOver),
      layouts,
      fc.record({ runBytes: bytes, blockBytes: bytes, stepBytes: bytes }),
    )
    .chain(([query, layout, sizes]) =>
      endings(scanTypes(query), false)
        .filter(
          ({ finish: { grouping, firsts, isCounted, order } }) =>
            grouping === null && firsts === undefined && !isCounted && order.length > 0,
        )
        .map((ending) => ({ query, layout, ending, sizes })),
    )
}

t.test('rows that are sorted in a file come as those that are sorted in memory', async (t) => {
  const pools = [1, 2, 3].map((workers) => startPool(t, workers))
  const root = t.testdir({})
  let folders = 0
  let steps = 0
  await fc.assert(
    fc.asyncProperty(cases(), async ({ query, layout, ending, sizes }) => {
      const folder = join(root, String(folders++))
      writeFiles(folder, query.table, layout, EnabledStatistics.Page)
      const found: string[] = []
      for (const pool of pools) {
        const table = await pool.table(folder, PARQUET)
        const plan = planWith(query, table, ending)
        const inMemory = await pool.run(plan, table)
        // Nothing fits: of rows with a limit neither.
        const inFile = await pool.run(plan, table, { heldBytes: 0, sizes, mergeBytes: 1 << 30 })
        assert.deepEqual(inFile.rows, inMemory.rows)
        found.push(inFile.bytes.toString('hex'))
        steps += inFile.metrics.length - inMemory.metrics.length
      }
      for (const each of found) assert.equal(each, found[0], 'the bytes depend on the number of workers')
    }),
    { numRuns: 50 },
  )
  t.ok(steps > 0, `${steps} more tasks than in memory`)
})
