import { SQL_OPERATORS } from '../../../../plan/condition/compare.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { testOf } from '../../../../plan/condition/test.ts'
import { constantExpression, type TypedExpression } from '../../../../plan/expression.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { decline } from '../declined.ts'
import { bindComparison, bindLogic } from './forms.ts'

/**
 * A condition as a value, which calls have as an argument. Declines tests that the core makes of columns and not of values: that of a point in a
 * geometry, and those of types that no function has.
 */
export function conditionAsValue(condition: Condition, at: number | null): TypedExpression {
  const test = testOf(condition)
  const compared = (name: string, operand: TypedExpression, values: readonly Scalar[]): TypedExpression => {
    const constants = values.map((value) => constantExpression(value, operand.type))
    return bindComparison(name, [operand, ...constants], at)
  }
  switch (test.op) {
    case 'and':
    case 'or':
      return bindLogic(
        test.op,
        test.args.map((arg) => conditionAsValue(arg, at)),
        at,
      )
    case 'not':
      return bindLogic('not', [conditionAsValue(test.arg, at)], at)
    case 'constant':
      return condition
    case 'compare':
      // A BOOLEAN that is a condition by itself.
      if (test.operand === condition) return condition
      return compared(SQL_OPERATORS[test.comparison], test.operand, [test.value])
    case 'between':
      return compared('between', test.operand, [test.low, test.high])
    case 'in':
      return compared('in', test.operand, test.values)
    case 'is_null':
    case 'is_not_null':
      return bindComparison(test.op, [test.operand], at)
    case 'within':
      return decline('st_within_point inside of an expression', at)
  }
}
