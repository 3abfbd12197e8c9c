import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableToIPC } from 'apache-arrow'
import t from 'tap'
import { grids, type MadeGrid, rowsOf } from '../../arrays/made-grid.ts'
import { LIBRARIES, writeHdf5 } from '../../arrays/write-grid.ts'
import { post, SUPER_USER } from '../../http/test-server.ts'
import { toArrow } from '../../query/arrow-table.ts'
import type { TestTable } from '../../query/table.ts'
import { quoted } from '../../sql/explained.ts'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { simpleStatements } from '../../sql/select/simple-statements.ts'
import { fc } from '../../support/generate.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

/** The rows of a view over some columns of a grid, the one that tells rows apart first if it is among them. */
function viewed(grid: MadeGrid, names: readonly string[]): TestTable {
  const { rows, columns } = rowsOf(grid, new Set(names), { isChunked: true })
  return { rows, columns: names.flatMap((name) => columns.filter((column) => column.name === name)) }
}

/** The names of the columns, the one that tells rows apart first. */
function namesOf(grid: MadeGrid): readonly string[] {
  const id = grid.arrays[0]?.name ?? ''
  const names = rowsOf(grid, null, { isChunked: true }).columns.map(({ name }) => name)
  return [id, ...names.filter((name) => name !== id)]
}

/** Statements need a few columns. */
const LEAST = 3

const cases = grids
  .filter((grid) => namesOf(grid).length > LEAST)
  .chain((grid) => {
    const [id = '', ...others] = namesOf(grid)
    return fc.tuple(fc.subarray(others, { minLength: LEAST }), fc.boolean()).chain(([some, hasId]) => {
      const table = viewed(grid, hasId ? [id, ...some] : some)
      return fc.record({
        grid: fc.constant(grid),
        table: fc.constant(table),
        hasId: fc.constant(hasId),
        statements: fc.array(simpleStatements(table), { minLength: 8, maxLength: 8 }),
        library: fc.constantFrom(...LIBRARIES),
      })
    })
  })

t.test(
  'whatever a query over a view leaves out, its rows are those of the columns that the view names',
  async (t) => {
    const service = await startTestService(t)
    async function define(sql: string): Promise<void> {
      const response = await post(`${service.url}/api/query`, { sql }, SUPER_USER)
      assert.equal(response.status, 200, `${sql}: ${await response.text()}`)
    }
    const { rowsOf: jsonRows } = answersOf(service)
    const counts = { cases: 0, statements: 0, core: 0 }
    const property = fc.asyncProperty(cases, async ({ grid, table, hasId, statements, library }) => {
      const name = `case_${counts.cases++}`
      const place = join(service.datasets, name)
      mkdirSync(place)
      await writeHdf5(join(place, 'chunks.h5'), grid, library)
      writeFileSync(join(place, 'rows.arrow'), tableToIPC(toArrow(table), 'file'))
      const list = table.columns.map((column) => quoted(column.name)).join(', ')
      await define(`CREATE VIEW ${name} AS SELECT ${list} FROM read_hdf5('${name}/chunks.h5')`)
      const counted = { select: [{ value: 1, alias: 'one' }], from: name }
      assert.equal((await jsonRows(counted)).length, table.rows, `JSON over ${list}`)
      for (const { sql, isOrdered } of statements) {
        // Without a column that tells rows apart it is not determined which of them a limit leaves.
        if (!hasId && /\b(LIMIT|OFFSET)\b/.test(sql('t'))) continue
        const { engine, core, duck } = await askBoth(service, sql(name))
        const { core: kept } = await askBoth(service, sql(`read_arrow('${name}/rows.arrow')`))
        const what = `${sql(name)} over ${list}\n`
        assert.ok(sameAnswers(core, kept, isOrdered), `${what}${show(core)}\n${show(kept)}`)
        assert.ok(sameAnswers(core, duck, isOrdered), `${what}${show(core)}\n${show(duck)}`)
        if (engine === 'core') counts.core++
        counts.statements++
      }
    })
    await fc.assert(property, { numRuns: 12, endOnFailure: true })
    t.ok(counts.statements > 20 && 2 * counts.core > counts.statements, JSON.stringify(counts))
  },
)
