import { compareScalars } from '../../../../plan/predicate/compare.ts'
import type { Comparison, Operand, Predicate } from '../../../../plan/predicate/predicate.ts'
import type { FilterValue } from '../../request/filters/filter-value.ts'
import { any } from './combine.ts'
import { positionOf } from './value-position.ts'

/**
 * The predicate `operand <comparison> value`, with the value as a constant of the operand's type. `name` is the operand's name
 * in the request. Throws `type_mismatch`.
 */
export function bindComparison<O extends Operand>(
  operand: O,
  comparison: Comparison,
  value: FilterValue,
  name: string,
): Predicate<O> {
  const whereKnown = (outcome: boolean): Predicate<O> =>
    Object.freeze({ op: 'where_known', operand, value: outcome })
  const { type } = operand
  // Every comparison with a column of type Null is unknown.
  if (type.kind === 'null') return whereKnown(false)
  const position = positionOf(value, name, type)
  if ('exact' in position) return Object.freeze({ op: 'compare', operand, comparison, value: position.exact })
  const { below, above } = position
  switch (comparison) {
    case 'eq':
      return whereKnown(false)
    case 'neq':
      return whereKnown(true)
    case 'gt':
    case 'gt_eq':
      if (above === null || below === null) return whereKnown(below === null)
      return Object.freeze({ op: 'compare', operand, comparison: 'gt_eq', value: above })
    case 'lt':
    case 'lt_eq':
      if (above === null || below === null) return whereKnown(above === null)
      return Object.freeze({ op: 'compare', operand, comparison: 'lt_eq', value: below })
  }
}

/** The predicate that `operand` is one of `values`. Throws as `bindComparison` does. */
export function bindList<O extends Operand>(
  operand: O,
  values: readonly FilterValue[],
  name: string,
): Predicate<O> {
  const equalities = values.map((value) => bindComparison(operand, 'eq', value, name))
  // Values that the type cannot hold add nothing to others, since all equalities are unknown for the same rows.
  const possible = equalities.filter(({ op }) => op !== 'where_known')
  return any(possible.length > 0 ? possible : equalities.slice(0, 1))
}

/** The predicate `operand` from `low` to `high`, both inclusive. Throws as `bindComparison` does. */
export function bindRange<O extends Operand>(
  operand: O,
  low: FilterValue,
  high: FilterValue,
  name: string,
): Predicate<O> {
  const nothing: Predicate<O> = Object.freeze({ op: 'where_known', operand, value: false })
  const { type } = operand
  if (type.kind === 'null') return nothing
  const lowPosition = positionOf(low, name, type)
  const highPosition = positionOf(high, name, type)
  const first = 'exact' in lowPosition ? lowPosition.exact : lowPosition.above
  const last = 'exact' in highPosition ? highPosition.exact : highPosition.below
  if (first === null || last === null || compareScalars(first, last) > 0) return nothing
  return Object.freeze({ op: 'between', operand, low: first, high: last })
}
