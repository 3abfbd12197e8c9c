import type { Comparison, Predicate } from '../../../plan/predicate/predicate.ts'
import { quoteSqlName } from '../../../plan/statement/statement.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'

/** A column that is compared with a constant. */
export interface ComparedColumn {
  readonly name: string
  readonly type: DataType
  readonly comparison: Comparison
  readonly value: Scalar
}

/** Prints a comparison in the SQL of a remote. Null: that would leave out rows which pass it here, or has no form there. */
export type PrintComparison = (compared: ComparedColumn) => string | null

/** What a condition is printed with. */
type ConditionPrinter = Readonly<{
  printComparison: PrintComparison
  /** See `Dialect`. */
  hasSameNulls?: (name: string) => boolean
}>

/**
 * Prints a condition for a remote. Rows that pass it here pass what is printed, and others may: it is applied again here. Null: there is
 * nothing of it that the remote could leave out.
 */
export function printCondition(predicate: Predicate, print: ConditionPrinter): string | null {
  switch (predicate.op) {
    case 'and':
      return joinParts(
        predicate.args.flatMap((arg) => printCondition(arg, print) ?? []),
        'AND',
      )
    case 'or': {
      const parts = predicate.args.flatMap((arg) => printCondition(arg, print) ?? [])
      return parts.length < predicate.args.length ? null : joinParts(parts, 'OR')
    }
    case 'is_null':
    case 'is_not_null': {
      const name = columnOf(predicate.operand)
      if (name === null || (predicate.op === 'is_null' && print.hasSameNulls?.(name) === false)) return null
      return `${quoteSqlName(name)} IS ${predicate.op === 'is_null' ? 'NULL' : 'NOT NULL'}`
    }
    case 'compare':
      return printCompared(predicate.operand, predicate.comparison, predicate.value, print)
    case 'between': {
      const { operand, low, high } = predicate
      const parts = [
        printCompared(operand, 'gt_eq', low, print),
        printCompared(operand, 'lt_eq', high, print),
      ]
      return joinParts(
        parts.flatMap((part) => part ?? []),
        'AND',
      )
    }
    case 'in': {
      const { operand, values } = predicate
      if (values.length > MOST_VALUES) return null
      const parts = values.flatMap((value) => printCompared(operand, 'eq', value, print) ?? [])
      return parts.length < values.length ? null : joinParts(parts, 'OR')
    }
    default:
      return null
  }
}

/** Of more values the rows come as they are. */
const MOST_VALUES = 200

type ComparedOperand = Extract<Predicate, { readonly op: 'compare' }>['operand']

function printCompared(
  operand: ComparedOperand,
  comparison: Comparison,
  value: Scalar,
  print: ConditionPrinter,
): string | null {
  const name = columnOf(operand)
  return name && print.printComparison({ name, type: operand.type, comparison, value })
}

function columnOf(operand: ComparedOperand): string | null {
  return operand.kind === 'column' ? operand.column : null
}

/** Null: there are no parts. */
function joinParts(parts: readonly string[], word: 'AND' | 'OR'): string | null {
  return parts.length <= 1 ? (parts[0] ?? null) : `(${parts.join(` ${word} `)})`
}
