import type { TypedExpression } from '../expression.ts'
import type { Geometry } from '../geometry/geometry.ts'
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
import type { Condition } from './condition.ts'
import { knownOfCall, knownOfConstant } from './known-call.ts'
import { testOf } from './test.ts'

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
export function mayMatch(condition: Condition, statisticsOf: StatisticsOf, rows: number): boolean {
  return mayBe(true, condition, statisticsOf, rows)
}

/**
 * Whether every row of a segment certainly passes. A row for which the condition is unknown does not pass, and every row of a
 * float column may be NaN.
 */
export function mustMatch(condition: Condition, statisticsOf: StatisticsOf, rows: number): boolean {
  return mustBe(true, condition, statisticsOf, rows)
}

function mustBe(truth: boolean, condition: Condition, statisticsOf: StatisticsOf, rows: number): boolean {
  const test = testOf(condition)
  switch (test.op) {
    case 'constant':
      return test.value === truth
    case 'not':
      return mustBe(!truth, test.arg, statisticsOf, rows)
    case 'and':
    case 'or': {
      const mustAllBe = truth === (test.op === 'and')
      const must = (arg: Condition): boolean => mustBe(truth, arg, statisticsOf, rows)
      return mustAllBe ? test.args.every(must) : test.args.some(must)
    }
    case 'within':
      return !truth && !mayBe(true, condition, statisticsOf, rows)
    case 'is_null':
    case 'is_not_null':
      return knownOf(test.operand, statisticsOf) !== null && !mayBe(!truth, condition, statisticsOf, rows)
  }
  // Without nulls, a comparison is either true or false.
  const nulls = knownOf(test.operand, statisticsOf)?.nulls
  return nulls === 0 && !mayBe(!truth, condition, statisticsOf, rows)
}

/** Whether a condition may be `truth`, that is true or false, for some row. Unknown is neither. */
function mayBe(truth: boolean, condition: Condition, statisticsOf: StatisticsOf, rows: number): boolean {
  const test = testOf(condition)
  switch (test.op) {
    case 'constant':
      return test.value === truth
    case 'not':
      return mayBe(!truth, test.arg, statisticsOf, rows)
    case 'and':
    case 'or': {
      const mustAllBe = truth === (test.op === 'and')
      if (!mustAllBe) return test.args.some((arg) => mayBe(truth, arg, statisticsOf, rows))
      const narrowed = truth ? withoutNaN(test.args, statisticsOf) : statisticsOf
      return test.args.every((arg) => mayBe(truth, arg, narrowed, rows))
    }
    case 'within': {
      const [x, y] = [knownOf(test.longitude, statisticsOf), knownOf(test.latitude, statisticsOf)]
      return !truth || mayLieInside(test.geometry, x, y, rows)
    }
  }
  const operandStatistics = knownOf(test.operand, statisticsOf)
  if (operandStatistics === null) return true
  const allNull = operandStatistics.nulls === rows
  switch (test.op) {
    case 'is_null':
    case 'is_not_null':
      return truth === (test.op === 'is_null') ? operandStatistics.nulls !== 0 : !allNull
  }
  if (allNull) return false
  const bounds = boundsOf(operandStatistics)
  switch (test.op) {
    case 'compare':
      return mayHold(truth ? test.comparison : NEGATION[test.comparison], bounds, test.value)
    case 'between':
      return truth
        ? mayLieBetween(bounds, test.low, test.high)
        : mayHold('lt', bounds, test.low) || mayHold('gt', bounds, test.high)
    case 'in':
      return truth ? mayBeOneOf(bounds, test.values) : mayBeNoneOf(bounds, test.values)
  }
}

/**
 * The statistics for rows for which all of `args` are true. If one of these excludes NaN, the maximum is an upper bound for the
 * others as well, as in `latitude > 30 AND latitude < 60`.
 */
function withoutNaN(args: readonly Condition[], statisticsOf: StatisticsOf): StatisticsOf {
  const excluded = excludesNaN(args)
  return (column) => {
    const columnStatistics = statisticsOf(column)
    return columnStatistics !== null && excluded.has(column)
      ? { ...columnStatistics, noNaN: true }
      : columnStatistics
  }
}

/** The columns that are not NaN in rows for which all of `args` are true. */
export function excludesNaN(args: readonly Condition[]): ReadonlySet<string> {
  return new Set(
    args.flatMap((arg) => {
      const test = testOf(arg)
      const isCompared = test.op === 'compare' || test.op === 'between' || test.op === 'in'
      return isCompared && test.operand.kind === 'column' && !passesNaN(test) ? test.operand.column : []
    }),
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
