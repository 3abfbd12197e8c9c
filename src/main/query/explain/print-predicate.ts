import type { Comparison, Predicate } from '../../../plan/predicate/predicate.ts'
import { printScalar } from './print-scalar.ts'

const SYMBOLS: Readonly<Record<Comparison, string>> = Object.freeze({
  eq: '=',
  neq: '!=',
  gt: '>',
  gt_eq: '>=',
  lt: '<',
  lt_eq: '<=',
})

/** Constants of an `in` that are printed. */
const MOST_PRINTED = 20

/** A predicate for people to read: `temperature > Float64(20) AND "depth (m)" IS NULL`. */
export function printPredicate(predicate: Predicate, printColumn = printName): string {
  const printOperand = (part: Predicate): string => {
    const printed = printPredicate(part, printColumn)
    return part.op === 'and' || part.op === 'or' ? `(${printed})` : printed
  }
  switch (predicate.op) {
    case 'and':
      return predicate.args.map(printOperand).join(' AND ')
    case 'or':
      return predicate.args.map(printOperand).join(' OR ')
    case 'not':
      return `NOT ${printOperand(predicate.arg)}`
    case 'constant':
      return `Boolean(${predicate.value})`
    case 'within': {
      const point = `${printColumn(predicate.longitude)}, ${printColumn(predicate.latitude)}`
      return `within(${point}, geometry with box [${predicate.geometry.box.join(', ')}])`
    }
  }
  const column = printColumn(predicate.column)
  switch (predicate.op) {
    case 'is_null':
      return `${column} IS NULL`
    case 'is_not_null':
      return `${column} IS NOT NULL`
    case 'where_known':
      return `CASE WHEN ${column} IS NOT NULL THEN Boolean(${predicate.value}) END`
    case 'compare':
      return `${column} ${SYMBOLS[predicate.comparison]} ${printScalar(predicate.value, predicate.type)}`
    case 'between': {
      const { type, low, high } = predicate
      return `${column} BETWEEN ${printScalar(low, type)} AND ${printScalar(high, type)}`
    }
    case 'in': {
      const { type, values } = predicate
      const printed = values.slice(0, MOST_PRINTED).map((value) => printScalar(value, type))
      if (values.length > MOST_PRINTED) printed.push(`… ${values.length - MOST_PRINTED} more`)
      return `${column} IN (${printed.join(', ')})`
    }
  }
}

/** A column name, quoted unless it reads as one word. */
export function printName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.]*$/.test(name) ? name : JSON.stringify(name)
}
