import type { TypedExpression } from '../../../../plan/expression.ts'
import { BOOLEAN } from '../../../../plan/kernels/kernel-types.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import { decline } from '../declined.ts'
import { type Argument, literalAs } from './literal-constant.ts'
import { inOneType, makeCall } from './make-call.ts'

/** A comparison, or another condition on values of one type. */
export function bindComparison(name: string, args: readonly Argument[], at: number | null): TypedExpression {
  return makeCall(name, inOneType(name, args, at), BOOLEAN, at)
}

/** AND, OR or NOT of conditions. */
export function bindLogic(
  name: 'and' | 'or' | 'not',
  args: readonly TypedExpression[],
  at: number | null,
): TypedExpression {
  return makeCall(name, args, BOOLEAN, at)
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
  return chooseBranches(bound, type ?? BOOLEAN, at)
}

/**
 * Leaves out the branches whose constant condition is false or null, and those behind one that is true, as DuckDB does before it computes
 * anything.
 */
function chooseBranches(
  args: readonly TypedExpression[],
  type: DataType,
  at: number | null,
): TypedExpression {
  const rest: TypedExpression[] = []
  for (const [index, arg] of args.entries()) {
    const value = args[index + 1]
    if (index % 2 !== 0) continue
    if (value === undefined) {
      rest.push(arg)
    } else if (isTrueConstant(arg)) {
      rest.push(value)
      break
    } else if (!isConstantCondition(arg)) {
      rest.push(arg, value)
    }
  }
  const [only, ...others] = rest
  return only !== undefined && others.length === 0 ? only : makeCall('case', rest, type, at)
}

/** The value of a subquery is not known before it has run. */
const isConstantCondition = (arg: TypedExpression): boolean =>
  arg.kind === 'constant' && arg.subquery === undefined

const isTrueConstant = (arg: TypedExpression): boolean =>
  isConstantCondition(arg) && arg.kind === 'constant' && arg.value?.kind === 'bool' && arg.value.value

function condition(arg: Argument, at: number | null): TypedExpression {
  const bound = arg.kind === 'literal' ? literalAs(arg, BOOLEAN) : arg
  return bound.type.kind === 'bool' ? bound : decline('a condition that is no BOOLEAN', at)
}
