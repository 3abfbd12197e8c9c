import { type Expression, type ExpressionVisitor, visitExpression } from '../../../plan/expression.ts'
import { printScalar } from './print-scalar.ts'

/** Prints an expression for people to read: `temperature`, `Float64(20)`, `round("depth (m)", Int64(1))`. */
export function printExpression(expression: Expression): string {
  return visitExpression(expression, PRINTED)
}

const PRINTED: ExpressionVisitor<string> = Object.freeze({
  column: ({ column }) => printName(column),
  constant: ({ value, type }) => (value === null ? 'NULL' : printScalar(value, type)),
  call: ({ name, args }, visit) => `${name}(${args.map(visit).join(', ')})`,
} satisfies ExpressionVisitor<string>)

/** Prints a column name, in quotes unless it is one word. */
export function printName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(name) ? name : JSON.stringify(name)
}
