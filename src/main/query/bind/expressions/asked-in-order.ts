import {
  type CallExpression,
  callExpression,
  type Expression,
  type TypedExpression,
} from '../../../../plan/expression.ts'
import { conditionMayFail } from '../../../../plan/kernels/may-fail.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { all } from '../filters/combine.ts'
import { conditionExpression } from './condition-expression.ts'

/**
 * The filter of a scan so that a value which may fail, such as a cast, is asked for only in the rows that the conditions before it do not
 * decide: the conditions that all have to be true follow each other, and others are one expression.
 */
export function askedInOrder(filter: Predicate): Predicate {
  const conditions = filter.op === 'and' ? filter.args : [filter]
  return all(conditions.flatMap(splitRange).map(askedTogether))
}

/** A range of which one end is a constant and the other may fail, as two conditions, as DuckDB has it: the constant end is asked for first. */
function splitRange(condition: Predicate): readonly Predicate[] {
  if (condition.op !== 'compare' || condition.operand.kind !== 'call') return [condition]
  const { name, args, type, place }: CallExpression = condition.operand
  const [value, low, high] = args
  if (name !== 'between' || value === undefined || low === undefined || high === undefined) return [condition]
  const isSplit = (low.kind === 'constant') !== (high.kind === 'constant') && conditionMayFail(condition)
  if (!isSplit || condition.comparison !== 'eq' || condition.value !== YES) return [condition]
  const compare = (operator: string, end: Expression): Predicate =>
    isTrue(callExpression(operator, [value, end], type, place) as TypedExpression)
  return [compare('>=', low), compare('<=', high)]
}

/** The same for a condition that is evaluated at once. */
export function askedTogether(condition: Predicate): Predicate {
  const isOfSeveral = condition.op === 'and' || condition.op === 'or' || condition.op === 'not'
  return isOfSeveral && conditionMayFail(condition) ? isTrue(conditionExpression(condition, null)) : condition
}

const YES: Scalar = Object.freeze({ kind: 'bool', value: true })

/** A value of type BOOLEAN as a condition. */
export function isTrue(operand: TypedExpression): Predicate {
  return Object.freeze({ op: 'compare', operand, comparison: 'eq', value: YES })
}
