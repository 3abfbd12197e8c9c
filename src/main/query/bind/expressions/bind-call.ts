import { callExpression, constantExpression, type TypedExpression } from '../../../../plan/expression.ts'
import { canEvaluate } from '../../../../plan/kernels/kernels.ts'
import { type DataType, sameType, typeName } from '../../../../plan/types/schema.ts'
import { decline } from '../declined.ts'
import { commonType, isNumberType } from './common-type.ts'
import { isNumber } from './literal.ts'
import { type Argument, isInRange, literalAs, typeOfLiteral } from './literal-constant.ts'

const BOOL: DataType = Object.freeze({ kind: 'bool' })
const INT8: DataType = Object.freeze({ kind: 'int', bits: 8, signed: true })
const INT16: DataType = Object.freeze({ kind: 'int', bits: 16, signed: true })
const INT32: DataType = Object.freeze({ kind: 'int', bits: 32, signed: true })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/** Binds a call of a function by its name, as `bindCall`. */
type BindFunction = (name: string, args: readonly Argument[], at: number | null) => TypedExpression

/**
 * A call whose arguments are cast to the types of the overload that DuckDB chooses. Declines calls that the core does not evaluate,
 * or of which the overload is not certain. `at` is the position in the statement.
 */
export function bindCall(name: string, args: readonly Argument[], at: number | null): TypedExpression {
  const bindFunction = FUNCTIONS.get(name)
  return bindFunction === undefined ? decline(`the function ${name}`, at) : bindFunction(name, args, at)
}

/** Casts a value, unless it has the type already. Declines casts that the core does not evaluate. */
export function bindCast(
  argument: Argument,
  type: DataType,
  at: number | null,
  name: 'cast' | 'try_cast' = 'cast',
): TypedExpression {
  // DuckDB casts a constant when it binds it: one that the type does not have is an error even if no row asks for it.
  if (argument.kind === 'literal') return literalAs(argument, type)
  const arg = argument
  return sameType(arg.type, type) ? arg : makeCall(name, [arg], type, at)
}

/** A comparison, or another condition on values of one type. */
export function bindComparison(name: string, args: readonly Argument[], at: number | null): TypedExpression {
  return makeCall(name, inOneType(name, args, at), BOOL, at)
}

/** AND, OR or NOT of conditions. */
export function bindLogic(
  name: 'and' | 'or' | 'not',
  args: readonly TypedExpression[],
  at: number | null,
): TypedExpression {
  return makeCall(name, args, BOOL, at)
}

/** Conditions and values in turn, and at the end the value of the rows for which none of the conditions is true. */
export function bindCase(args: readonly Argument[], at: number | null): TypedExpression {
  const isCondition = (index: number): boolean => index % 2 === 0 && index < args.length - 1
  const values = inOneType(
    'CASE',
    args.filter((_, index) => !isCondition(index)),
    at,
  )
  const [type] = values.map((value) => value.type)
  let next = 0
  const bound = args.map((arg, index) => {
    if (isCondition(index)) return condition(arg, at)
    const value = values[next++]
    return value ?? decline('CASE', at)
  })
  return makeCall('case', bound, type ?? BOOL, at)
}

function condition(arg: Argument, at: number | null): TypedExpression {
  const bound = arg.kind === 'literal' ? literalAs(arg, BOOL) : arg
  return bound.type.kind === 'bool' ? bound : decline('a condition that is no BOOLEAN', at)
}

/** A call that the core evaluates. Declines others. */
function makeCall(
  name: string,
  args: readonly TypedExpression[],
  type: DataType,
  at: number | null,
): TypedExpression {
  const types = args.map((arg) => arg.type)
  if (!canEvaluate(name, types, type)) return decline(`${name} of ${types.map(typeName).join(', ')}`, at)
  return callExpression(name, args, type) as TypedExpression
}

/** The arguments in the type to which DuckDB casts all of them. */
function inOneType(name: string, args: readonly Argument[], at: number | null): readonly TypedExpression[] {
  const type = commonType(args) ?? decline(`${name} of ${describe(args)}`, at)
  return args.map((arg) => inType(arg, type, at))
}

/** A number as a DOUBLE. */
function inDouble(name: string, arg: Argument, at: number | null): TypedExpression {
  const isOfNumbers = arg.kind === 'literal' ? isNumber(arg) : isNumberType(arg.type)
  return isOfNumbers ? inType(arg, FLOAT64, at) : decline(`${name} of ${describe([arg])}`, at)
}

function inType(arg: Argument, type: DataType, at: number | null): TypedExpression {
  return arg.kind === 'literal' ? literalAs(arg, type) : bindCast(arg, type, at)
}

/** A literal in the type that it has by itself. */
function giveType(arg: Argument, at: number | null): TypedExpression {
  if (arg.kind !== 'literal') return arg
  return literalAs(arg, typeOfLiteral(arg) ?? decline(`the literal ${arg.text.slice(0, 40)}`, at))
}

function describe(args: readonly Argument[]): string {
  return args.map((arg) => (arg.kind === 'literal' ? arg.text.slice(0, 40) : typeName(arg.type))).join(', ')
}

/** The same type for all arguments and the result. */
const alike: BindFunction = (name, args, at) => {
  const bound = inOneType(name, args, at)
  return makeCall(name, bound, bound[0]?.type ?? FLOAT64, at)
}

/** As `alike`. Decimals are divided as floats. */
const divided: BindFunction = (name, args, at) => {
  if (commonType(args) !== null || !args.some(isDecimal)) return alike(name, args, at)
  return ofDoubles(name, args, at)
}

/** Arguments and result are DOUBLE. */
const ofDoubles: BindFunction = (name, args, at) =>
  makeCall(
    name,
    args.map((arg) => inDouble(name, arg, at)),
    FLOAT64,
    at,
  )

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

function isDecimal(arg: Argument): boolean {
  return arg.kind === 'literal' ? arg.form === 'decimal' : arg.type.kind === 'decimal'
}

/** The number of digits is an INTEGER. An integer is rounded to itself. */
const rounded: BindFunction = (name, args, at) => {
  const [arg, digits, ...others] = args
  if (arg === undefined || others.length > 0 || isDecimal(arg))
    return decline(`${name} of ${describe(args)}`, at)
  const value = giveType(arg, at)
  const isWhole = digits === undefined || (digits.kind === 'literal' && /^\d{1,9}$/.test(digits.text))
  if (value.type.kind === 'int' && value.type.signed && isWhole) return value
  if (value.type.kind !== 'float') return decline(`${name} of ${describe(args)}`, at)
  if (digits === undefined) return makeCall(name, [value], value.type, at)
  return makeCall(name, [value, digitsOf(name, digits, at)], value.type, at)
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
  if (args.length !== 1 || arg === undefined) return alike(name, args, at)
  return ofNumber((type) => type)(name, args, at)
}

/** Null where both are equal, else the first, whose type the result has. */
const nullIf: BindFunction = (_, args, at) => {
  const [value, other, ...others] = args
  if (value === undefined || other === undefined || others.length > 0 || value.kind === 'literal')
    return decline('the function nullif', at)
  return makeCall(
    'case',
    [bindComparison('=', [value, other], at), literalAs(NULL, value.type), value],
    value.type,
    at,
  )
}

const NULL = Object.freeze({ kind: 'literal', form: 'null', text: 'NULL', at: 0 } as const)

const named =
  (other: string, bind: BindFunction): BindFunction =>
  (_, args, at) =>
    bind(other, args, at)

/** The functions that the core evaluates, by their names in statements and in JSON. */
const FUNCTIONS: ReadonlyMap<string, BindFunction> = new Map([
  ...['+', '*', '%'].map((name) => [name, alike] as const),
  ['-', negated],
  ['//', divided],
  ['mod', named('%', alike)],
  ...['coalesce', 'greatest', 'least'].map((name) => [name, alike] as const),
  ['ifnull', named('coalesce', alike)],
  ['if', (_, args, at) => (args.length === 3 ? bindCase(args, at) : decline('the function if', at))],
  ['nullif', nullIf],
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
])
