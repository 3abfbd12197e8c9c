import { constantExpression, type TypedExpression } from '../../../../../plan/expression.ts'
import { expressionMayFail } from '../../../../../plan/kernels/may-fail.ts'
import { type DataType, sameType } from '../../../../../plan/types/schema.ts'
import { decline } from '../../declined.ts'
import { isNumberType } from '../common-type.ts'
import { isNumber } from '../literal.ts'
import { type Argument, isInRange, literalAs } from '../literal-constant.ts'
import {
  alike,
  type BindFunction,
  describe,
  type FunctionFamily,
  giveType,
  inType,
  makeCall,
  named,
} from '../make-call.ts'
import { areDecimals, isDecimal, ofDecimals } from './decimals.ts'
import { isInterval, movedTime } from './intervals.ts'

const BOOL: DataType = Object.freeze({ kind: 'bool' })
const INT8: DataType = Object.freeze({ kind: 'int', bits: 8, signed: true })
const INT16: DataType = Object.freeze({ kind: 'int', bits: 16, signed: true })
const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })
const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })
const DATE: DataType = Object.freeze({ kind: 'date', unit: 'day' })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/** A number as a DOUBLE. */
export function inDouble(name: string, arg: Argument, at: number | null): TypedExpression {
  const isOfNumbers = arg.kind === 'literal' ? isNumber(arg) : isNumberType(arg.type)
  return isOfNumbers ? inType(arg, FLOAT64, at) : decline(`${name} of ${describe([arg])}`, at)
}

/** Arguments and result are DOUBLE. */
const ofDoubles: BindFunction = (name, args, at) =>
  makeCall(
    name,
    args.map((arg) => inDouble(name, arg, at)),
    FLOAT64,
    at,
  )

/** As `alike`. Decimals are divided as floats. DuckDB does not compute an integer that is divided by the constant 0: it is null. */
const divided: BindFunction = (name, args, at) => {
  if (areDecimals(args)) return ofDoubles(name, args, at)
  const quotient = alike(name, args, at)
  const isOfZero = quotient.type.kind === 'int' && isZero(args[1])
  return isOfZero ? constantExpression(null, quotient.type) : quotient
}

const isZero = (arg: Argument | undefined): boolean =>
  arg?.kind === 'literal' && arg.form === 'integer' && /^-?0+$/.test(arg.text)

/** As `alike`. A constant modulo the constant 0 is null before any row is read. */
const modulo: BindFunction = (name, args, at) => {
  const remainder = alike(name, args, at)
  const isOfZero = remainder.type.kind === 'int' && args[0]?.kind === 'literal' && isZero(args[1])
  return isOfZero ? constantExpression(null, remainder.type) : remainder
}

/** As `alike`, or of decimals, each of its own type, or of days and integers. */
const combined: BindFunction = (name, args, at) => {
  if (areDecimals(args)) return ofDecimals(name, args, at)
  if (args.some(isInterval)) return movedTime(name, args, at)
  return (args.some(isDay) && name !== '*' ? ofDays : alike)(name, args, at)
}

const isDay = (arg: Argument): boolean =>
  arg.kind === 'literal' ? arg.form === 'date' : arg.type.kind === 'date'

/** So many days before or after a day, which is a day, or the days between two. */
const ofDays: BindFunction = (name, args, at) => {
  const days = args.map((arg) => (isDay(arg) ? giveType(arg, at) : integerOf(name, arg, at)))
  const type = name === '-' && args.every(isDay) ? INT64 : DATE
  return makeCall(name, days, type, at)
}

/** A number of days is an INTEGER. */
function integerOf(name: string, arg: Argument, at: number | null): TypedExpression {
  const isNarrow = arg.kind === 'literal' ? arg.form === 'integer' : isSmallInteger(arg.type)
  return isNarrow ? inType(arg, INT32, at) : decline(`${name} of ${describe([arg])}`, at)
}

const isSmallInteger = (type: DataType): boolean => [INT8, INT16, INT32].some((each) => sameType(each, type))

/** Of floats of either width: an argument of another type becomes a DOUBLE. */
function floatOf(name: string, arg: Argument, at: number | null): TypedExpression {
  return arg.kind !== 'literal' && arg.type.kind === 'float' ? arg : inDouble(name, arg, at)
}

const floored: BindFunction = (name, args, at) => {
  const [arg, ...others] = args
  if (arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
  if (isDecimal(arg)) return decline(`${name} of a decimal`, at)
  const value = floatOf(name, arg, at)
  return makeCall(name, [value], value.type, at)
}

/** The number of digits is an INTEGER. An integer is rounded to itself. */
const rounded: BindFunction = (name, args, at) => {
  const [arg, digits, ...others] = args
  if (arg === undefined || others.length > 0 || isDecimal(arg))
    return decline(`${name} of ${describe(args)}`, at)
  const value = giveType(arg, at)
  const isWhole = digits === undefined || (digits.kind === 'literal' && /^\d{1,9}$/.test(digits.text))
  if (value.type.kind === 'int' && value.type.signed && isWhole) return inItself(name, value, at)
  if (value.type.kind !== 'float') return decline(`${name} of ${describe(args)}`, at)
  if (digits === undefined) return makeCall(name, [value], value.type, at)
  return makeCall(name, [value, digitsOf(name, digits, at)], value.type, at)
}

/** An integer that is rounded. DuckDB computes it where a comparison of a sum alone would only move the constant, so an overflow is an error. */
function inItself(name: string, value: TypedExpression, at: number | null): TypedExpression {
  return expressionMayFail(value) ? decline(`${name} of an integer that may overflow`, at) : value
}

/** A number of digits as an INTEGER, which DuckDB makes of a constant, and of what is no wider. */
function digitsOf(name: string, digits: Argument, at: number | null): TypedExpression {
  if (digits.kind === 'literal' && digits.form === 'integer') return literalAs(digits, INT32)
  if (digits.kind === 'constant' && digits.value?.kind === 'int' && isInRange(digits.value.value, INT32))
    return constantExpression(digits.value, INT32)
  const isNarrow =
    digits.kind !== 'literal' && [INT8, INT16, INT32].some((type) => sameType(type, digits.type))
  return isNarrow ? inType(digits, INT32, at) : decline(`${name} to ${describe([digits])} digits`, at)
}

/** One number, of which the result has the type. */
const ofNumber =
  (result: (type: DataType) => DataType): BindFunction =>
  (name, args, at) => {
    const [arg, ...others] = args
    if (arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
    const value = giveType(arg, at)
    return makeCall(name, [value], result(value.type), at)
  }

const negated: BindFunction = (name, args, at) => {
  const [arg] = args
  if (args.length !== 1 || arg === undefined) return combined(name, args, at)
  return ofNumber((type) => type)(name, args, at)
}

/** Operators and functions of numbers. */
export const OF_NUMBERS: FunctionFamily = [
  ...['+', '*'].map((name) => [name, combined] as const),
  ['%', modulo],
  ['-', negated],
  ['//', divided],
  ['mod', named('%', modulo)],
  ['floor', floored],
  ['ceil', floored],
  ['ceiling', named('ceil', floored)],
  ...['round', 'trunc'].map((name) => [name, rounded] as const),
  ['abs', ofNumber((type) => type)],
  ['sign', ofNumber(() => INT8)],
  ...['isnan', 'isinf', 'isfinite'].map((name) => [name, ofNumber(() => BOOL)] as const),
  ...[
    ...['sqrt', 'cbrt', 'exp', 'ln', 'log2', 'log10', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2'],
    ...['sinh', 'cosh', 'tanh', 'degrees', 'radians', 'pow'],
  ].map((name) => [name, ofDoubles] as const),
  [
    'log',
    (_, args, at) => (args.length === 1 ? ofDoubles('log10', args, at) : decline('the function log', at)),
  ],
  ...['power', '^', '**'].map((name) => [name, named('pow', ofDoubles)] as const),
]
