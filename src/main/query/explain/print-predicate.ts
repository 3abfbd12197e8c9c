import type { TypedExpression } from '../../../plan/expression.ts'
import type { Comparison, Operand, Predicate } from '../../../plan/predicate/predicate.ts'
import { printExpression } from './print-expression.ts'
import { printScalar } from './print-scalar.ts'

const SYMBOLS: Readonly<Record<Comparison, string>> = Object.freeze({
  eq: '=',
  neq: '!=',
  gt: '>',
  gt_eq: '>=',
  lt: '<',
  lt_eq: '<=',
})

/** The most constants of an `in` that are printed. */
const MOST_PRINTED = 20

/** Prints a predicate for people to read: `temperature > Float64(20) AND "depth (m)" IS NULL`. */
export function printPredicate(predicate: Predicate): string {
  return printPredicateOf<TypedExpression>(predicate, printExpression)
}

/** As `printPredicate`, for operands of any kind, which `print` prints. */
export function printPredicateOf<O extends Operand>(
  predicate: Predicate<O>,
  print: (operand: O) => string,
): string {
  const printPart = (part: Predicate<O>): string => {
    const printed = printPredicateOf(part, print)
    return part.op === 'and' || part.op === 'or' ? `(${printed})` : printed
  }
  switch (predicate.op) {
    case 'and':
      return predicate.args.map(printPart).join(' AND ')
    case 'or':
      return predicate.args.map(printPart).join(' OR ')
    case 'not':
      return `NOT ${printPart(predicate.arg)}`
    case 'constant':
      return `Boolean(${predicate.value})`
    case 'within': {
      const point = `${print(predicate.longitude)}, ${print(predicate.latitude)}`
      return `within(${point}, geometry with box [${predicate.geometry.box.join(', ')}])`
    }
  }
  const operand = print(predicate.operand)
  switch (predicate.op) {
    case 'is_null':
      return `${operand} IS NULL`
    case 'is_not_null':
      return `${operand} IS NOT NULL`
    case 'where_known':
      return `CASE WHEN ${operand} IS NOT NULL THEN Boolean(${predicate.value}) END`
    case 'compare':
      return `${operand} ${SYMBOLS[predicate.comparison]} ${printScalar(predicate.value, predicate.operand.type)}`
    case 'between': {
      const { low, high } = predicate
      const { type } = predicate.operand
      return `${operand} BETWEEN ${printScalar(low, type)} AND ${printScalar(high, type)}`
    }
    case 'in': {
      const { values } = predicate
      const { type } = predicate.operand
      const printed = values.slice(0, MOST_PRINTED).map((value) => printScalar(value, type))
      if (values.length > MOST_PRINTED) printed.push(`… ${values.length - MOST_PRINTED} more`)
      return `${operand} IN (${printed.join(', ')})`
    }
  }
}
