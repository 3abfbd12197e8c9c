import {
  type CallExpression,
  type Expression,
  type ExpressionVisitor,
  visitExpression,
} from '../../../plan/expression.ts'
import { typeName } from '../../../plan/types/schema.ts'
import { printScalar } from './print-scalar.ts'

/**
 * Prints an expression for people to read: `temperature > Float64(20) AND "depth (m)" IS NULL`, `round("depth (m)", Int64(1))`. `groups`
 * are the names of the columns of groups.
 */
export function printExpression(expression: Expression, groups: readonly string[] = []): string {
  return visitExpression(expression, printerOver(groups))
}

/** Operators that stand between their arguments. */
const INFIX: ReadonlySet<string> = new Set([
  ...['+', '-', '*', '/', '//', '%', '=', '<>', '<', '<=', '>', '>=', 'and', 'or'],
  ...['is_distinct_from', 'is_not_distinct_from'],
])

/** The most constants of an `in` that are printed. */
const MOST_PRINTED = 20

function printerOver(groups: readonly string[]): ExpressionVisitor<string> {
  return {
    column: ({ column }) => printName(column),
    group: ({ index }) => groups[index] ?? `#${index}`,
    constant({ value, type, subquery }) {
      if (subquery !== undefined) return `$${subquery}`
      return value === null ? 'NULL' : printScalar(value, type)
    },
    call: (call, visit) => printCondition(call, visit) ?? printCall(call, visit),
  }
}

type Print = (arg: Expression) => string

/** A condition in the form that SQL has for it. Null: it has none of its own. */
function printCondition({ name, args, geometry }: CallExpression, print: Print): string | null {
  const inBrackets = (arg: Expression): string => (isLogic(arg) ? `(${print(arg)})` : print(arg))
  const [first, ...others] = args
  if (first === undefined) return null
  switch (name) {
    case 'and':
    case 'or':
      return args.map(inBrackets).join(` ${name.toUpperCase()} `)
    case 'not':
      return `NOT ${inBrackets(first)}`
    case 'is_null':
      return `${operand(first, print)} IS NULL`
    case 'is_not_null':
      return `${operand(first, print)} IS NOT NULL`
    case 'between':
      return `${operand(first, print)} BETWEEN ${others.map((arg) => operand(arg, print)).join(' AND ')}`
    case 'in': {
      const printed = others.slice(0, MOST_PRINTED).map(print)
      if (others.length > MOST_PRINTED) printed.push(`… ${others.length - MOST_PRINTED} more`)
      return `${operand(first, print)} IN (${printed.join(', ')})`
    }
    case 'within':
      return `within(${args.map(print).join(', ')}, geometry with box [${geometry?.box.join(', ')}])`
    default:
      return null
  }
}

function isLogic(arg: Expression): boolean {
  return arg.kind === 'call' && (arg.name === 'and' || arg.name === 'or')
}

function printCall({ name, args, type }: CallExpression, print: Print): string {
  if (INFIX.has(name) && args.length > 1) {
    const operator = name === '<>' ? '!=' : name.toUpperCase().replaceAll('_', ' ')
    return args.map((arg) => operand(arg, print)).join(` ${operator} `)
  }
  if ((name === 'cast' || name === 'try_cast') && type !== null)
    return `${name}(${args.map(print).join(', ')} AS ${typeName(type)})`
  return `${name}(${args.map(print).join(', ')})`
}

/** An argument of an operator. */
function operand(arg: Expression, print: Print): string {
  return arg.kind === 'call' && INFIX.has(arg.name) && arg.args.length > 1 ? `(${print(arg)})` : print(arg)
}

/** Prints a column name, in quotes unless it is one word. */
export function printName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(name) ? name : JSON.stringify(name)
}
