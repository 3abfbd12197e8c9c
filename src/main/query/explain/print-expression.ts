import { type Expression, type ExpressionVisitor, visitExpression } from '../../../plan/expression.ts'
import { typeName } from '../../../plan/types/schema.ts'
import { printScalar } from './print-scalar.ts'

/**
 * Prints an expression for people to read: `temperature`, `Float64(20)`, `round("depth (m)", Int64(1))`, `t * Float64(1.8)`. `groups` are
 * the names of the columns of groups.
 */
export function printExpression(expression: Expression, groups: readonly string[] = []): string {
  return visitExpression(expression, printerOver(groups))
}

/** Operators that stand between their arguments. */
const INFIX: ReadonlySet<string> = new Set([
  ...['+', '-', '*', '/', '//', '%', '=', '<>', '<', '<=', '>', '>=', 'and', 'or'],
  ...['is_distinct_from', 'is_not_distinct_from'],
])

function printerOver(groups: readonly string[]): ExpressionVisitor<string> {
  return {
    column: ({ column }) => printName(column),
    group: ({ index }) => groups[index] ?? `#${index}`,
    constant({ value, type, subquery }) {
      if (subquery !== undefined) return `$${subquery}`
      return value === null ? 'NULL' : printScalar(value, type)
    },
    call({ name, args, type }, visit) {
      const printPart = (arg: Expression): string => {
        const printed = visit(arg)
        return arg.kind === 'call' && INFIX.has(arg.name) && arg.args.length > 1 ? `(${printed})` : printed
      }
      if (INFIX.has(name) && args.length > 1)
        return args.map(printPart).join(` ${name.toUpperCase().replaceAll('_', ' ')} `)
      if ((name === 'cast' || name === 'try_cast') && type !== null)
        return `${name}(${args.map(visit).join(', ')} AS ${typeName(type)})`
      return `${name}(${args.map(visit).join(', ')})`
    },
  }
}

/** Prints a column name, in quotes unless it is one word. */
export function printName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(name) ? name : JSON.stringify(name)
}
