import type { ColumnStatistics } from '../source/statistics.ts'
import type { Scalar } from '../types/scalar.ts'
import { compareScalars } from './compare.ts'

/** Statistics of some rows, and the number of the rows. */
export interface StatisticsOfRows {
  readonly statistics: ColumnStatistics | null
  readonly rows: number
}

/** Merges statistics of disjoint sets of rows into those of all of them. Null: nothing is known of some rows. */
export function mergeStatistics(each: Iterable<StatisticsOfRows>): ColumnStatistics | null {
  let nulls: number | undefined = 0
  let bounds: Bounds | null | undefined
  for (const { statistics, rows } of each) {
    if (statistics === null) return null
    nulls = nulls === undefined || statistics.nulls === undefined ? undefined : nulls + statistics.nulls
    if (statistics.nulls === rows || bounds === null) continue
    const its = boundsIn(statistics)
    bounds = its === null || bounds === undefined ? its : widest(bounds, its)
  }
  return { ...bounds, ...(nulls !== undefined && { nulls }) }
}

interface Bounds {
  readonly min: Scalar
  readonly max: Scalar
  /** Set if all are exact. */
  readonly isMinExact?: true
  readonly isMaxExact?: true
}

/** The bounds of statistics. Null: they are not known, or not valid. */
function boundsIn({ min, max, isMinExact, isMaxExact }: ColumnStatistics): Bounds | null {
  if (min === undefined || max === undefined || isNaNScalar(min) || isNaNScalar(max)) return null
  if (compareScalars(min, max) > 0) return null
  return { min, max, ...(isMinExact && { isMinExact }), ...(isMaxExact && { isMaxExact }) }
}

function widest(a: Bounds, b: Bounds): Bounds {
  return {
    min: compareScalars(b.min, a.min) < 0 ? b.min : a.min,
    max: compareScalars(b.max, a.max) > 0 ? b.max : a.max,
    ...(a.isMinExact && b.isMinExact && { isMinExact: true }),
    ...(a.isMaxExact && b.isMaxExact && { isMaxExact: true }),
  }
}

function isNaNScalar(scalar: Scalar): boolean {
  return scalar.kind === 'float' && Number.isNaN(scalar.value)
}
