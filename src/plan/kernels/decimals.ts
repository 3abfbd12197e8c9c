import type { DataType } from '../types/schema.ts'

/** The most digits of a decimal of 64 bits, in which the core computes. */
export const SHORT_DIGITS = 18

export type DecimalType = Extract<DataType, { kind: 'decimal' }>

/** A decimal as columns of files and answers have it. */
export function decimalType(precision: number, scale: number): DecimalType {
  return Object.freeze({ kind: 'decimal', bits: 128, precision, scale })
}

/** Whether the core computes with decimals of a type. */
export function isShortDecimal(type: DataType): type is DecimalType {
  return isPlain(type) && type.precision <= SHORT_DIGITS
}

/** The same decimals in 64 bits. No column of a file or an answer has them: they are how a plan reads and adds up what needs no more. */
export function in64Bits({ precision, scale }: DecimalType): DecimalType {
  return Object.freeze({ kind: 'decimal', bits: 64, precision, scale })
}

/** Whether decimals lie in 64 bits. */
export function areIn64Bits(type: DataType): type is DecimalType {
  return type.kind === 'decimal' && type.bits === 64
}

/** Whether a type is a DECIMAL in SQL, where the scale is no more than the digits. */
function isPlain(type: DataType): type is DecimalType {
  return type.kind === 'decimal' && type.bits === 128 && type.scale >= 0 && type.scale <= type.precision
}

/** The digits of the greatest integer of a type, rounded up. */
const INTEGER_DIGITS = Object.freeze({ 8: 3, 16: 5, 32: 10, 64: 19 })

/** The DECIMAL to which DuckDB casts a number among decimals. Null: it is a float, or it has no such type. */
export function decimalOf(type: DataType): DecimalType | null {
  if (type.kind === 'decimal') return isPlain(type) ? type : null
  if (type.kind !== 'int') return null
  // Of an unsigned integer of 64 bits it is one of 20 digits.
  return decimalType(INTEGER_DIGITS[type.bits] + (type.bits === 64 && !type.signed ? 1 : 0), 0)
}

/** The type to which DuckDB casts decimals that have to be of one type. It may have more digits than there are. */
export function commonDecimal(types: readonly DecimalType[]): DecimalType {
  const scale = Math.max(...types.map((type) => type.scale))
  return decimalType(Math.max(...types.map((type) => type.precision - type.scale)) + scale, scale)
}

/** The type of a sum or a difference of two decimals: one digit more, unless 18 were enough for both. */
export function sumOfDecimals(a: DecimalType, b: DecimalType): DecimalType {
  const { precision, scale } = commonDecimal([a, b])
  return decimalType(within(1 + Math.max(precision, a.precision, b.precision), a, b), scale)
}

/** The type of a product of two decimals: the digits of both, unless 18 were enough for each. */
export function productOfDecimals(a: DecimalType, b: DecimalType): DecimalType {
  return decimalType(within(a.precision + b.precision, a, b), a.scale + b.scale)
}

/** DuckDB leaves 64 bits only if an operand has more digits. Otherwise a result that does not fit is an error. */
function within(digits: number, a: DecimalType, b: DecimalType): number {
  const isShort = a.precision <= SHORT_DIGITS && b.precision <= SHORT_DIGITS
  return isShort ? Math.min(digits, SHORT_DIGITS) : digits
}
