import type { Comparison, Predicate } from '../../../plan/predicate/predicate.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { FilterValue } from '../request/filter-value.ts'
import { place } from './place.ts'

/** `column <comparison> value` with the value as a constant of the column's type. Throws `type_mismatch`. */
export function bindComparison(
  column: string,
  type: DataType,
  comparison: Comparison,
  value: FilterValue,
): Predicate {
  const known = (outcome: boolean): Predicate => Object.freeze({ op: 'where_known', column, value: outcome })
  // A column of nulls: every comparison is unknown.
  if (type.kind === 'null') return known(false)
  const found = place(value, column, type)
  if ('exact' in found) return Object.freeze({ op: 'compare', column, type, comparison, value: found.exact })
  const { below, above } = found
  switch (comparison) {
    case 'eq':
      return known(false)
    case 'neq':
      return known(true)
    case 'gt':
    case 'gt_eq':
      if (above === null || below === null) return known(below === null)
      return Object.freeze({ op: 'compare', column, type, comparison: 'gt_eq', value: above })
    case 'lt':
    case 'lt_eq':
      if (above === null || below === null) return known(above === null)
      return Object.freeze({ op: 'compare', column, type, comparison: 'lt_eq', value: below })
  }
}

/** `column` from `low` to `high`, both inclusive. Throws `type_mismatch`. */
export function bindRange(column: string, type: DataType, low: FilterValue, high: FilterValue): Predicate {
  const nothing: Predicate = Object.freeze({ op: 'where_known', column, value: false })
  if (type.kind === 'null') return nothing
  const lowPlace = place(low, column, type)
  const highPlace = place(high, column, type)
  const first = 'exact' in lowPlace ? lowPlace.exact : lowPlace.above
  const last = 'exact' in highPlace ? highPlace.exact : highPlace.below
  if (first === null || last === null) return nothing
  return Object.freeze({ op: 'between', column, type, low: first, high: last })
}
