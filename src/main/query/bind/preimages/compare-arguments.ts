import type { CallExpression } from '../../../../plan/expression.ts'
import { infinityOf, isAnyTime } from '../../../../plan/kernels/calendar.ts'
import { NEGATION } from '../../../../plan/predicate/bounds.ts'
import type { Comparison, Predicate } from '../../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { all, any, negation } from '../filters/combine.ts'
import { comparedFloat } from './of-floats.ts'
import { comparedFormat } from './of-formats.ts'
import { between, comparedRising, risingCall } from './of-integers.ts'
import { comparedText } from './of-texts.ts'

/** Longer lists are compared with the values of the call. */
const MOST_VALUES = 16

/**
 * A filter that passes the same rows, in which comparisons of calls are comparisons of their arguments where these are exact: `year(t) = 2024`
 * is a range of times. Nothing is computed then, and what prunes by columns prunes by such conditions. Rows in which the filter is false and
 * in which it is unknown are not told apart.
 */
export function compareArguments(filter: Predicate): Predicate {
  return changeFor(filter, true) ?? filter
}

/** The predicate that is true for the rows in which another one is `truth`. Null: nothing in it changes. */
function changeFor(predicate: Predicate, truth: boolean): Predicate | null {
  switch (predicate.op) {
    case 'and':
    case 'or': {
      const args = predicate.args.map((arg) => changeFor(arg, truth))
      if (args.every((arg) => arg === null)) return null
      const whole = args.map((arg, index) => arg ?? asIs(predicate.args[index], truth))
      return truth === (predicate.op === 'and') ? all(whole) : any(whole)
    }
    case 'not':
      return changeFor(predicate.arg, !truth)
    case 'compare': {
      const { operand, comparison, value } = predicate
      if (operand.kind !== 'call') return null
      const next = compareCall(operand, truth ? comparison : NEGATION[comparison], value)
      return value.kind === 'bool' ? next : again(next)
    }
    case 'between': {
      const { operand, low, high } = predicate
      if (operand.kind !== 'call') return null
      const from = compareCall(operand, truth ? 'gt_eq' : 'lt', low)
      const to = compareCall(operand, truth ? 'lt_eq' : 'gt', high)
      if (from === null || to === null) return null
      return again(truth ? together(from, to) : any([from, to]))
    }
    case 'in': {
      const { operand, values } = predicate
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
function again(predicate: Predicate | null): Predicate | null {
  return predicate && compareArguments(predicate)
}

function asIs(predicate: Predicate | undefined, truth: boolean): Predicate {
  if (predicate === undefined) throw new TypeError('a condition without arguments')
  return truth ? predicate : negation(predicate)
}

/** The rows in which a call compares so with a constant. Null: that is not told by its arguments alone. */
function compareCall(call: CallExpression, comparison: Comparison, value: Scalar): Predicate | null {
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

function compareTest(call: CallExpression, comparison: Comparison, value: boolean): Predicate | null {
  if (comparison !== 'eq' && comparison !== 'neq') return null
  const holds = comparedText(call)
  if (holds === null) return null
  if (value === (comparison === 'eq')) return holds
  // Of a pattern, the beginning tells nothing of the rows that do not match.
  const isWhole = holds.op === 'and' ? holds.args.every((arg) => !isOf(arg, call)) : !isOf(holds, call)
  return isWhole ? negation(holds) : null
}

function isOf(predicate: Predicate, call: CallExpression): boolean {
  return predicate.op === 'compare' && predicate.operand === call
}

/** Two bounds of one value as one condition. */
function together(from: Predicate, to: Predicate): Predicate {
  if (from.op === 'between' && to.op === 'between' && from.low.kind === 'int' && to.high.kind === 'int')
    return between(from.operand, from.low.value, to.high.value)
  if (from.op === 'compare' && to.op === 'compare' && from.value.kind === 'int' && to.value.kind === 'int')
    if (from.comparison === 'gt_eq' && to.comparison === 'lt')
      return between(from.operand, from.value.value, to.value.value - 1n)
  return all([from, to])
}

/** Ranges of one operand of which each begins where the last one ended, as one. */
function joinRanges(ranges: readonly Predicate[]): readonly Predicate[] {
  const list: Predicate[] = []
  for (const range of ranges) {
    const last = list.at(-1)
    if (
      last?.op === 'between' &&
      range.op === 'between' &&
      last.high.kind === 'int' &&
      range.low.kind === 'int' &&
      range.high.kind === 'int' &&
      last.low.kind === 'int' &&
      last.high.value + 1n === range.low.value
    )
      list[list.length - 1] = between(last.operand, last.low.value, range.high.value)
    else list.push(range)
  }
  return list
}
