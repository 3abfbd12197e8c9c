import { type Comparison, SQL_OPERATORS } from '../../../../plan/condition/compare.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { testOf } from '../../../../plan/condition/test.ts'
import type { CallExpression, ConstantExpression, Expression } from '../../../../plan/expression.ts'
import { quoteSqlName } from '../../../../plan/statement/statement.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, SECOND_DIGITS } from '../../../../plan/types/schema.ts'
import { printText } from '../../../remotes/sql/print-text.ts'
import { printDay, printTime } from '../../../remotes/sql/print-time.ts'
import { decline } from '../../bind/declined.ts'
import { printType } from '../parse/parse-type.ts'
import { INFIX, printWrittenCall } from './print-written-call.ts'

const SIGNS: ReadonlyMap<string, string> = new Map([
  ...INFIX,
  ['/', '/'],
  ['like', 'LIKE'],
  ['ilike', 'ILIKE'],
])

/** Prints a bound expression in the SQL of a service of this version. Declines those that it has no form for. */
export function printRowExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return quoteSqlName(expression.column)
    case 'constant':
      return printConstant(expression)
    case 'call':
      return printCall(expression)
    case 'group':
      return decline('a column of groups')
  }
}

function printConstant({ value, type, subquery }: ConstantExpression): string {
  if (subquery !== undefined) return decline('the value of a subquery')
  if (value !== null) return printValue(value, type)
  return type.kind === 'null' ? 'NULL' : `CAST(NULL AS ${typeNamed(type)})`
}

function printCall({ name, args, type }: CallExpression): string {
  const isCast = name === 'cast' || name === 'try_cast'
  return printWrittenCall(name, args.map(printRowExpression), isCast ? typeNamed(type) : '', SIGNS)
}

function typeNamed(type: DataType | null): string {
  return (type && printType(type)) ?? decline('a type without a name')
}

/** A constant of a type, so that it is bound to the same one. Declines those that have no certain form. */
function printValue(value: Scalar, type: DataType): string {
  switch (type.kind) {
    case 'bool':
      return value.kind === 'bool' ? String(value.value).toUpperCase() : odd()
    case 'utf8':
      return (value.kind === 'bytes' && printText(value.value)) || odd()
    case 'float':
      return value.kind === 'float' && Number.isFinite(value.value)
        ? printFloat(value.value, type.bits)
        : odd()
  }
  if (value.kind !== 'int') return odd()
  switch (type.kind) {
    case 'int':
      return type.bits === 32 && type.signed && value.value >= 0n
        ? String(value.value)
        : `CAST(${value.value} AS ${typeNamed(type)})`
    case 'date':
      return `CAST('${(type.unit === 'day' && printDay(value.value)) || odd()}' AS DATE)`
    case 'timestamp': {
      const text = type.zone === null ? printTime(value.value, SECOND_DIGITS[type.unit]) : null
      return `CAST('${text ?? odd()}' AS ${typeNamed(type)})`
    }
    default:
      return odd()
  }
}

/** A number with an exponent is a DOUBLE. One without is a DECIMAL, which becomes a FLOAT beside one. */
function printFloat(value: number, bits: 16 | 32 | 64): string {
  if (Object.is(value, -0)) return odd()
  if (bits === 64) return value.toExponential()
  const text = String(value)
  return text.includes('e') ? odd() : text
}

function odd(): never {
  return decline('a constant without a form that is certain')
}

/** Prints the condition of rows. Declines those that it has no form for. */
export function printRowCondition(condition: Condition): string {
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
    case 'or':
      return `(${test.args.map(printRowCondition).join(` ${test.op.toUpperCase()} `)})`
    case 'not':
      return `NOT (${printRowCondition(test.arg)})`
    case 'constant':
      return String(test.value).toUpperCase()
    case 'within':
      return decline('a condition that has no form')
  }
  const { operand } = test
  const { type } = operand
  const text = printRowExpression(operand)
  switch (test.op) {
    case 'is_null':
      return `${text} IS NULL`
    case 'is_not_null':
      return type.kind === 'bool' || operand.kind === 'column'
        ? `${text} IS NOT NULL`
        : `(${text}) IS NOT NULL`
    case 'compare':
      return printCompared(text, type, test.comparison, test.value)
    case 'between':
      return `${text} BETWEEN ${printValue(test.low, type)} AND ${printValue(test.high, type)}`
    case 'in':
      return `${text} IN (${test.values.map((value) => printValue(value, type)).join(', ')})`
  }
}

function printCompared(operand: string, type: DataType, comparison: Comparison, value: Scalar): string {
  if (type.kind === 'bool' && value.kind === 'bool' && comparison === 'eq')
    return value.value ? operand : `NOT (${operand})`
  return `${operand} ${SQL_OPERATORS[comparison]} ${printValue(value, type)}`
}
