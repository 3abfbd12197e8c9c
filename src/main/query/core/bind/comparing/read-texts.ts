import type { TypedExpression } from '../../../../../plan/expression.ts'
import { isAnyTime, TIMESTAMP, TIMESTAMPTZ } from '../../../../../plan/kernels/calendar.ts'
import { DATE, TIME } from '../../../../../plan/kernels/kernel-types.ts'
import { type DataType, sameType } from '../../../../../plan/types/schema.ts'
import type { Literal } from '../../../bind/expressions/literal.ts'
import type { Argument } from '../../../bind/expressions/literal-constant.ts'
import { bindCast } from '../../../bind/expressions/make-call.ts'

/** The types of literals that say what they are. */
const TYPES: ReadonlyMap<Literal['form'], DataType> = new Map([
  ['date', DATE],
  ['timestamp', TIMESTAMP],
  ['instant', TIMESTAMPTZ],
  ['time', TIME],
])

/**
 * Values that are compared for equality, of which DuckDB casts texts to times if they are compared with times of one type. Others as they
 * are. A string is none of these texts: it would have to be read here.
 */
export function readTexts(args: readonly Argument[], at: number | null): readonly Argument[] {
  const times = args.flatMap((arg) => timeTypeOf(arg) ?? [])
  const [type] = times
  const isOfOne = times.every((each) => type !== undefined && sameType(each, type))
  if (type === undefined || !isOfOne || !args.every((arg) => timeTypeOf(arg) !== null || isText(arg)))
    return args
  return args.map((arg) => (arg.kind !== 'literal' && isText(arg) ? bindCast(arg, type, at) : arg))
}

/** An operand that is compared with literals, likewise. */
export function readText(operand: TypedExpression, literals: readonly Literal[]): TypedExpression {
  const [read] = readTexts([operand, ...literals], literals[0]?.at ?? null)
  return read === undefined || read.kind === 'literal' ? operand : read
}

function timeTypeOf(arg: Argument): DataType | null {
  if (arg.kind === 'literal') return TYPES.get(arg.form) ?? null
  return isAnyTime(arg.type) || arg.type.kind === 'time' ? arg.type : null
}

function isText(arg: Argument): boolean {
  return arg.kind !== 'literal' && arg.type.kind === 'utf8'
}
