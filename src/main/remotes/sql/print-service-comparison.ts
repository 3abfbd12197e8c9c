import { quoteSqlName } from '../../../plan/statement/statement.ts'
import { printDecimal } from '../../../plan/types/print-decimal.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { type DataType, DECIMAL_DIGITS, SECOND_DIGITS } from '../../../plan/types/schema.ts'
import type { ComparedColumn } from './print-condition.ts'
import { printText } from './print-text.ts'
import { printTime } from './print-time.ts'

/** Prints a comparison for another service, in SQL that services of this kind read alike. */
export function printServiceComparison({ name, type, comparison, value }: ComparedColumn): string | null {
  const column = quoteSqlName(name)
  const [low, high] = [printBound(value, type, 'low'), printBound(value, type, 'high')]
  if (low === null || high === null) return null
  // Truths have no order that all services know.
  const isOrdered = type.kind !== 'bool'
  switch (comparison) {
    case 'eq':
      // Where −0.0 and 0.0 are told apart, both of them are asked for.
      return low === high ? `${column} = ${low}` : `(${column} >= ${low} AND ${column} <= ${high})`
    case 'neq':
      return `${column} <> ${high}`
    case 'gt':
      return isOrdered ? `${column} > ${high}` : null
    case 'gt_eq':
      return isOrdered ? `${column} >= ${low}` : null
    case 'lt':
      return isOrdered ? `${column} < ${high}` : null
    case 'lt_eq':
      return isOrdered ? `${column} <= ${high}` : null
  }
}

/** Whether services let the same rows pass a comparison as this one: they do unless it is one of floats, or of the order of texts. */
export function isExactInServices({ type, comparison }: ComparedColumn): boolean {
  switch (type.kind) {
    case 'int':
    case 'date':
    case 'timestamp':
    case 'bool':
    case 'decimal':
      return true
    case 'utf8':
      return comparison === 'eq' || comparison === 'neq'
    default:
      return false
  }
}

/** A constant as a bound. Of zero the low one is −0.0, which some services order before 0.0. Null: it has no form that all services read alike. */
function printBound(value: Scalar, type: DataType, side: 'low' | 'high'): string | null {
  switch (value.kind) {
    case 'bool':
      return type.kind === 'bool' ? String(value.value).toUpperCase() : null
    case 'float': {
      if (!Number.isFinite(value.value)) return null
      const zero = side === 'low' ? '-0.0' : '0.0'
      return `CAST('${value.value === 0 ? zero : value.value}' AS DOUBLE)`
    }
    case 'bytes':
      return type.kind === 'utf8' ? printText(value.value) : null
    case 'int':
      return printInteger(value.value, type)
  }
}

const LEAST_INT64 = -(2n ** 63n)
const GREATEST_INT64 = 2n ** 63n - 1n

function printInteger(value: bigint, type: DataType): string | null {
  switch (type.kind) {
    case 'int':
      return value < LEAST_INT64 || value > GREATEST_INT64 ? null : `CAST('${value}' AS BIGINT)`
    case 'date': {
      const day = type.unit === 'day' ? printTime(value * 86_400n, 0) : null
      return day && `CAST('${day.slice(0, 10)}' AS DATE)`
    }
    case 'timestamp': {
      if (type.zone !== null) return null
      const time = printTime(value, SECOND_DIGITS[type.unit])
      return time && `CAST('${time}' AS TIMESTAMP)`
    }
    case 'decimal': {
      const { precision, scale } = type
      const isFitting =
        precision <= DECIMAL_DIGITS[128] &&
        value < 10n ** BigInt(precision) &&
        -value < 10n ** BigInt(precision)
      return isFitting ? `CAST('${printDecimal(value, scale)}' AS DECIMAL(${precision}, ${scale}))` : null
    }
    default:
      return null
  }
}
