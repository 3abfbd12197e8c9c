import t from 'tap'
import type { KnownColumn } from '../../../src/plan/condition/bounds.ts'
import { all, any, negation } from '../../../src/plan/condition/combine.ts'
import {
  between,
  type Condition,
  compare,
  isNotNull,
  isNull,
  isOneOf,
  whereNotNull,
  within,
} from '../../../src/plan/condition/condition.ts'
import { mayMatch, mustMatch } from '../../../src/plan/condition/prune.ts'
import { statisticsWidening } from '../../../src/plan/condition/widen-statistics.ts'
import { callExpression, columnExpression, constantExpression } from '../../../src/plan/expression.ts'
import type { Scalar } from '../../../src/plan/types/scalar.ts'
import type { DataType } from '../../../src/plan/types/schema.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }
const FLOAT: DataType = { kind: 'float', bits: 64 }
const ROWS = 10
const C = columnExpression('c', INT)
const C_FLOAT = columnExpression('c', FLOAT)

const int = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })
const float = (value: number): Scalar => ({ kind: 'float', value })
const compareC = (comparison: 'eq' | 'neq' | 'gt' | 'gt_eq' | 'lt' | 'lt_eq', value: Scalar): Condition =>
  compare(value.kind === 'int' ? C : C_FLOAT, comparison, value)
const match = (predicate: Condition, known: KnownColumn | null) => mayMatch(predicate, () => known, ROWS)

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
      const predicate = compareC(comparison as keyof typeof expected, int(Number(value)))
      t.equal(match(predicate, known), outcome, `${comparison} ${value}`)
    }
  }
  const constant = { type: INT, min: int(5), max: int(5) }
  t.equal(match(compareC('neq', int(5)), constant), false)
  t.equal(match(negation(compareC('eq', int(5))), constant), false)
})

t.test('an upper bound of floats says nothing of NaN', async (t) => {
  const known = { type: FLOAT, min: float(1), max: float(1) }
  for (const comparison of ['gt', 'gt_eq', 'neq'] as const) {
    t.equal(match(compareC(comparison, float(5)), known), true, comparison)
  }
  for (const comparison of ['eq', 'lt', 'lt_eq'] as const) {
    t.equal(match(compareC(comparison, float(0.5)), known), false, comparison)
  }
  t.equal(match(compareC('neq', float(1)), known), true)
  t.equal(match(compareC('eq', float(Number.NaN)), known), true)
  t.equal(match(compareC('gt', float(Number.NaN)), known), false)
  t.equal(match(between(C_FLOAT, float(2), float(9)), known), false)
  t.equal(match(isOneOf(C_FLOAT, [float(0), float(2)]), known), false)
  t.equal(match(isOneOf(C_FLOAT, [float(0), float(Number.NaN)]), known), true)
  t.equal(match(isOneOf(C_FLOAT, [float(3), float(Number.NaN)]), known), true)
  t.equal(match(between(C_FLOAT, float(2), float(Number.NaN)), known), true)
  t.equal(match(negation(compareC('lt', float(5))), known), true)
  t.equal(match(negation(any([compareC('lt', float(5)), compareC('eq', float(7))])), known), true)
})

t.test('unless it is exact: NaN would be beyond it', async (t) => {
  const known = { type: FLOAT, min: float(1), max: float(1), isMinExact: true, isMaxExact: true } as const
  for (const comparison of ['gt', 'gt_eq', 'eq'] as const)
    t.equal(match(compareC(comparison, float(5)), known), false, comparison)
  t.equal(match(compareC('gt_eq', float(1)), known), true)
  t.equal(match(compareC('neq', float(1)), known), false)
  t.equal(match(compareC('eq', float(Number.NaN)), known), false)
  const ofNaN = { ...known, min: float(Number.NaN), max: float(Number.NaN) }
  t.equal(match(compareC('gt', float(5)), ofNaN), true, 'a bound that is NaN says nothing')
})

t.test('unless another part of the filter excludes NaN', async (t) => {
  const known = { type: FLOAT, min: float(1), max: float(2) }
  const both = (left: Condition, right: Condition) => match(all([left, right]), known)
  const over = compareC('gt', float(30))
  const range = between(C_FLOAT, float(0), float(60))
  t.equal(both(over, compareC('lt', float(60))), false)
  t.equal(both(over, range), false)
  t.equal(both(over, compareC('neq', float(60))), true)
  t.equal(both(over, between(C_FLOAT, float(0), float(Number.NaN))), true)
  t.equal(both(over, between(columnExpression('other', FLOAT), float(0), float(60))), true)
  t.equal(match(any([over, compareC('lt', float(0))]), known), true)
  const negated: Condition = negation(any([over, compareC('lt', float(0))]))
  t.equal(match(negated, known), true)
  t.equal(match(negated, { type: FLOAT, min: float(31) }), false)
})

t.test('a negative zero is a zero', async (t) => {
  t.equal(match(compareC('eq', float(0)), { type: FLOAT, min: float(-0), max: float(-0) }), true)
  t.equal(match(compareC('lt', float(0)), { type: FLOAT, min: float(-0), max: float(0) }), false)
})

t.test('bounds that contradict themselves are ignored', async (t) => {
  t.equal(match(compareC('lt', float(0)), { type: FLOAT, min: float(Number.NaN), max: float(1) }), true)
  t.equal(match(compareC('lt', float(0)), { type: FLOAT, min: float(Number.NaN) }), true)
  t.equal(match(compareC('eq', int(5)), { type: INT, min: int(9), max: int(1) }), true)
  t.equal(match(isNull(C), { type: INT, nulls: ROWS + 5 }), true)
})

t.test('counts of nulls', async (t) => {
  const test = (op: 'is_null' | 'is_not_null', nulls: number) =>
    match(op === 'is_null' ? isNull(C) : isNotNull(C), { type: INT, nulls })
  t.same([test('is_null', 0), test('is_null', 1), test('is_null', ROWS)], [false, true, true])
  t.same([test('is_not_null', 0), test('is_not_null', 1), test('is_not_null', ROWS)], [true, true, false])
  const allNull = { type: INT, nulls: ROWS }
  t.equal(match(compareC('neq', int(1)), allNull), false)
  t.equal(match(negation(compareC('neq', int(1))), allNull), false)
  t.equal(match(whereNotNull(C, true), allNull), false)
  t.equal(match(whereNotNull(C, true), { type: INT, nulls: 1 }), true)
  t.equal(match(whereNotNull(C, false), { type: INT, nulls: 1 }), false)
})

t.test('a list of values, however long', async (t) => {
  const values = Array.from({ length: 1_000 }, (_, index) => int(index * 10))
  const among = (min: number, max: number) =>
    match(isOneOf(C, values), { type: INT, min: int(min), max: int(max) })
  t.same(
    [among(11, 19), among(11, 20), among(10, 11), among(9_991, 10_000), among(-5, -1)],
    [false, true, true, false, false],
  )
  t.equal(match(isOneOf(C, values), { type: INT, min: int(9_991) }), false)
  t.equal(match(isOneOf(C, values), { type: INT, max: int(-1) }), false)
  t.equal(match(isOneOf(C, values), { type: INT }), true)
  t.equal(match(isOneOf(C, []), { type: INT }), false)
})

t.test('the box of a geometry, strictly', async (t) => {
  const inBox = within(columnExpression('x', FLOAT), columnExpression('y', FLOAT), {
    polygons: [],
    lines: [],
    points: new Float64Array(),
    box: [0, 0, 10, 5],
  })
  const at = (x: KnownColumn | null, y: KnownColumn | null) =>
    mayMatch(inBox, (name) => (name === 'x' ? x : y), ROWS)
  const floats = (min: number, max: number) => ({ type: FLOAT, min: float(min), max: float(max) })
  t.equal(at(floats(-5, 0), null), false)
  t.equal(at(floats(-5, 0.1), null), true)
  t.equal(at(floats(10, 20), null), false)
  t.equal(at(null, floats(5, 6)), false)
  t.equal(at(floats(1, 2), { type: INT, min: int(6), max: int(9) }), false)
  t.equal(at(floats(1, 2), { type: INT, nulls: ROWS }), false)
  t.equal(at(null, null), true)
  const outside = () => floats(20, 30)
  t.equal(mayMatch(negation(inBox), outside, ROWS), true)
})

t.test('of a call without bounds nothing is known, and of a constant its value', async (t) => {
  const call = { ...callExpression('abs', [C]), type: INT }
  const constant = constantExpression(int(1), INT)
  const is = (value: number): Condition => compare(constant, 'eq', int(value))
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
    const predicates: readonly Condition[] = [
      compare(operand, 'eq', int(99)),
      isNotNull(operand),
      whereNotNull(operand, true),
      isOneOf(operand, [int(99)]),
    ]
    for (const predicate of predicates) {
      for (const each of [predicate, negation(predicate)]) {
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
