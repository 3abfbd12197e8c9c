import type { TypedExpression } from '../../../../../plan/expression.ts'
import {
  type DecimalType,
  decimalOf,
  isShortDecimal,
  productOfDecimals,
  sumOfDecimals,
} from '../../../../../plan/kernels/decimals.ts'
import { decline } from '../../declined.ts'
import { type Argument, literalAs, typeOfLiteral } from '../literal-constant.ts'
import { type BindFunction, describe, inType, makeCall } from '../make-call.ts'

export function isDecimal(arg: Argument): boolean {
  return arg.kind === 'literal' ? arg.form === 'decimal' : arg.type.kind === 'decimal'
}

function isFloat(arg: Argument): boolean {
  return arg.kind === 'literal' ? arg.form === 'double' : arg.type.kind === 'float'
}

/** Whether DuckDB computes with decimals: there is one, and no float. */
export function areDecimals(args: readonly Argument[]): boolean {
  return args.some(isDecimal) && !args.some(isFloat)
}

/** A sum, a difference or a product of decimals, and of integers among them. */
export const ofDecimals: BindFunction = (name, args, at) => {
  const [a, b, ...others] = args
  if (a === undefined || b === undefined || others.length > 0) return decline(`the function ${name}`, at)
  const [left, right] = [decimalOfArgument(a), decimalOfArgument(b)]
  if (left === null || right === null) return decline(`${name} of ${describe(args)}`, at)
  const isProduct = name === '*'
  const type = isProduct ? productOfDecimals(left, right) : sumOfDecimals(left, right)
  const inScale = (arg: Argument, of: DecimalType): TypedExpression =>
    inDecimal(arg, isProduct || of.scale === type.scale ? of : type, at)
  return makeCall(name, [inScale(a, left), inScale(b, right)], type, at)
}

function inDecimal(arg: Argument, type: DecimalType, at: number | null): TypedExpression {
  if (!isShortDecimal(type)) return decline('decimals of more than 18 digits', at)
  return arg.kind === 'literal' ? literalAs(arg, type) : inType(arg, type, at)
}

/** The DECIMAL to which DuckDB casts an argument. Null: it is no decimal and no integer. */
function decimalOfArgument(arg: Argument): DecimalType | null {
  const type = arg.kind === 'literal' ? typeOfLiteral(arg) : arg.type
  return type === null ? null : decimalOf(type)
}
