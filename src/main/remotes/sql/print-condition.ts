import type { Comparison } from '../../../plan/condition/compare.ts'
import type { Condition } from '../../../plan/condition/condition.ts'
import { testOf } from '../../../plan/condition/test.ts'
import type { TypedExpression } from '../../../plan/expression.ts'
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
type PrintComparison = (compared: ComparedColumn) => string | null

/** How a kind of remotes compares. */
export interface Comparing {
  readonly printComparison: PrintComparison
  /** Whether the same rows pass a printed comparison there as here. Absent: of none that is certain. */
  readonly isExact?: (compared: ComparedColumn) => boolean
  /** An expression that is null where a column is null here. Null, or absent: it is the column itself. */
  readonly printNullable?: (name: string) => string | null
}

/** A condition in the SQL of a remote. */
export interface PrintedCondition {
  readonly text: string
  /** Whether the same rows pass it there as here. Otherwise more may. */
  readonly isExact: boolean
  /** Whether it is also unknown for the same rows, so that its negation is as exact. */
  readonly isNegatable: boolean
}

/**
 * Prints a condition for a remote. Rows that pass it here pass what is printed, and others may: it is applied again here. Null: there is
 * nothing of it that the remote could leave out.
 */
export function printCondition(condition: Condition, remote: Comparing): PrintedCondition | null {
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
      return conjunction(test.args.map((arg) => printCondition(arg, remote)))
    case 'or':
      return disjunction(test.args.map((arg) => printCondition(arg, remote)))
    case 'not': {
      // Of more rows than pass here, others than those that do not pass would be left out.
      const printed = printCondition(test.arg, remote)
      return printed?.isExact && printed.isNegatable ? { ...printed, text: `NOT (${printed.text})` } : null
    }
    case 'is_null':
    case 'is_not_null': {
      const name = columnOf(test.operand)
      if (name === null) return null
      const nullable = remote.printNullable?.(name) ?? quoteSqlName(name)
      const sign = test.op === 'is_null' ? 'IS NULL' : 'IS NOT NULL'
      return { text: `${nullable} ${sign}`, isExact: true, isNegatable: true }
    }
    case 'compare':
      return printCompared(test.operand, test.comparison, test.value, remote)
    case 'between': {
      const { operand, low, high } = test
      return conjunction([
        printCompared(operand, 'gt_eq', low, remote),
        printCompared(operand, 'lt_eq', high, remote),
      ])
    }
    case 'in': {
      const { operand, values } = test
      if (values.length > MOST_VALUES) return null
      return disjunction(values.map((value) => printCompared(operand, 'eq', value, remote)))
    }
    default:
      return null
  }
}

/** Of more values the rows come as they are. */
const MOST_VALUES = 200

function printCompared(
  operand: TypedExpression,
  comparison: Comparison,
  value: Scalar,
  { printComparison, isExact = () => false, printNullable = () => null }: Comparing,
): PrintedCondition | null {
  const name = columnOf(operand)
  if (name === null) return null
  const compared = { name, type: operand.type, comparison, value }
  const text = printComparison(compared)
  if (text === null) return null
  return { text, isExact: isExact(compared), isNegatable: printNullable(name) === null }
}

function columnOf(operand: TypedExpression): string | null {
  return operand.kind === 'column' ? operand.column : null
}

type Part = PrintedCondition | null

/** Parts that have no form there may be left out. */
function conjunction(parts: readonly Part[]): Part {
  const printed = parts.filter((part) => part !== null)
  const joined = join(printed, 'AND')
  return joined && { ...joined, isExact: joined.isExact && printed.length === parts.length }
}

function disjunction(parts: readonly Part[]): Part {
  const printed = parts.filter((part) => part !== null)
  return printed.length < parts.length ? null : join(printed, 'OR')
}

/** Null: there are no parts. */
function join(parts: readonly PrintedCondition[], word: 'AND' | 'OR'): Part {
  const [first, ...others] = parts
  if (first === undefined || others.length === 0) return first ?? null
  return {
    text: `(${parts.map(({ text }) => text).join(` ${word} `)})`,
    isExact: parts.every(({ isExact }) => isExact),
    isNegatable: parts.every(({ isNegatable }) => isNegatable),
  }
}
