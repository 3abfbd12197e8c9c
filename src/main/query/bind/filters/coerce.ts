import { any } from '../../../../plan/condition/combine.ts'
import { type Comparison, compareScalars } from '../../../../plan/condition/compare.ts'
import { between, type Condition, compare, whereNotNull } from '../../../../plan/condition/condition.ts'
import type { TypedExpression } from '../../../../plan/expression.ts'
import type { FilterValue } from '../../request/filters/filter-value.ts'
import { positionOf } from './value-position.ts'

/**
 * The condition `operand <comparison> value`, with the value as a constant of the operand's type. `name` is the operand's name
 * in the request. Throws `type_mismatch`.
 */
export function bindComparison(
  operand: TypedExpression,
  comparison: Comparison,
  value: FilterValue,
  name: string,
): Condition {
  const { type } = operand
  // Every comparison with a column of type Null is unknown.
  if (type.kind === 'null') return whereNotNull(operand, false)
  const position = positionOf(value, name, type)
  if ('exact' in position) return compare(operand, comparison, position.exact)
  const { below, above } = position
  switch (comparison) {
    case 'eq':
      return whereNotNull(operand, false)
    case 'neq':
      return whereNotNull(operand, true)
    case 'gt':
    case 'gt_eq':
      if (above === null || below === null) return whereNotNull(operand, below === null)
      return compare(operand, 'gt_eq', above)
    case 'lt':
    case 'lt_eq':
      if (above === null || below === null) return whereNotNull(operand, above === null)
      return compare(operand, 'lt_eq', below)
  }
}

/** The condition that `operand` is one of `values`. Throws as `bindComparison` does. */
export function bindList(operand: TypedExpression, values: readonly FilterValue[], name: string): Condition {
  const { type } = operand
  // Every comparison with a column of type Null is unknown.
  const possible =
    type.kind === 'null'
      ? []
      : values.flatMap((value) => {
          const position = positionOf(value, name, type)
          // Values that the type cannot hold add nothing to others, since all equalities are unknown for the same rows.
          return 'exact' in position ? compare(operand, 'eq', position.exact) : []
        })
  return possible.length > 0 || values.length === 0 ? any(possible) : whereNotNull(operand, false)
}

/** The condition `operand` from `low` to `high`, both inclusive. Throws as `bindComparison` does. */
export function bindRange(
  operand: TypedExpression,
  low: FilterValue,
  high: FilterValue,
  name: string,
): Condition {
  const nothing = whereNotNull(operand, false)
  const { type } = operand
  if (type.kind === 'null') return nothing
  const lowPosition = positionOf(low, name, type)
  const highPosition = positionOf(high, name, type)
  const first = 'exact' in lowPosition ? lowPosition.exact : lowPosition.above
  const last = 'exact' in highPosition ? highPosition.exact : highPosition.below
  if (first === null || last === null || compareScalars(first, last) > 0) return nothing
  return between(operand, first, last)
}
