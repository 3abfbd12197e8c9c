import type { ColumnStatistics } from '../source/statistics.ts'
import type { Scalar } from '../types/scalar.ts'
import { compareScalars } from './compare.ts'

/** Statistics of some rows, and how many these are. */
export interface StatisticsOfRows {
  readonly statistics: ColumnStatistics | null
  readonly rows: number
}

/** What is known of a column in all rows together, of which each has been told of once. Null: nothing. */
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
}

/** Null: they are not known, or contradict themselves and say nothing. */
function boundsIn({ min, max }: ColumnStatistics): Bounds | null {
  if (min === undefined || max === undefined || isNaNScalar(min) || isNaNScalar(max)) return null
  return compareScalars(min, max) > 0 ? null : { min, max }
}

function widest(a: Bounds, b: Bounds): Bounds {
  return {
    min: compareScalars(b.min, a.min) < 0 ? b.min : a.min,
    max: compareScalars(b.max, a.max) > 0 ? b.max : a.max,
  }
}

function isNaNScalar(scalar: Scalar): boolean {
  return scalar.kind === 'float' && Number.isNaN(scalar.value)
}
