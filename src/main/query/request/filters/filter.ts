import type { Comparison } from '../../../../plan/condition/compare.ts'
import { type Match, startOf } from '../../../../plan/condition/pattern.ts'
import type { Geometry } from '../../../../plan/geometry/geometry.ts'
import { isMatchInCore } from '../../../../plan/kernels/match-call.ts'
import type { FilterValue } from './filter-value.ts'

/** A filter of the JSON language (docs/reference/json-language.md), its names not yet bound to columns. `path` is its JSON path. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly args: readonly Filter[] }
  | { readonly kind: 'not'; readonly arg: Filter }
  | NullFilter
  | CompareFilter
  | BetweenFilter
  | InFilter
  | MatchFilter
  | WithinFilter

export interface NullFilter {
  readonly kind: 'is_null' | 'is_not_null'
  readonly column: string
  readonly path: string
}

interface CompareFilter {
  readonly kind: 'compare'
  readonly column: string
  readonly comparison: Comparison
  readonly value: FilterValue
  readonly path: string
}

/** Both bounds are inclusive and values of one kind. */
export interface BetweenFilter {
  readonly kind: 'between'
  readonly column: string
  readonly low: FilterValue
  readonly high: FilterValue
  readonly path: string
}

/** The column has one of the values. */
interface InFilter {
  readonly kind: 'in'
  readonly column: string
  readonly values: readonly FilterValue[]
  readonly path: string
}

export interface MatchFilter {
  readonly kind: 'match'
  readonly column: string
  readonly match: Match
  readonly pattern: string
  readonly path: string
}

export interface WithinFilter {
  readonly kind: 'within'
  readonly longitude: string
  readonly latitude: string
  readonly geometry: Geometry
  readonly path: string
}

/** Whether a filter has a pattern that DuckDB alone evaluates. */
export function hasPattern(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.args.some(hasPattern)
    case 'not':
      return hasPattern(filter.arg)
    case 'match':
      return (
        startOf(filter.match, filter.pattern).rest === 'pattern' &&
        !isMatchInCore(filter.match, filter.pattern)
      )
    default:
      return false
  }
}
