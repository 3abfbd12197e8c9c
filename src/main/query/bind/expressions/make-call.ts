import {
  callExpression,
  constantExpression,
  sizeOf,
  type TypedExpression,
} from '../../../../plan/expression.ts'
import { isZonedTime, withoutZone } from '../../../../plan/kernels/calendar.ts'
import { canEvaluate, mayFail } from '../../../../plan/kernels/kernels.ts'
import { type DataType, sameType, typeName, valueType } from '../../../../plan/types/schema.ts'
import { decline } from '../declined.ts'
import { commonType } from './common-type.ts'
import { type Argument, literalAs, typeOfLiteral } from './literal-constant.ts'
import { isNullCall } from './null-call.ts'

/** Binds a call of a function by its name. `at` is the position in the statement. */
export type BindFunction = (name: string, args: readonly Argument[], at: number | null) => TypedExpression

/** The bindings of a family of functions, by their names in statements and in JSON. */
export type FunctionFamily = readonly (readonly [name: string, bind: BindFunction])[]

/** The most calls around each other, as in DuckDB. A statement alone has fewer, but names in it may stand for calls. */
const MOST_DEPTH = 1000

/** A call that the core evaluates. Declines others. */
export function makeCall(
  name: string,
  args: readonly TypedExpression[],
  type: DataType,
  at: number | null,
): TypedExpression {
  const types = args.map((arg) => arg.type)
  if (!canEvaluate(name, types, type, args))
    return decline(`${name} of ${types.map(typeName).join(', ')}`, at)
  if (isNullCall(name, args)) return constantExpression(null, type)
  const place = at !== null && mayFail(name, types, type) ? { at } : undefined
  const call = callExpression(name, args, type, place) as TypedExpression
  if (sizeOf(call).depth > MOST_DEPTH) decline(`calls around each other, more than ${MOST_DEPTH} deep`, at)
  return call
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
  if (sameType(arg.type, type)) return arg
  // The offset of a text counts for times with a zone alone.
  if (valueType(arg.type).kind === 'utf8') return makeCall(name, [arg], type, at)
  return isZonedTime(arg.type) || isZonedTime(type)
    ? castZoned(arg, type, at, name)
    : makeCall(name, [arg], type, at)
}

/** A cast of a time with a zone, or to one. DuckDB casts it as the time without a zone that it is in UTC. */
function castZoned(
  arg: TypedExpression,
  type: DataType,
  at: number | null,
  name: 'cast' | 'try_cast',
): TypedExpression {
  if (type.kind === 'utf8') return makeCall(name, [arg], type, at)
  const time = bindCast(inUtc(arg, at), isZonedTime(type) ? withoutZone(type) : type, at, name)
  return isZonedTime(type) ? alikeTime(time, type, at) : time
}

/** The time in UTC, without a zone, that a time with a zone is. Other values as they are. */
export function inUtc(time: TypedExpression, at: number | null): TypedExpression {
  return isZonedTime(time.type) ? alikeTime(time, withoutZone(time.type), at) : time
}

/** A time with a zone of the time in UTC if `type` has one. Else the time as it is. */
export function zonedLike(time: TypedExpression, type: DataType, at: number | null): TypedExpression {
  return isZonedTime(type) && !isZonedTime(time.type) ? bindCast(time, type, at) : time
}

/** A time in a type that has the same numbers. */
function alikeTime(time: TypedExpression, type: DataType, at: number | null): TypedExpression {
  return time.kind === 'constant' ? Object.freeze({ ...time, type }) : makeCall('cast', [time], type, at)
}

/** Operators of which DuckDB has an overload for each type of numbers. */
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '//', '%'])

/** The arguments in the type to which DuckDB casts all of them. */
export function inOneType(
  name: string,
  args: readonly Argument[],
  at: number | null,
): readonly TypedExpression[] {
  const type = commonType(args, ARITHMETIC.has(name)) ?? decline(`${name} of ${describe(args)}`, at)
  return args.map((arg) => inType(arg, type, at))
}

/** An argument in a type: a literal as a constant of it, and anything else cast. */
export function inType(arg: Argument, type: DataType, at: number | null): TypedExpression {
  return arg.kind === 'literal' ? literalAs(arg, type) : bindCast(arg, type, at)
}

/** A literal in the type that it has by itself. */
export function giveType(arg: Argument, at: number | null): TypedExpression {
  if (arg.kind !== 'literal') return arg
  return literalAs(arg, typeOfLiteral(arg) ?? decline(`the literal ${arg.text.slice(0, 40)}`, at))
}

/** Arguments by their types, for messages. */
export function describe(args: readonly Argument[]): string {
  return args.map((arg) => (arg.kind === 'literal' ? arg.text.slice(0, 40) : typeName(arg.type))).join(', ')
}

/** The same type for all arguments and the result. */
export const alike: BindFunction = (name, args, at) => {
  const bound = inOneType(name, args, at)
  return makeCall(name, bound, bound[0]?.type ?? decline(`the function ${name}`, at), at)
}

/** The binding of another name. */
export const named =
  (other: string, bind: BindFunction): BindFunction =>
  (_, args, at) =>
    bind(other, args, at)
