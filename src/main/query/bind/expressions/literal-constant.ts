import { constantExpression, type TypedExpression } from '../../../../plan/expression.ts'
import { TIMESTAMP, TIMESTAMPTZ } from '../../../../plan/kernels/calendar.ts'
import { type DecimalType, decimalType, isShortDecimal } from '../../../../plan/kernels/decimals.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import { decline } from '../declined.ts'
import { isNumber, type Literal } from './literal.ts'
import { asFloat } from './literal-float.ts'
import { timeOfLiteral } from './time-literal.ts'

/** An argument of a call: an expression, or a literal, whose type follows from the other arguments. */
export type Argument = TypedExpression | Literal

const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })
const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })
const UTF8: DataType = Object.freeze({ kind: 'utf8' })
const BOOL: DataType = Object.freeze({ kind: 'bool' })
const DATE: DataType = Object.freeze({ kind: 'date', unit: 'day' })

/** The type that a literal has by itself. Null: it has none that the core computes with, or takes that of the other arguments. */
export function typeOfLiteral({ form, text, isOdd }: Literal): DataType | null {
  switch (form) {
    case 'integer': {
      // The sign of a negative one is no part of what DuckDB chooses the type by.
      const magnitude = BigInt(text.replace('-', ''))
      return isInRange(magnitude, INT32) ? INT32 : isInRange(magnitude, INT64) ? INT64 : null
    }
    case 'decimal':
      return isOdd ? null : decimalType(text.replace(/\D/g, '').length, fractionOf(text).length)
    case 'double':
      return FLOAT64
    case 'string':
      return UTF8
    case 'boolean':
      return BOOL
    case 'date':
      return DATE
    case 'timestamp':
      return TIMESTAMP
    case 'instant':
      return TIMESTAMPTZ
    default:
      return null
  }
}

/** Whether an integer is a value of a type of integers. */
export function isInRange(value: bigint, type: DataType): boolean {
  if (type.kind !== 'int') return false
  const bits = BigInt(type.bits)
  const [min, max] = type.signed ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n]
  return value >= min && value <= max
}

const fractionOf = (text: string): string => text.split('.')[1] ?? ''

/** A number without its point. Null: the decimal type has not as many digits before the point, or behind it. */
function unscale(text: string, { precision, scale }: DecimalType): bigint | null {
  const fraction = fractionOf(text)
  if (fraction.length > scale) return null
  const value = BigInt(text.replace('.', '') + '0'.repeat(scale - fraction.length))
  const most = 10n ** BigInt(precision)
  return value > -most && value < most ? value : null
}

/** The constant of a literal that DuckDB casts to a type. Declines one of which the value is not certain. */
export function literalAs(literal: Literal, type: DataType): TypedExpression {
  const { form, text, at } = literal
  if (form === 'null') return constantExpression(null, type)
  if (type.kind === 'float' && type.bits !== 16 && isNumber(literal))
    return constantExpression({ kind: 'float', value: asFloat(literal, type.bits) }, type)
  if (type.kind === 'int' && form === 'integer' && isInRange(BigInt(text), type))
    return constantExpression({ kind: 'int', value: BigInt(text) }, type)
  if (isShortDecimal(type) && isNumber(literal) && form !== 'double') {
    const value = unscale(text, type)
    if (value !== null) return constantExpression({ kind: 'int', value }, type)
  }
  if (type.kind === 'bool' && form === 'boolean')
    return constantExpression({ kind: 'bool', value: text === 'true' }, type)
  if (type.kind === 'utf8' && form === 'string')
    return constantExpression({ kind: 'bytes', value: new TextEncoder().encode(text) }, type)
  const time = timeOfLiteral(literal, type)
  if (time !== null) return constantExpression(time, type)
  return decline(`the literal ${text.slice(0, 40)} among values of another type`, at)
}
