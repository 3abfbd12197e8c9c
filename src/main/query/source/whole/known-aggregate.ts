import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import { compareScalars } from '../../../../plan/condition/compare.ts'
import type { Projection } from '../../../../plan/scan.ts'
import type { Aggregate } from '../../../../plan/task/finish.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'

/** An aggregate that statistics may tell. */
export interface AggregateOfColumn {
  readonly kind: 'count' | 'min' | 'max'
  /** The source column that it aggregates. Null: rows, which are counted. */
  readonly column: string | null
}

/** Computes an aggregate from statistics, without reading rows. */
export interface KnownAggregate {
  /** As in `AggregateOfColumn`. */
  readonly column: string | null
  /** Adds `rows` rows with these statistics of the column. False: the statistics are not enough. */
  add(statistics: KnownColumn | null, rows: number): boolean
  /** Adds other rows by the value of the aggregate over them. They may come in any order; false: the value depends on it. */
  addValue(value: Scalar | null): boolean
  value(): Scalar | null
}

/** Null: an aggregate of this kind cannot be computed from statistics. */
export function aggregateOfColumn(
  aggregate: Aggregate,
  projection: readonly Projection[],
): AggregateOfColumn | null {
  if (aggregate.kind === 'count_rows') return { kind: 'count', column: null }
  const argument = projection[aggregate.argument]?.expression
  if (argument?.kind !== 'column') return null
  switch (aggregate.kind) {
    case 'count':
    case 'min':
    case 'max':
      return { kind: aggregate.kind, column: argument.column }
    default:
      return null
  }
}

/** As `aggregateOfColumn`. */
export function aggregateByStatistics(
  aggregate: Aggregate,
  projection: readonly Projection[],
): KnownAggregate | null {
  const ofColumn = aggregateOfColumn(aggregate, projection)
  return ofColumn && createKnownAggregate(ofColumn)
}

export function createKnownAggregate({ kind, column }: AggregateOfColumn): KnownAggregate {
  return kind === 'count' ? countRowsOf(column) : extreme(column, kind)
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
    addValue(value) {
      if (value?.kind === 'int') count += Number(value.value)
      return true
    },
    value: () => ({ kind: 'int', value: BigInt(count) }),
  }
}

function extreme(column: string | null, kind: 'min' | 'max'): KnownAggregate {
  let extremeValue: Scalar | null = null

  function addBound(bound: Scalar): void {
    const order = extremeValue === null ? 0 : compareScalars(bound, extremeValue)
    if (extremeValue === null || (kind === 'min' ? order < 0 : order > 0)) extremeValue = bound
  }

  return {
    column,
    add(statistics, rows) {
      if (statistics === null) return false
      if (statistics.nulls === rows) return true
      const bound =
        kind === 'min' ? statistics.isMinExact && statistics.min : statistics.isMaxExact && statistics.max
      if (!bound) return false
      addBound(bound)
      return true
    },
    addValue(value) {
      if (value === null) return true
      if (extremeValue !== null && isOtherZero(value, extremeValue)) return false
      addBound(value)
      return true
    },
    value: () => extremeValue,
  }
}

/** Whether two values are 0 and -0, of which the first one in the order of the rows counts. */
function isOtherZero(a: Scalar, b: Scalar): boolean {
  return a.kind === 'float' && b.kind === 'float' && a.value === b.value && !Object.is(a.value, b.value)
}
