import t from 'tap'
import { callExpression, columnExpression, constantExpression } from '../../../src/plan/expression.ts'
import type { KnownColumn } from '../../../src/plan/predicate/bounds.ts'
import type { Predicate } from '../../../src/plan/predicate/predicate.ts'
import { mayMatch, mustMatch } from '../../../src/plan/predicate/prune.ts'
import { statisticsWidening } from '../../../src/plan/predicate/widen-statistics.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }
const FLOAT: DataType = { kind: 'float', bits: 64 }
const ROWS = 10
const C = columnExpression('c', INT)
const C_FLOAT = columnExpression('c', FLOAT)

const int = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })
const float = (value: number): Scalar => ({ kind: 'float', value })
const compare = (comparison: 'eq' | 'neq' | 'gt' | 'gt_eq' | 'lt' | 'lt_eq', value: Scalar): Predicate => ({
  op: 'compare',
  operand: value.kind === 'int' ? C : C_FLOAT,
  comparison,
  value,
})
const match = (predicate: Predicate, known: KnownColumn | null) => mayMatch(predicate, () => known, ROWS)

t.test('bounds of integers', async (t) => {
  const known = { type: INT, min: int(10), max: int(20) }
  const expected = {
    eq: { 9: false, 10: true, 20: true, 21: false },
    neq: { 9: true, 10: true, 20: true, 21: true },
    gt: { 9: true, 10: true, 20: false, 21: false },
    gt_eq: { 9: true, 10: true, 20: true, 21: false },
    lt: { 9: false, 10: false, 20: true, 21: true },
    lt_eq: { 9: false, 10: true, 20: true, 21: true },
  } as const
  for (const [comparison, outcomes] of Object.entries(expected)) {
    for (const [value, outcome] of Object.entries(outcomes)) {
      const predicate = compare(comparison as keyof typeof expected, int(Number(value)))
      t.equal(match(predicate, known), outcome, `${comparison} ${value}`)
    }
  }
  const constant = { type: INT, min: int(5), max: int(5) }
  t.equal(match(compare('neq', int(5)), constant), false)
  t.equal(match({ op: 'not', arg: compare('eq', int(5)) }, constant), false)
})

t.test('an upper bound of floats says nothing of NaN', async (t) => {
  const known = { type: FLOAT, min: float(1), max: float(1) }
  for (const comparison of ['gt', 'gt_eq', 'neq'] as const) {
    t.equal(match(compare(comparison, float(5)), known), true, comparison)
  }
  for (const comparison of ['eq', 'lt', 'lt_eq'] as const) {
    t.equal(match(compare(comparison, float(0.5)), known), false, comparison)
  }
  t.equal(match(compare('neq', float(1)), known), true)
  t.equal(match(compare('eq', float(Number.NaN)), known), true)
  t.equal(match(compare('gt', float(Number.NaN)), known), false)
  t.equal(match({ op: 'between', operand: C_FLOAT, low: float(2), high: float(9) }, known), false)
  t.equal(match({ op: 'in', operand: C_FLOAT, values: [float(0), float(2)] }, known), false)
  t.equal(match({ op: 'in', operand: C_FLOAT, values: [float(0), float(Number.NaN)] }, known), true)
  t.equal(match({ op: 'in', operand: C_FLOAT, values: [float(3), float(Number.NaN)] }, known), true)
  t.equal(match({ op: 'between', operand: C_FLOAT, low: float(2), high: float(Number.NaN) }, known), true)
  t.equal(match({ op: 'not', arg: compare('lt', float(5)) }, known), true)
  t.equal(
    match({ op: 'not', arg: { op: 'or', args: [compare('lt', float(5)), compare('eq', float(7))] } }, known),
    true,
  )
})

t.test('unless it is exact: NaN would be beyond it', async (t) => {
  const known = { type: FLOAT, min: float(1), max: float(1), isMinExact: true, isMaxExact: true } as const
  for (const comparison of ['gt', 'gt_eq', 'eq'] as const)
    t.equal(match(compare(comparison, float(5)), known), false, comparison)
  t.equal(match(compare('gt_eq', float(1)), known), true)
  t.equal(match(compare('neq', float(1)), known), false)
  t.equal(match(compare('eq', float(Number.NaN)), known), false)
  const ofNaN = { ...known, min: float(Number.NaN), max: float(Number.NaN) }
  t.equal(match(compare('gt', float(5)), ofNaN), true, 'a bound that is NaN says nothing')
})

t.test('unless another part of the filter excludes NaN', async (t) => {
  const known = { type: FLOAT, min: float(1), max: float(2) }
  const both = (left: Predicate, right: Predicate) => match({ op: 'and', args: [left, right] }, known)
  const over = compare('gt', float(30))
  const range = { op: 'between', operand: C_FLOAT, low: float(0), high: float(60) } as const
  t.equal(both(over, compare('lt', float(60))), false)
  t.equal(both(over, range), false)
  t.equal(both(over, compare('neq', float(60))), true)
  t.equal(both(over, { ...range, high: float(Number.NaN) }), true)
  t.equal(both(over, { ...range, operand: columnExpression('other', FLOAT) }), true)
  t.equal(match({ op: 'or', args: [over, compare('lt', float(0))] }, known), true)
  const negated: Predicate = { op: 'not', arg: { op: 'or', args: [over, compare('lt', float(0))] } }
  t.equal(match(negated, known), true)
  t.equal(match(negated, { type: FLOAT, min: float(31) }), false)
})

t.test('a negative zero is a zero', async (t) => {
  t.equal(match(compare('eq', float(0)), { type: FLOAT, min: float(-0), max: float(-0) }), true)
  t.equal(match(compare('lt', float(0)), { type: FLOAT, min: float(-0), max: float(0) }), false)
})

t.test('bounds that contradict themselves are ignored', async (t) => {
  t.equal(match(compare('lt', float(0)), { type: FLOAT, min: float(Number.NaN), max: float(1) }), true)
  t.equal(match(compare('lt', float(0)), { type: FLOAT, min: float(Number.NaN) }), true)
  t.equal(match(compare('eq', int(5)), { type: INT, min: int(9), max: int(1) }), true)
  t.equal(match({ op: 'is_null', operand: C }, { type: INT, nulls: ROWS + 5 }), true)
})

t.test('counts of nulls', async (t) => {
  const test = (op: 'is_null' | 'is_not_null', nulls: number) =>
    match({ op, operand: C }, { type: INT, nulls })
  t.same([test('is_null', 0), test('is_null', 1), test('is_null', ROWS)], [false, true, true])
  t.same([test('is_not_null', 0), test('is_not_null', 1), test('is_not_null', ROWS)], [true, true, false])
  const allNull = { type: INT, nulls: ROWS }
  t.equal(match(compare('neq', int(1)), allNull), false)
  t.equal(match({ op: 'not', arg: compare('neq', int(1)) }, allNull), false)
  t.equal(match({ op: 'where_known', operand: C, value: true }, allNull), false)
  t.equal(match({ op: 'where_known', operand: C, value: true }, { type: INT, nulls: 1 }), true)
  t.equal(match({ op: 'where_known', operand: C, value: false }, { type: INT, nulls: 1 }), false)
})

t.test('a list of values, however long', async (t) => {
  const values = Array.from({ length: 1_000 }, (_, index) => int(index * 10))
  const among = (min: number, max: number) =>
    match({ op: 'in', operand: C, values }, { type: INT, min: int(min), max: int(max) })
  t.same(
    [among(11, 19), among(11, 20), among(10, 11), among(9_991, 10_000), among(-5, -1)],
    [false, true, true, false, false],
  )
  t.equal(match({ op: 'in', operand: C, values }, { type: INT, min: int(9_991) }), false)
  t.equal(match({ op: 'in', operand: C, values }, { type: INT, max: int(-1) }), false)
  t.equal(match({ op: 'in', operand: C, values }, { type: INT }), true)
  t.equal(match({ op: 'in', operand: C, values: [] }, { type: INT }), false)
})

t.test('the box of a geometry, strictly', async (t) => {
  const within: Predicate = {
    op: 'within',
    longitude: columnExpression('x', FLOAT),
    latitude: columnExpression('y', FLOAT),
    geometry: { polygons: [], lines: [], points: new Float64Array(), box: [0, 0, 10, 5] },
  }
  const at = (x: KnownColumn | null, y: KnownColumn | null) =>
    mayMatch(within, (name) => (name === 'x' ? x : y), ROWS)
  const floats = (min: number, max: number) => ({ type: FLOAT, min: float(min), max: float(max) })
  t.equal(at(floats(-5, 0), null), false)
  t.equal(at(floats(-5, 0.1), null), true)
  t.equal(at(floats(10, 20), null), false)
  t.equal(at(null, floats(5, 6)), false)
  t.equal(at(floats(1, 2), { type: INT, min: int(6), max: int(9) }), false)
  t.equal(at(floats(1, 2), { type: INT, nulls: ROWS }), false)
  t.equal(at(null, null), true)
  const outside = () => floats(20, 30)
  t.equal(mayMatch({ op: 'not', arg: within }, outside, ROWS), true)
})

t.test('of a call without bounds nothing is known, and of a constant its value', async (t) => {
  const call = { ...callExpression('abs', [C]), type: INT }
  const constant = constantExpression(int(1), INT)
  const is = (value: number): Predicate => ({
    op: 'compare',
    operand: constant,
    comparison: 'eq',
    value: int(value),
  })
  for (const [value, passes] of [
    [1, true],
    [99, false],
  ] as const) {
    t.equal(
      mayMatch(is(value), () => null, ROWS),
      passes,
    )
    t.equal(
      mustMatch(is(value), () => null, ROWS),
      passes,
    )
  }
  const allNull = () => ({ type: INT, min: int(1), max: int(1), nulls: ROWS })
  for (const operand of [call]) {
    const predicates: readonly Predicate[] = [
      { op: 'compare', operand, comparison: 'eq', value: int(99) },
      { op: 'is_not_null', operand },
      { op: 'where_known', operand, value: true },
      { op: 'in', operand, values: [int(99)] },
    ]
    for (const predicate of predicates) {
      for (const each of [predicate, { op: 'not', arg: predicate } as const]) {
        t.equal(mayMatch(each, allNull, ROWS), true)
        t.equal(mustMatch(each, allNull, ROWS), false)
      }
    }
  }
})

t.test('statistics are converted to the type that the scan reads', async (t) => {
  const known = { min: int(-3), max: int(4), nulls: 2 }
  t.same(statisticsWidening({ kind: 'int', bits: 8, signed: true }, FLOAT)(known, ROWS), {
    type: FLOAT,
    min: float(-3),
    max: float(4),
    nulls: 2,
  })
  const seconds: DataType = { kind: 'timestamp', unit: 'second', zone: null }
  const nanoseconds: DataType = { kind: 'timestamp', unit: 'nanosecond', zone: 'UTC' }
  t.match(statisticsWidening(seconds, nanoseconds)(known, ROWS), { min: { value: -3_000_000_000n } })
  t.same(statisticsWidening({ kind: 'null' }, INT)({ nulls: 0 }, ROWS), { type: INT, nulls: ROWS })
  t.equal(statisticsWidening(INT, INT)(null, ROWS), null)
  t.same(
    statisticsWidening(TEXT, TEXT)(known, ROWS),
    { type: TEXT, nulls: 2 },
    'a bound of the wrong kind is dropped',
  )
})

const TEXT: DataType = { kind: 'utf8' }
