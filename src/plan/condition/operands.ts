import type { TypedExpression } from '../expression.ts'
import { all, any, negation } from './combine.ts'
import { between, type Condition, compare, isNotNull, isNull, isOneOf, within } from './condition.ts'
import { testOf } from './test.ts'

/** What the tests of a condition compare, in order of appearance. */
export function operandsOf(condition: Condition): readonly TypedExpression[] {
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
    case 'or':
      return test.args.flatMap(operandsOf)
    case 'not':
      return operandsOf(test.arg)
    case 'within':
      return [test.longitude, test.latitude]
    case 'constant':
      return []
    default:
      return [test.operand]
  }
}

/** The same tests of other operands, which have the same values as constants. */
export function withOperands(
  condition: Condition,
  other: (operand: TypedExpression) => TypedExpression,
): Condition {
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
      return all(test.args.map((arg) => withOperands(arg, other)))
    case 'or':
      return any(test.args.map((arg) => withOperands(arg, other)))
    case 'not':
      return negation(withOperands(test.arg, other))
    case 'within':
      return within(other(test.longitude), other(test.latitude), test.geometry)
    case 'constant':
      return condition
    case 'is_null':
      return isNull(other(test.operand))
    case 'is_not_null':
      return isNotNull(other(test.operand))
    case 'compare':
      return compare(other(test.operand), test.comparison, test.value)
    case 'between':
      return between(other(test.operand), test.low, test.high)
    case 'in':
      return isOneOf(other(test.operand), test.values)
  }
}
