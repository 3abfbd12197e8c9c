import type { ConstantExpression, Expression, TypedExpression } from '../../../../../plan/expression.ts'
import { compareScalars } from '../../../../../plan/predicate/compare.ts'
import type { Predicate } from '../../../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../../../plan/types/scalar.ts'
import { isTrue } from '../../../bind/expressions/asked-in-order.ts'
import type { Argument } from '../../../bind/expressions/literal-constant.ts'
import { any } from '../../../bind/filters/combine.ts'
import { COMPARISONS, MIRROR } from '../../../explained/comparisons.ts'
import { foldCast } from './fold-cast.ts'
import { moveConstants } from './move-constants.ts'

/**
 * A condition of values that are bound to one type, as a comparison with constants if all but the first one are, such as `0.7::DOUBLE`: it
 * prunes as one with a literal does. `args` are the values as they were before they had that type.
 */
export function compareConstants(condition: TypedExpression, args: readonly Argument[]): Predicate {
  if (condition.kind !== 'call') return isTrue(condition)
  const { name } = condition
  const comparison = COMPARISONS.get(name)
  const folded = condition.args.map(foldCast)
  const [first, second] = folded
  if (comparison !== undefined && first !== undefined && second !== undefined) {
    if (first.kind === 'constant' && second.kind !== 'constant' && first.value !== null)
      return moveAlike(args, first, {
        op: 'compare',
        operand: requireTyped(second),
        comparison: MIRROR[comparison],
        value: first.value,
      })
    if (second.kind === 'constant' && first.kind !== 'constant' && second.value !== null)
      return moveAlike(args, second, {
        op: 'compare',
        operand: requireTyped(first),
        comparison,
        value: second.value,
      })
    return isTrue(condition)
  }
  const values = first === undefined || first.kind === 'constant' ? null : constantsOf(folded.slice(1))
  if (first === undefined || values === null) return isTrue(condition)
  const operand = requireTyped(first)
  if (name === 'in')
    return any(values.map((value): Predicate => ({ op: 'compare', operand, comparison: 'eq', value })))
  const [low, high] = values
  if (name !== 'between' || low === undefined || high === undefined) return isTrue(condition)
  return Object.freeze(
    compareScalars(low, high) > 0
      ? { op: 'where_known', operand, value: false }
      : { op: 'between', operand, low, high },
  )
}

/** DuckDB moves constants where it compares the operand itself, and with no value of a subquery. */
function moveAlike(
  args: readonly Argument[],
  { subquery }: ConstantExpression,
  compared: Extract<Predicate, { op: 'compare' }>,
): Predicate {
  const predicate = Object.freeze(compared)
  return subquery === undefined && args.includes(compared.operand) ? moveConstants(predicate) : predicate
}

/** Null: one of them is no constant, or is null. */
function constantsOf(args: readonly Expression[]): readonly Scalar[] | null {
  const values = args.flatMap((arg) => (arg.kind === 'constant' && arg.value !== null ? [arg.value] : []))
  return values.length === args.length ? values : null
}

/** The arguments of a condition that the core evaluates have types. */
function requireTyped(arg: Expression): TypedExpression {
  return arg as TypedExpression
}
