import { any } from '../../../../../plan/condition/combine.ts'
import { type Comparison, compareScalars } from '../../../../../plan/condition/compare.ts'
import { between, type Condition, compare, whereNotNull } from '../../../../../plan/condition/condition.ts'
import type { ConstantExpression, Expression, TypedExpression } from '../../../../../plan/expression.ts'
import type { Scalar } from '../../../../../plan/types/scalar.ts'
import type { Argument } from '../../../bind/expressions/literal-constant.ts'
import { COMPARISONS, MIRROR } from '../../../explained/comparisons.ts'
import { foldCast } from './fold-cast.ts'
import { moveConstants } from './move-constants.ts'

/**
 * A condition of values that are bound to one type, as a comparison with constants if all but the first one are, such as `0.7::DOUBLE`: it
 * prunes as one with a literal does. `args` are the values as they were before they had that type.
 */
export function compareConstants(condition: TypedExpression, args: readonly Argument[]): Condition {
  if (condition.kind !== 'call') return condition
  const { name } = condition
  const comparison = COMPARISONS.get(name)
  const folded = condition.args.map(foldCast)
  const [first, second] = folded
  if (comparison !== undefined && first !== undefined && second !== undefined) {
    if (first.kind === 'constant' && second.kind !== 'constant' && first.value !== null)
      return compareMoved(args, first, requireTyped(second), MIRROR[comparison], first.value)
    if (second.kind === 'constant' && first.kind !== 'constant' && second.value !== null)
      return compareMoved(args, second, requireTyped(first), comparison, second.value)
    return condition
  }
  const values = first === undefined || first.kind === 'constant' ? null : constantsOf(folded.slice(1))
  if (first === undefined || values === null) return condition
  const operand = requireTyped(first)
  if (name === 'in') return any(values.map((value) => compare(operand, 'eq', value)))
  const [low, high] = values
  if (name !== 'between' || low === undefined || high === undefined) return condition
  return compareScalars(low, high) > 0 ? whereNotNull(operand, false) : between(operand, low, high)
}

/** DuckDB moves constants where it compares the operand itself, and with no value of a subquery. */
function compareMoved(
  args: readonly Argument[],
  { subquery }: ConstantExpression,
  operand: TypedExpression,
  comparison: Comparison,
  value: Scalar,
): Condition {
  const condition = compare(operand, comparison, value)
  return subquery === undefined && args.includes(operand) ? moveConstants(condition) : condition
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
