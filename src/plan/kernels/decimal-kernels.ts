import type { DataType } from '../types/schema.ts'
import {
  commonDecimal,
  type DecimalType,
  decimalOf,
  isShortDecimal,
  productOfDecimals,
  SHORT_DIGITS,
} from './decimals.ts'

/** What a kernel does with decimals of up to 18 digits. Types are those of the arguments and of the result. */
export interface DecimalKernel {
  accepts(args: readonly DataType[], result: DataType): boolean
  mayFail(args: readonly DataType[], result: DataType): boolean
}

/** Sums and differences of decimals that have the scale of the result. */
export const DECIMAL_SUM: DecimalKernel = {
  accepts: (args, result) =>
    isShortDecimal(result) && ofTwo(args, (a, b) => a.scale === result.scale && b.scale === result.scale),
  mayFail: (args) => ofTwo(args, (a, b) => 1 + commonDecimal([a, b]).precision > SHORT_DIGITS),
}

export const DECIMAL_PRODUCT: DecimalKernel = {
  accepts: (args, result) =>
    isShortDecimal(result) && ofTwo(args, (a, b) => productOfDecimals(a, b).scale === result.scale),
  mayFail: (args) => ofTwo(args, (a, b) => a.precision + b.precision > SHORT_DIGITS),
}

/** A function of one decimal, of which the result has the type. */
export const DECIMAL_ALIKE: DecimalKernel = {
  accepts: ([arg, ...others], result) =>
    others.length === 0 &&
    arg !== undefined &&
    isShortDecimal(arg) &&
    isShortDecimal(result) &&
    arg.precision === result.precision &&
    arg.scale === result.scale,
  mayFail: () => false,
}

/** A difference, or a decimal with the other sign. */
export const DECIMAL_DIFFERENCE: DecimalKernel = {
  accepts: (args, result) => DECIMAL_SUM.accepts(args, result) || DECIMAL_ALIKE.accepts(args, result),
  mayFail: (args, result) => args.length > 1 && DECIMAL_SUM.mayFail(args, result),
}

/** A sign as a TINYINT. */
export const DECIMAL_SIGN: DecimalKernel = {
  accepts: ([arg, ...others], result) =>
    others.length === 0 &&
    arg !== undefined &&
    isShortDecimal(arg) &&
    result.kind === 'int' &&
    result.bits === 8,
  mayFail: () => false,
}

/** Casts to floats and integers, and to decimals that have room for all values. */
export const DECIMAL_CAST: DecimalKernel = {
  accepts: ([from, ...others], to) => {
    if (from === undefined || others.length > 0) return false
    if (!isShortDecimal(to)) return isShortDecimal(from) && (to.kind === 'int' || isFloat(to))
    const decimal = decimalOf(from)
    if (decimal === null || (from.kind === 'decimal' && !isShortDecimal(from))) return false
    // What is rounded may get a digit more before the point.
    const carry = to.scale < decimal.scale ? 1 : 0
    return to.precision - to.scale >= decimal.precision - decimal.scale + carry
  },
  mayFail: (_, to) => to.kind === 'int',
}

const isFloat = (type: DataType): boolean => type.kind === 'float' && type.bits !== 16

function ofTwo(args: readonly DataType[], test: (a: DecimalType, b: DecimalType) => boolean): boolean {
  const [a, b, ...others] = args
  if (a === undefined || b === undefined || others.length > 0) return false
  return isShortDecimal(a) && isShortDecimal(b) && test(a, b)
}
