import type { ScanPlan } from '../../../plan/plan.ts'
import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import { compareScalars } from '../../../plan/predicate/compare.ts'
import { mayMatch, mustMatch } from '../../../plan/predicate/prune.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { Aggregate } from '../../../plan/task/finish.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { columnsIn } from '../source/column-in-file.ts'

/** An aggregate over segments, as far as their statistics give it. */
interface KnownAggregate {
  /** Source column that it is of; null: rows. */
  readonly column: string | null
  /** Adds the rows of a segment; false: its statistics do not say what they add. */
  add(known: KnownColumn | null, rows: number): boolean
  value(): Scalar | null
}

/**
 * The one row of a grouping without keys where statistics give it exactly; null: rows have to be read. All rows of a
 * segment must pass the filter for sure, or none.
 */
export function knownAnswer(
  { scan, finish }: Pick<ScanPlan, 'scan' | 'finish'>,
  summaries: readonly FileSummary[],
): readonly (Scalar | null)[] | null {
  const { grouping } = finish
  if (grouping === null || grouping.keys.length > 0) return null
  const aggregates = grouping.aggregates.flatMap((each) => knownAggregate(each, scan.projection) ?? [])
  if (aggregates.length < grouping.aggregates.length) return null
  for (const summary of summaries) {
    const columns = columnsIn(summary, scan)
    for (const [segment, { rows }] of summary.segments.entries()) {
      if (rows === null) return null
      const known = (name: string): KnownColumn | null => columns.get(name)?.known(segment) ?? null
      if (scan.filter !== null && !mayMatch(scan.filter, known, rows)) continue
      if (scan.filter !== null && !mustMatch(scan.filter, known, rows)) return null
      const isKnown = aggregates.every(({ column, add }) => add(column === null ? null : known(column), rows))
      if (!isKnown) return null
    }
  }
  return aggregates.map(({ value }) => value())
}

/** Null: statistics never tell it. */
function knownAggregate(
  aggregate: Aggregate,
  projection: ScanPlan['scan']['projection'],
): KnownAggregate | null {
  if (aggregate.kind === 'count_rows') return counted(null)
  const argument = projection[aggregate.argument]?.expression
  if (argument?.kind !== 'column') return null
  switch (aggregate.kind) {
    case 'count':
      return counted(argument.column)
    case 'min':
    case 'max':
      return extreme(argument.column, aggregate.kind)
    default:
      return null
  }
}

function counted(column: string | null): KnownAggregate {
  let count = 0
  return {
    column,
    add(known, rows) {
      const nulls = column === null ? 0 : known?.nulls
      count += rows - (nulls ?? 0)
      return nulls !== undefined
    },
    value: () => ({ kind: 'int', value: BigInt(count) }),
  }
}

function extreme(column: string, kind: 'min' | 'max'): KnownAggregate {
  let found: Scalar | null = null
  return {
    column,
    add(known, rows) {
      if (known === null) return false
      if (known.nulls === rows) return true
      const bound = kind === 'min' ? known.isMinExact && known.min : known.isMaxExact && known.max
      if (!bound) return false
      const order = found === null ? 0 : compareScalars(bound, found)
      if (found === null || (kind === 'min' ? order < 0 : order > 0)) found = bound
      return true
    },
    value: () => found,
  }
}
