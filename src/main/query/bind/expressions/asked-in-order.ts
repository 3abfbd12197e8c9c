import type { TypedExpression } from '../../../../plan/expression.ts'
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
  return filter.op === 'and' ? all(filter.args.map(askedTogether)) : askedTogether(filter)
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
