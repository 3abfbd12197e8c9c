import assert from 'node:assert/strict'
import t from 'tap'
import { pruneGrid } from '../../../src/main/query/plan/grid/index-ranges.ts'
import { columnsIn } from '../../../src/main/query/source/column-in-file.ts'
import { all } from '../../../src/plan/condition/combine.ts'
import type { Comparison } from '../../../src/plan/condition/compare.ts'
import { between, type Condition, compare } from '../../../src/plan/condition/condition.ts'
import { mayMatch, mustMatch } from '../../../src/plan/condition/prune.ts'
import type { Grid } from '../../../src/plan/source/grid.ts'
import type { ColumnStatistics } from '../../../src/plan/source/statistics.ts'
import { runToEnd } from '../../../src/plan/steps.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'

const FLOAT: DataType = { kind: 'float', bits: 64 }
const INT: DataType = { kind: 'int', bits: 64, signed: true }

const COMPARISONS: readonly Comparison[] = ['eq', 'neq', 'gt', 'gt_eq', 'lt', 'lt_eq']

const cases = fc.record({
  isFloat: fc.boolean(),
  values: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 90, size: 'max' }),
  order: fc.constantFrom('ascending', 'descending', 'none'),
  block: fc.integer({ min: 1, max: 3 }),
  /** The index of a value that is null, NaN or not told; that of no value if there are fewer. */
  odd: fc.record({ index: fc.nat(400), as: fc.constantFrom('null', 'nan', 'unknown') }),
  conditions: fc.array(
    fc.oneof(
      fc.record({ comparison: fc.constantFrom(...COMPARISONS), value: fc.integer({ min: -11, max: 11 }) }),
      fc.record({ low: fc.integer({ min: -11, max: 11 }), high: fc.integer({ min: -11, max: 11 }) }),
      fc.constant({ isOther: true }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
  isNaNAsked: fc.boolean(),
})

t.test('what a filter leaves of a sorted axis is what it leaves block by block', async () => {
  const property = fc.property(cases, ({ isFloat, values, order, block, odd, conditions, isNaNAsked }) => {
    const type = isFloat ? FLOAT : INT
    const scalar = (value: number): Scalar =>
      isFloat ? { kind: 'float', value } : { kind: 'int', value: BigInt(value) }
    const ordered =
      order === 'none' ? values : values.toSorted((a, b) => (order === 'ascending' ? a - b : b - a))
    const blocks = Math.ceil(ordered.length / block)
    const statistics = Array.from({ length: blocks }, (_, index): ColumnStatistics | null => {
      const some = ordered.slice(index * block, (index + 1) * block)
      const isOdd = odd.index === index
      if (isOdd && odd.as === 'unknown') return null
      const hasNaN = isOdd && odd.as === 'nan' && isFloat
      return {
        min: scalar(Math.min(...some)),
        max: scalar(Math.max(...some)),
        nulls: isOdd && odd.as === 'null' ? 1 : 0,
        isMinExact: true,
        ...(!hasNaN && { isMaxExact: true as const }),
      }
    })
    const operand = { kind: 'column', column: 'x', type } as const
    const args = conditions.map((each, index): Condition => {
      if ('isOther' in each) return compare({ ...operand, column: 'v' }, 'gt', scalar(0))
      if ('low' in each) return between(operand, scalar(each.low), scalar(each.high))
      const isNaNValue = isNaNAsked && isFloat && index === 0
      const value = isNaNValue ? scalar(Number.NaN) : scalar(each.value)
      return compare(operand, each.comparison, value)
    })
    const [only, ...others] = args
    const filter: Condition = only !== undefined && others.length === 0 ? only : all(args)
    const size = ordered.length
    const grid: Grid = {
      kind: 'grid',
      shape: [size],
      chunk: [4],
      axes: [{ dimension: 0, column: 'x', block, statistics }],
      isAtomic: false,
      decodedBytes: [8, 8],
    }
    const fields = ['x', 'v'].map((name) => field(name, type))
    const columns = columnsIn(
      { schema: { fields, metadata: {} } },
      { columns: fields.map(({ name, type }) => ({ name, type })) },
    )
    const [left] = runToEnd(pruneGrid(grid, filter, columns))
    const own = args.filter((_, index) => !('isOther' in (conditions[index] ?? {})))
    const expected: number[] = []
    let isSure = true
    for (const [index, each] of statistics.entries()) {
      const rows = Math.min(size, (index + 1) * block) - index * block
      const known = (name: string) => (name === 'x' && each !== null ? { ...each, type } : null)
      if (own.length > 0 && !mayMatch(filter, known, rows)) continue
      for (let at = 0; at < rows; at++) expected.push(index * block + at)
      isSure &&= own.every((condition) => mustMatch(condition, known, rows))
    }
    const found = left?.ranges.flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, n) => from + n),
    )
    assert.deepEqual(found, expected)
    assert.equal(left?.isSure, isSure)
    const ends = left?.ranges.slice(1).map(({ from }, index) => from - (left.ranges[index]?.to ?? 0)) ?? []
    assert.ok(
      ends.every((gap) => gap > 0),
      'there are indices between ranges',
    )
  })
  fc.assert(property, { numRuns: 3000 })
})
