import type { Comparison, Geometry } from '../../../plan/predicate/predicate.ts'
import { type FilterValue, readFilterValue } from './filter-value.ts'
import { readGeometry } from './geometry.ts'
import {
  at,
  describe,
  MAX_DEPTH,
  type Members,
  readArray,
  readMembers,
  readSpelledText,
  reject,
  spelled,
} from './shape.ts'

/** A filter of the JSON language (docs/reference/json-language.md), its names not yet bound to columns. `path` is its JSON path. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly args: readonly Filter[] }
  | { readonly kind: 'is_null' | 'is_not_null'; readonly column: string; readonly path: string }
  | CompareFilter
  | BetweenFilter
  | WithinFilter

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

/** The most filters in one request, `and` and `or` included. */
const MAX_FILTERS = 10_000

const COLUMN = ['column', 'for_query_parameter']
const LONGITUDE = ['longitude_column', 'longitude_query_parameter']
const LATITUDE = ['latitude_column', 'latitude_query_parameter']
const LOW = ['gt_eq', 'min', 'low']
const HIGH = ['lt_eq', 'max', 'high']

/** Comparisons and their spellings. Of several in one object the first in this list is used. */
const COMPARISONS: readonly (readonly [Comparison, readonly string[]])[] = [
  ['eq', ['eq']],
  ['neq', ['neq', 'not_eq', 'not_equal']],
  ['gt', ['gt']],
  ['gt_eq', LOW],
  ['lt', ['lt']],
  ['lt_eq', HIGH],
]

const NULL_TESTS = new Map<string, 'is_null' | 'is_not_null'>([
  ['is_null', 'is_null'],
  ['is_not_null', 'is_not_null'],
  ['skip_fill_values', 'is_not_null'],
  ['skip_missing', 'is_not_null'],
])

/** The filters of the members `filter` and `filters`, in this order. A row must pass all of them. */
export function readFilters(filter: unknown, filters: unknown): readonly Filter[] {
  const budget = { left: MAX_FILTERS }
  const single = filter === undefined ? [] : [readFilter(filter, 'filter', 0, budget)]
  const list =
    filters === undefined
      ? []
      : readArray(filters, 'filters', (item, path) => readFilter(item, path, 0, budget))
  return Object.freeze([...single, ...list])
}

function readFilter(value: unknown, path: string, depth: number, budget: { left: number }): Filter {
  if (depth > MAX_DEPTH) reject(path, `filters may be nested ${MAX_DEPTH} deep`)
  if (budget.left-- === 0) reject(path, `a request may hold ${MAX_FILTERS} filters`)
  const members = readMembers(value, path)
  for (const [key, member] of members) {
    const nullTest = NULL_TESTS.get(key)
    if (nullTest === undefined && key !== 'and' && key !== 'or') continue
    if (members.size > 1) reject(path, `"${key}" must be the only member of its object`)
    const memberPath = at(path, key)
    if (nullTest !== undefined) {
      const column = readSpelledText(readMembers(member, memberPath), COLUMN, memberPath)
      return Object.freeze({ kind: nullTest, column, path })
    }
    const args = readArray(member, memberPath, (arg, argPath) => readFilter(arg, argPath, depth + 1, budget))
    return Object.freeze({ kind: key === 'and' ? 'and' : 'or', args })
  }
  return readLeaf(members, path)
}

/**
 * Reads a filter other than `and`, `or` and the tests for null. If its members fit several of the forms, the first one in the
 * order of docs/reference/json-language.md is used and the other members are ignored.
 */
function readLeaf(members: Members, path: string): Filter {
  const low = spelled(members, LOW, path)
  const high = spelled(members, HIGH, path)
  if (low !== null && high !== null) {
    const column = readSpelledText(members, COLUMN, path)
    const lowValue = readFilterValue(low.value, at(path, low.key))
    const highValue = readFilterValue(high.value, at(path, high.key))
    if (lowValue.kind !== highValue.kind) {
      reject(
        path,
        `"${low.key}" is a ${lowValue.kind} and "${high.key}" a ${highValue.kind}, expected one kind`,
      )
    }
    return Object.freeze({ kind: 'between', column, low: lowValue, high: highValue, path })
  }
  for (const [comparison, spellings] of COMPARISONS) {
    const member = spelled(members, spellings, path)
    if (member === null) continue
    const column = readSpelledText(members, COLUMN, path)
    const value = readFilterValue(member.value, at(path, member.key))
    return Object.freeze({ kind: 'compare', column, comparison, value, path })
  }
  if (members.has('geometry')) {
    return Object.freeze({
      kind: 'within',
      longitude: readSpelledText(members, LONGITUDE, path),
      latitude: readSpelledText(members, LATITUDE, path),
      geometry: readGeometry(members.get('geometry'), at(path, 'geometry')),
      path,
    })
  }
  const known = COMPARISONS.flatMap(([, spellings]) => spellings).join(', ')
  return reject(
    path,
    `no filter in ${describe([...members.keys()].join(', '))}: expected "column" with one of ${known}; ` +
      'or one of and, or, is_null, is_not_null; or "longitude_column", "latitude_column" and "geometry"',
  )
}
