import type { Condition } from '../condition/condition.ts'
import { operandsOf } from '../condition/operands.ts'
import { type ExpressionVisitor, type TypedExpression, visitExpression } from '../expression.ts'
import { mayFail } from './kernels.ts'
import { matchTestOf } from './match-call.ts'

/** Whether some row may fail in an expression, as by an overflow. */
export function expressionMayFail(expression: TypedExpression): boolean {
  return visitExpression(expression, MAY_FAIL)
}

/** Whether some row may fail in what a condition compares. */
export function conditionMayFail(condition: Condition): boolean {
  return operandsOf(condition).some(expressionMayFail)
}

const MAY_FAIL: ExpressionVisitor<boolean> = Object.freeze({
  column: () => false,
  group: () => false,
  constant: () => false,
  call(call, visit) {
    const { name, args, type } = call
    if (args.some(visit) || type === null) return true
    // Nor does DuckDB fail in a row: a pattern that is none is an error of the query.
    if (matchTestOf(call) !== null) return false
    const types = args.flatMap((arg) => arg.type ?? [])
    return types.length < args.length || mayFail(name, types, type)
  },
} satisfies ExpressionVisitor<boolean>)
