import assert from 'node:assert/strict'
import t from 'tap'
import { pruneGrid } from '../../../src/main/query/plan/grid/index-ranges.ts'
import { addGrid } from '../../../src/main/query/plan/grid/known-grid.ts'
import { columnsIn } from '../../../src/main/query/source/column-in-file.ts'
import { aggregateByStatistics } from '../../../src/main/query/source/whole/known-aggregate.ts'
import { all, any } from '../../../src/plan/condition/combine.ts'
import type { Comparison } from '../../../src/plan/condition/compare.ts'
import { between, type Condition, compare } from '../../../src/plan/condition/condition.ts'
import { evenBlock, evenStatistics, evenValue } from '../../../src/plan/source/even-values.ts'
import type { Axis, Grid } from '../../../src/plan/source/grid.ts'
import { runToEnd } from '../../../src/plan/steps.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'

const FLOAT: DataType = { kind: 'float', bits: 64 }
const OPERAND = { kind: 'column', column: 'x', type: FLOAT } as const
const COMPARISONS: readonly Comparison[] = ['eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq']

const number = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.constantFrom(-0, 1e300, -1e300, 2 ** 53, 1e-300),
)

const cases = fc.record({
  size: fc.integer({ min: 1, max: 300 }),
  even: fc.record({
    origin: number,
    shift: fc.constantFrom(0, 0.5, -0.5, -3, 1e9),
    step: fc.oneof(fc.constantFrom(1, -1, 0.1, -0.25, 1e-9, 1e-320), number).filter((step) => step !== 0),
  }),
  conditions: fc.array(
    fc.record({
      kind: fc.constantFrom('between', 'either', ...COMPARISONS),
      /** The index whose value is compared, or how far from it. */
      index: fc.integer({ min: -5, max: 305 }),
      other: fc.oneof(fc.constant(null), number),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})

t.test('a filter leaves of computed values what it leaves of the same values one by one', async () => {
  const property = fc.property(cases, ({ size, even, conditions }) => {
    const float = (value: number): Scalar => ({ kind: 'float', value })
    const compareWith = (comparison: Comparison, value: number): Condition =>
      compare(OPERAND, comparison, float(value))
    const args = conditions.map(({ kind, index, other }): Condition => {
      const value = evenValue(even, index)
      if (kind === 'between') return between(OPERAND, float(other ?? value), float(value))
      if (kind === 'either') return any([compareWith('lt', value), compareWith('gt_eq', other ?? value)])
      return compareWith(kind, other ?? value)
    })
    const filter: Condition = all(args)
    const gridOf = (axis: Pick<Axis, 'block' | 'statistics' | 'even'>): Grid => ({
      kind: 'grid',
      shape: [size, 3],
      chunk: [4, 3],
      axes: [
        { dimension: 0, column: 'x', ...axis },
        { dimension: 1, column: null, block: 1, statistics: [] },
      ],
      isAtomic: false,
      decodedBytes: [8],
    })
    const singly = gridOf({
      block: 1,
      statistics: Array.from({ length: size }, (_, index) => evenStatistics(even, index, index + 1)),
    })
    const computed = gridOf({ block: evenBlock(size), statistics: [], even })
    const schema = { fields: [field('x', FLOAT)], metadata: {} }
    const columns = columnsIn({ schema }, { columns: [{ name: 'x', type: FLOAT }] })
    const leftOf = (grid: Grid) => runToEnd(pruneGrid(grid, filter, columns))
    assert.deepEqual(leftOf(computed), leftOf(singly))

    const aggregates = (grid: Grid) => {
      const all = (['min', 'max', 'count'] as const).map((kind) =>
        aggregateByStatistics({ kind, argument: 0 } as Parameters<typeof aggregateByStatistics>[0], [
          { name: 'x', expression: OPERAND } as unknown as Parameters<
            typeof aggregateByStatistics
          >[1][number],
        ]),
      )
      const summary = { schema, segments: grid, statistics: {} }
      const some = all.filter((each) => each !== null)
      const isKnown = runToEnd(addGrid(summary, grid, filter, columns, some))
      return isKnown ? some.map((each) => each.value()) : null
    }
    assert.deepEqual(aggregates(computed), aggregates(singly))
  })
  fc.assert(property, { numRuns: 1000 })
})
