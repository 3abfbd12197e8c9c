import type { Comparison, Geometry } from '../../../plan/predicate/predicate.ts'
import type { FilterValue } from './filter-value.ts'

/** A filter of the JSON language (docs/reference/json-language.md), its names not yet bound to columns. `path` is its JSON path. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly args: readonly Filter[] }
  | NullFilter
  | CompareFilter
  | BetweenFilter
  | WithinFilter

export interface NullFilter {
  readonly kind: 'is_null' | 'is_not_null'
  readonly column: string
  readonly path: string
}

export interface CompareFilter {
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

export interface WithinFilter {
  readonly kind: 'within'
  readonly longitude: string
  readonly latitude: string
  readonly geometry: Geometry
  readonly path: string
}
