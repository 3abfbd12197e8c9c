import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import { compareScalars } from '../../../plan/predicate/compare.ts'
import type { Projection } from '../../../plan/scan.ts'
import type { Aggregate } from '../../../plan/task/finish.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'

/** Computes an aggregate from statistics, without reading rows. */
export interface KnownAggregate {
  /** The source column that it aggregates. Null: rows. */
  readonly column: string | null
  /** Adds `rows` rows with these statistics of the column. False: the statistics are not enough. */
  add(statistics: KnownColumn | null, rows: number): boolean
  value(): Scalar | null
}

/** Null: an aggregate of this kind cannot be computed from statistics. */
export function aggregateByStatistics(
  aggregate: Aggregate,
  projection: readonly Projection[],
): KnownAggregate | null {
  if (aggregate.kind === 'count_rows') return countRowsOf(null)
  const argument = projection[aggregate.argument]?.expression
  if (argument?.kind !== 'column') return null
  switch (aggregate.kind) {
    case 'count':
      return countRowsOf(argument.column)
    case 'min':
    case 'max':
      return extreme(argument.column, aggregate.kind)
    default:
      return null
  }
}

function countRowsOf(column: string | null): KnownAggregate {
  let count = 0
  return {
    column,
    add(statistics, rows) {
      const nulls = column === null ? 0 : statistics?.nulls
      count += rows - (nulls ?? 0)
      return nulls !== undefined
    },
    value: () => ({ kind: 'int', value: BigInt(count) }),
  }
}

function extreme(column: string, kind: 'min' | 'max'): KnownAggregate {
  let extremeValue: Scalar | null = null
  return {
    column,
    add(statistics, rows) {
      if (statistics === null) return false
      if (statistics.nulls === rows) return true
      const bound =
        kind === 'min' ? statistics.isMinExact && statistics.min : statistics.isMaxExact && statistics.max
      if (!bound) return false
      const order = extremeValue === null ? 0 : compareScalars(bound, extremeValue)
      if (extremeValue === null || (kind === 'min' ? order < 0 : order > 0)) extremeValue = bound
      return true
    },
    value: () => extremeValue,
  }
}
