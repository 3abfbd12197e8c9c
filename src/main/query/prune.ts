import type { Comparison, Geometry, Predicate } from '../../plan/predicate.ts'
import type { Scalar } from '../../plan/scalar.ts'
import type { DataType } from '../../plan/schema.ts'
import type { ColumnStatistics } from '../../plan/unit.ts'
import { compareScalars, holds } from './compare.ts'

/** Statistics of one column in one segment, in the type that the scan reads it as. */
export interface KnownColumn extends ColumnStatistics {
  readonly type: DataType
}

/** What may happen in a segment: that a row makes a predicate true, that a row makes it false. */
interface Outcomes {
  readonly mayBeTrue: boolean
  readonly mayBeFalse: boolean
}

const ANYTHING: Outcomes = Object.freeze({ mayBeTrue: true, mayBeFalse: true })
const ALWAYS_UNKNOWN: Outcomes = Object.freeze({ mayBeTrue: false, mayBeFalse: false })

/**
 * Whether some row of a segment may pass. Never false for a segment with a row that does: `null` statistics say
 * nothing, bounds need not occur, and NaN, which is in no bounds and above every number, may be in any float column.
 */
export function mayMatch(
  predicate: Predicate,
  statisticsOf: (column: string) => KnownColumn | null,
  rows: number,
): boolean {
  return outcomes(predicate, statisticsOf, rows).mayBeTrue
}

function outcomes(
  predicate: Predicate,
  statisticsOf: (column: string) => KnownColumn | null,
  rows: number,
): Outcomes {
  switch (predicate.op) {
    case 'constant':
      return { mayBeTrue: predicate.value, mayBeFalse: !predicate.value }
    case 'not': {
      const { mayBeTrue, mayBeFalse } = outcomes(predicate.arg, statisticsOf, rows)
      return { mayBeTrue: mayBeFalse, mayBeFalse: mayBeTrue }
    }
    case 'and':
    case 'or': {
      const args = predicate.args.map((arg) => outcomes(arg, statisticsOf, rows))
      return predicate.op === 'and'
        ? { mayBeTrue: args.every((arg) => arg.mayBeTrue), mayBeFalse: args.some((arg) => arg.mayBeFalse) }
        : { mayBeTrue: args.some((arg) => arg.mayBeTrue), mayBeFalse: args.every((arg) => arg.mayBeFalse) }
    }
    case 'within':
      return withinOutcomes(
        predicate.geometry,
        statisticsOf(predicate.longitude),
        statisticsOf(predicate.latitude),
        rows,
      )
  }
  const known = statisticsOf(predicate.column)
  if (known === null) return ANYTHING
  const allNull = known.nulls === rows
  const noneNull = known.nulls === 0
  switch (predicate.op) {
    case 'is_null':
      return { mayBeTrue: !noneNull, mayBeFalse: !allNull }
    case 'is_not_null':
      return { mayBeTrue: !allNull, mayBeFalse: !noneNull }
    case 'where_known':
      return allNull ? ALWAYS_UNKNOWN : { mayBeTrue: predicate.value, mayBeFalse: !predicate.value }
  }
  if (allNull) return ALWAYS_UNKNOWN
  const values = boundsOf(known)
  switch (predicate.op) {
    case 'compare':
      return compareOutcomes(predicate.comparison, values, predicate.value)
    case 'between': {
      const above = compareOutcomes('gt_eq', values, predicate.low)
      const below = compareOutcomes('lt_eq', values, predicate.high)
      return {
        mayBeTrue: above.mayBeTrue && below.mayBeTrue,
        mayBeFalse: above.mayBeFalse || below.mayBeFalse,
      }
    }
    case 'in':
      return inOutcomes(values, predicate.values)
  }
}

/** The values of a segment: from `min` to `max` where they are known, and NaN besides if `mayBeNaN`. */
interface Bounds {
  readonly min: Scalar | null
  readonly max: Scalar | null
  readonly mayBeNaN: boolean
}

/** Bounds that contradict themselves say nothing. */
function boundsOf(known: KnownColumn): Bounds {
  const mayBeNaN = known.type.kind === 'float'
  const min = known.min ?? null
  const max = known.max ?? null
  const broken =
    isNaNScalar(min) || isNaNScalar(max) || (min !== null && max !== null && compareScalars(min, max) > 0)
  return broken ? { min: null, max: null, mayBeNaN } : { min, max, mayBeNaN }
}

function isNaNScalar(scalar: Scalar | null): boolean {
  return scalar?.kind === 'float' && Number.isNaN(scalar.value)
}

const NEGATION: Readonly<Record<Comparison, Comparison>> = Object.freeze({
  eq: 'neq',
  neq: 'eq',
  gt: 'lt_eq',
  gt_eq: 'lt',
  lt: 'gt_eq',
  lt_eq: 'gt',
})

/** Of values that are not null, a comparison is false where its negation is true. */
function compareOutcomes(comparison: Comparison, bounds: Bounds, value: Scalar): Outcomes {
  return {
    mayBeTrue: mayHold(comparison, bounds, value),
    mayBeFalse: mayHold(NEGATION[comparison], bounds, value),
  }
}

const NAN: Scalar = Object.freeze({ kind: 'float', value: Number.NaN })

function mayHold(comparison: Comparison, { min, max, mayBeNaN }: Bounds, value: Scalar): boolean {
  if (mayBeNaN && holds(comparison, compareScalars(NAN, value))) return true
  const overMin = min === null ? null : compareScalars(value, min)
  const overMax = max === null ? null : compareScalars(value, max)
  switch (comparison) {
    case 'eq':
      return !((overMin !== null && overMin < 0) || (overMax !== null && overMax > 0))
    case 'neq':
      return !(overMin === 0 && overMax === 0)
    case 'gt':
      return overMax === null || overMax < 0
    case 'gt_eq':
      return overMax === null || overMax <= 0
    case 'lt':
      return overMin === null || overMin > 0
    case 'lt_eq':
      return overMin === null || overMin >= 0
  }
}

/** `values` ascend: those below `min` are passed over by halving, and the next one decides. */
function inOutcomes(bounds: Bounds, values: readonly Scalar[]): Outcomes {
  let low = 0
  let high = values.length
  while (bounds.min !== null && low < high) {
    const middle = (low + high) >> 1
    const value = values[middle]
    if (value !== undefined && compareScalars(value, bounds.min) < 0) low = middle + 1
    else high = middle
  }
  const next = values[low]
  const last = values.at(-1)
  const mayBeTrue =
    (next !== undefined && mayHold('eq', bounds, next)) || (last !== undefined && mayHold('eq', bounds, last))
  return { mayBeTrue, mayBeFalse: next === undefined || mayHold('neq', bounds, next) }
}

/** Never unknown: a point with a null or NaN coordinate is outside. The box test is strict (formats.md §8.1). */
function withinOutcomes(
  { box }: Geometry,
  longitude: KnownColumn | null,
  latitude: KnownColumn | null,
  rows: number,
): Outcomes {
  const [minX, minY, maxX, maxY] = box
  const mayBeTrue = mayLieInside(longitude, minX, maxX, rows) && mayLieInside(latitude, minY, maxY, rows)
  return { mayBeTrue, mayBeFalse: true }
}

function mayLieInside(known: KnownColumn | null, low: number, high: number, rows: number): boolean {
  if (!(low < high)) return false
  if (known === null) return true
  if (known.nulls === rows) return false
  const { min, max } = boundsOf(known)
  const least = asDouble(min, known.type)
  const greatest = asDouble(max, known.type)
  return !(least !== null && least >= high) && !(greatest !== null && greatest <= low)
}

/** A bound as the double that its column is compared as; decimals are not rounded here, so they say nothing. */
function asDouble(bound: Scalar | null, type: DataType): number | null {
  if (bound?.kind === 'float') return bound.value
  return bound?.kind === 'int' && type.kind === 'int' ? Number(bound.value) : null
}
