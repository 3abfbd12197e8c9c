import { columnIn, type TypedExpression } from '../expression.ts'
import type { Scalar } from '../types/scalar.ts'
import {
  boundsOf,
  type KnownColumn,
  mayBeNoneOf,
  mayBeOneOf,
  mayHold,
  mayLieBetween,
  NEGATION,
  passesNaN,
} from './bounds.ts'
import { knownOfCall, knownOfConstant } from './known-call.ts'
import type { Geometry, Predicate } from './predicate.ts'

/** The statistics of a column in a segment. Null: nothing is known. */
type StatisticsOf = (column: string) => KnownColumn | null

/** What is known of the values of an operand, from the statistics of columns. */
function knownOf(operand: TypedExpression, statisticsOf: StatisticsOf): KnownColumn | null {
  switch (operand.kind) {
    case 'column':
      return statisticsOf(operand.column)
    case 'constant':
      return knownOfConstant(operand.value, operand.type)
    case 'call':
      return knownOfCall(operand, (arg) => knownOf(arg, statisticsOf))
    case 'group':
      return null
  }
}

/**
 * Whether some row of a segment may pass. It is never false for a segment with a row that passes: without statistics nothing is
 * known, bounds need not be values that occur, and every float column may have NaN, which is outside of bounds and greater than
 * all numbers.
 */
export function mayMatch(predicate: Predicate, statisticsOf: StatisticsOf, rows: number): boolean {
  return mayBe(true, predicate, statisticsOf, rows)
}

/**
 * Whether every row of a segment certainly passes. A row for which the predicate is unknown does not pass, and every row of a
 * float column may be NaN.
 */
export function mustMatch(predicate: Predicate, statisticsOf: StatisticsOf, rows: number): boolean {
  return mustBe(true, predicate, statisticsOf, rows)
}

function mustBe(truth: boolean, predicate: Predicate, statisticsOf: StatisticsOf, rows: number): boolean {
  switch (predicate.op) {
    case 'constant':
      return predicate.value === truth
    case 'not':
      return mustBe(!truth, predicate.arg, statisticsOf, rows)
    case 'and':
    case 'or': {
      const mustAllBe = truth === (predicate.op === 'and')
      const must = (arg: Predicate): boolean => mustBe(truth, arg, statisticsOf, rows)
      return mustAllBe ? predicate.args.every(must) : predicate.args.some(must)
    }
    case 'within':
      return !truth && !mayBe(true, predicate, statisticsOf, rows)
    case 'is_null':
    case 'is_not_null':
      return (
        knownOf(predicate.operand, statisticsOf) !== null && !mayBe(!truth, predicate, statisticsOf, rows)
      )
  }
  // Without nulls, a comparison is either true or false.
  const nulls = knownOf(predicate.operand, statisticsOf)?.nulls
  return nulls === 0 && !mayBe(!truth, predicate, statisticsOf, rows)
}

/** Whether the predicate may be `truth`, that is true or false, for some row. Unknown is neither. */
function mayBe(truth: boolean, predicate: Predicate, statisticsOf: StatisticsOf, rows: number): boolean {
  switch (predicate.op) {
    case 'constant':
      return predicate.value === truth
    case 'not':
      return mayBe(!truth, predicate.arg, statisticsOf, rows)
    case 'and':
    case 'or': {
      const mustAllBe = truth === (predicate.op === 'and')
      if (!mustAllBe) return predicate.args.some((arg) => mayBe(truth, arg, statisticsOf, rows))
      const narrowed = truth ? withoutNaN(predicate.args, statisticsOf) : statisticsOf
      return predicate.args.every((arg) => mayBe(truth, arg, narrowed, rows))
    }
    case 'within': {
      const [x, y] = [knownOf(predicate.longitude, statisticsOf), knownOf(predicate.latitude, statisticsOf)]
      return !truth || mayLieInside(predicate.geometry, x, y, rows)
    }
  }
  const operandStatistics = knownOf(predicate.operand, statisticsOf)
  if (operandStatistics === null) return true
  const allNull = operandStatistics.nulls === rows
  switch (predicate.op) {
    case 'is_null':
    case 'is_not_null':
      return truth === (predicate.op === 'is_null') ? operandStatistics.nulls !== 0 : !allNull
    case 'where_known':
      return !allNull && predicate.value === truth
  }
  if (allNull) return false
  const bounds = boundsOf(operandStatistics)
  switch (predicate.op) {
    case 'compare':
      return mayHold(truth ? predicate.comparison : NEGATION[predicate.comparison], bounds, predicate.value)
    case 'between':
      return truth
        ? mayLieBetween(bounds, predicate.low, predicate.high)
        : mayHold('lt', bounds, predicate.low) || mayHold('gt', bounds, predicate.high)
    case 'in':
      return truth ? mayBeOneOf(bounds, predicate.values) : mayBeNoneOf(bounds, predicate.values)
  }
}

/**
 * The statistics for rows for which all of `args` are true. If one of these excludes NaN, the maximum is an upper bound for the
 * others as well, as in `latitude > 30 AND latitude < 60`.
 */
function withoutNaN(args: readonly Predicate[], statisticsOf: StatisticsOf): StatisticsOf {
  const excluded = excludesNaN(args)
  return (column) => {
    const columnStatistics = statisticsOf(column)
    return columnStatistics !== null && excluded.has(column)
      ? { ...columnStatistics, noNaN: true }
      : columnStatistics
  }
}

/** The columns that are not NaN in rows for which all of `args` are true. */
export function excludesNaN(args: readonly Predicate[]): ReadonlySet<string> {
  return new Set(
    args.flatMap((arg) =>
      (arg.op === 'compare' || arg.op === 'between' || arg.op === 'in') && !passesNaN(arg)
        ? (columnIn(arg.operand) ?? [])
        : [],
    ),
  )
}

/** Points have to be strictly inside the box (docs/reference/json-language.md). Null and NaN coordinates are outside. */
function mayLieInside(
  { box: [minX, minY, maxX, maxY] }: Geometry,
  longitude: KnownColumn | null,
  latitude: KnownColumn | null,
  rows: number,
): boolean {
  return mayLieStrictly(longitude, minX, maxX, rows) && mayLieStrictly(latitude, minY, maxY, rows)
}

function mayLieStrictly(statistics: KnownColumn | null, low: number, high: number, rows: number): boolean {
  if (!(low < high)) return false
  if (statistics === null) return true
  if (statistics.nulls === rows) return false
  const { min, max } = boundsOf(statistics)
  const least = asDouble(min)
  const greatest = asDouble(max)
  return !(least !== null && least >= high) && !(greatest !== null && greatest <= low)
}

/** A bound of integers or floats as a double, rounded like the column's values in the point test. */
function asDouble(bound: Scalar | null): number | null {
  return bound?.kind === 'float' || bound?.kind === 'int' ? Number(bound.value) : null
}
