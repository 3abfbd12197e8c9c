import { constantExpression, type TypedExpression } from '../../../../plan/expression.ts'
import { SQL_OPERATORS } from '../../../../plan/predicate/compare.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import { decline } from '../declined.ts'
import { bindCase, bindComparison, bindLogic } from './forms.ts'

const BOOL: DataType = Object.freeze({ kind: 'bool' })

/** A condition as an expression of type BOOLEAN, for calls that have it as an argument. */
export function conditionExpression(condition: Predicate, at: number | null): TypedExpression {
  const constant = (operand: TypedExpression, value: Scalar) => constantExpression(value, operand.type)
  switch (condition.op) {
    case 'and':
    case 'or':
      return bindLogic(
        condition.op,
        condition.args.map((arg) => conditionExpression(arg, at)),
        at,
      )
    case 'not':
      return bindLogic('not', [conditionExpression(condition.arg, at)], at)
    case 'constant':
      return constantExpression({ kind: 'bool', value: condition.value }, BOOL)
    case 'compare': {
      const { operand, comparison, value } = condition
      // A BOOLEAN that is a condition by itself.
      if (operand.type.kind === 'bool' && comparison === 'eq' && value.kind === 'bool' && value.value)
        return operand
      return bindComparison(SQL_OPERATORS[comparison], [operand, constant(operand, value)], at)
    }
    case 'between': {
      const { operand, low, high } = condition
      return bindComparison('between', [operand, constant(operand, low), constant(operand, high)], at)
    }
    case 'in': {
      const { operand, values } = condition
      return bindComparison('in', [operand, ...values.map((value) => constant(operand, value))], at)
    }
    case 'is_null':
    case 'is_not_null':
      return bindComparison(condition.op, [condition.operand], at)
    case 'where_known': {
      const value = constantExpression({ kind: 'bool', value: condition.value }, BOOL)
      return bindCase(
        [bindComparison('is_not_null', [condition.operand], at), value, constantExpression(null, BOOL)],
        at,
      )
    }
    case 'within':
      return decline('st_within_point inside of an expression', at)
  }
}
