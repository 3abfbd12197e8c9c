import assert from 'node:assert/strict'
import t from 'tap'
import { impliedByFilters } from '../../src/main/query/explained/filter-text.ts'
import { truthOf } from '../../src/plan/condition/truth.ts'
import { columnNameOf } from '../../src/plan/expression.ts'
import { FILTERABLE, tables } from '../query/generated/generators.ts'
import { cellIn, interpret } from '../query/generated/interpret.ts'
import { schemaOf } from '../query/table.ts'
import { fc } from '../support/generate.ts'
import { createExplainer } from './explained.ts'
import { numbered } from './numbered.ts'
import { statements } from './wheres.ts'

const TYPES = [
  ...FILTERABLE,
  { kind: 'date', unit: 'millisecond' },
  { kind: 'time', unit: 'nanosecond' },
] as const

t.test('a row that DuckDB keeps passes the predicate of a scan', async (t) => {
  const explainer = await createExplainer()
  const counts = { filters: 0, understood: 0, kept: 0, dropped: 0 }
  const cases = tables(TYPES)
    .map(numbered)
    .chain((table) =>
      fc.tuple(fc.constant(table), fc.array(statements(table), { minLength: 8, maxLength: 8 })),
    )
  const property = fc.property(cases, ([table, wheres]) => {
    explainer.use(table)
    const schema = schemaOf(table)
    for (const statement of wheres) {
      const kept = explainer.numbers(statement)
      // DuckDB fails, for instance because of a cast or of a literal that does not fit.
      if (kept === null) continue
      const passing = new Set<number>()
      const scans = explainer.filters(statement)
      for (const filters of scans) {
        const predicate = impliedByFilters(filters, schema)
        counts.filters += filters.length
        counts.understood += Number(predicate !== null)
        if (predicate !== null)
          assert.equal(
            truthOf(predicate, null),
            interpret(predicate, () => null),
          )
        for (let row = 0; row < table.rows; row++)
          if (
            predicate === null ||
            interpret(predicate, (operand) => cellIn(table, columnNameOf(operand) ?? '', row)) === true
          )
            passing.add(row)
      }
      for (const row of kept)
        assert.ok(
          scans.length === 0 || passing.has(row),
          `row ${row} of ${statement('t')} ${JSON.stringify(scans)}`,
        )
      counts.kept += kept.length
      counts.dropped += table.rows - passing.size
    }
  })
  fc.assert(property, { numRuns: 60, endOnFailure: true })
  t.ok(counts.understood > 0.7 * counts.filters && counts.dropped > 0.3 * counts.kept, JSON.stringify(counts))
})
