import { NEGATION } from '../../../../plan/condition/bounds.ts'
import { all, any, negation } from '../../../../plan/condition/combine.ts'
import type { Comparison } from '../../../../plan/condition/compare.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { conjunctsOf, testOf } from '../../../../plan/condition/test.ts'
import type { CallExpression } from '../../../../plan/expression.ts'
import { infinityOf, isAnyTime } from '../../../../plan/kernels/calendar.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { comparedFloat } from './of-floats.ts'
import { comparedFormat } from './of-formats.ts'
import { betweenIntegers, comparedRising, risingCall } from './of-integers.ts'
import { comparedText } from './of-texts.ts'

/** Longer lists are compared with the values of the call. */
const MOST_VALUES = 16

/**
 * A filter that passes the same rows, in which comparisons of calls are comparisons of their arguments where these are exact: `year(t) = 2024`
 * is a range of times. Nothing is computed then, and what prunes by columns prunes by such conditions. Rows in which the filter is false and
 * in which it is unknown are not told apart.
 */
export function compareArguments(filter: Condition): Condition {
  return changeFor(filter, true) ?? filter
}

/** The condition that is true for the rows in which another one is `truth`. Null: nothing in it changes. */
function changeFor(condition: Condition, truth: boolean): Condition | null {
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
    case 'or': {
      const args = test.args.map((arg) => changeFor(arg, truth))
      if (args.every((arg) => arg === null)) return null
      const whole = args.map((arg, index) => arg ?? asIs(test.args[index], truth))
      return truth === (test.op === 'and') ? all(whole) : any(whole)
    }
    case 'not':
      return changeFor(test.arg, !truth)
    case 'compare': {
      const { operand, comparison, value } = test
      if (operand.kind !== 'call') return null
      const next = compareCall(operand, truth ? comparison : NEGATION[comparison], value)
      return value.kind === 'bool' ? next : again(next)
    }
    case 'between': {
      const { operand, low, high } = test
      if (operand.kind !== 'call') return null
      const from = compareCall(operand, truth ? 'gt_eq' : 'lt', low)
      const to = compareCall(operand, truth ? 'lt_eq' : 'gt', high)
      if (from === null || to === null) return null
      return again(truth ? together(from, to) : any([from, to]))
    }
    case 'in': {
      const { operand, values } = test
      if (operand.kind !== 'call' || values.length > MOST_VALUES) return null
      const each = values.map((value) => compareCall(operand, truth ? 'eq' : 'neq', value))
      const some = each.filter((one) => one !== null)
      if (some.length < each.length) return null
      return again(truth ? any(joinRanges(some)) : all(some))
    }
    default:
      return null
  }
}

/** The arguments may be calls too. */
function again(condition: Condition | null): Condition | null {
  return condition && compareArguments(condition)
}

function asIs(condition: Condition | undefined, truth: boolean): Condition {
  if (condition === undefined) throw new TypeError('a condition without arguments')
  return truth ? condition : negation(condition)
}

/** The rows in which a call compares so with a constant. Null: that is not told by its arguments alone. */
function compareCall(call: CallExpression, comparison: Comparison, value: Scalar): Condition | null {
  switch (value.kind) {
    case 'int': {
      const rising = isBounded(call, value.value) ? risingCall(call) : null
      return rising && comparedRising(rising, comparison, value.value)
    }
    case 'float':
      return comparedFloat(call, comparison, value.value)
    case 'bool':
      return compareTest(call, comparison, value.value)
    case 'bytes':
      return comparedFormat(call, comparison, value.value)
  }
}

/** Whether a value of a call is no infinite time. */
function isBounded({ type }: CallExpression, value: bigint): boolean {
  if (!isAnyTime(type)) return true
  const infinity = infinityOf(type)
  return value < infinity && value > -infinity
}

function compareTest(call: CallExpression, comparison: Comparison, value: boolean): Condition | null {
  if (comparison !== 'eq' && comparison !== 'neq') return null
  const holds = comparedText(call)
  if (holds === null) return null
  if (value === (comparison === 'eq')) return holds
  // Of a pattern, the beginning tells nothing of the rows that do not match.
  return conjunctsOf(holds).includes(call as Condition) ? null : negation(holds)
}

/** Two bounds of one value as one condition. */
function together(from: Condition, to: Condition): Condition {
  const [first, last] = [testOf(from), testOf(to)]
  if (first.op === 'between' && last.op === 'between' && first.low.kind === 'int' && last.high.kind === 'int')
    return betweenIntegers(first.operand, first.low.value, last.high.value)
  if (
    first.op === 'compare' &&
    last.op === 'compare' &&
    first.value.kind === 'int' &&
    last.value.kind === 'int'
  )
    if (first.comparison === 'gt_eq' && last.comparison === 'lt')
      return betweenIntegers(first.operand, first.value.value, last.value.value - 1n)
  return all([from, to])
}

/** Ranges of one operand of which each begins where the last one ended, as one. */
function joinRanges(ranges: readonly Condition[]): readonly Condition[] {
  const list: Condition[] = []
  for (const range of ranges) {
    const joined = joinRange(list.at(-1), range)
    if (joined === null) list.push(range)
    else list[list.length - 1] = joined
  }
  return list
}

/** Null: one of them is no range of integers, or the second does not begin where the first one ended. */
function joinRange(before: Condition | undefined, range: Condition): Condition | null {
  const first = before && testOf(before)
  const last = testOf(range)
  if (first?.op !== 'between' || last.op !== 'between') return null
  if (first.low.kind !== 'int' || first.high.kind !== 'int') return null
  if (last.low.kind !== 'int' || last.high.kind !== 'int' || first.high.value + 1n !== last.low.value)
    return null
  return betweenIntegers(first.operand, first.low.value, last.high.value)
}
