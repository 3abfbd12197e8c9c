import { columnsOfExpressions, type Expression } from './expression.ts'
import type { ScanSpec } from './plan.ts'
import { operandsOf } from './predicate/predicate.ts'

/** A scan of some of its output columns, named by their places. */
export function narrowed(scan: ScanSpec, places: readonly number[]): ScanSpec {
  return withProjection(
    scan,
    places.flatMap((place) => scan.projection[place] ?? []),
  )
}

/** A scan with other output columns, of which it reads no more than it takes. */
export function withProjection(scan: ScanSpec, projection: ScanSpec['projection']): ScanSpec {
  const names = new Set(columnsRead({ filter: scan.filter, projection }))
  return { ...scan, columns: scan.columns.filter(({ name }) => names.has(name)), projection }
}

/** The source columns that a filter and then a projection read, each once. */
export function columnsRead(scan: Pick<ScanSpec, 'filter' | 'projection'>): readonly string[] {
  return columnsOfExpressions(expressionsOf(scan))
}

/** All that is evaluated of each row: what the filter compares, then what is projected. */
export function expressionsOf({
  filter,
  projection,
}: Pick<ScanSpec, 'filter' | 'projection'>): readonly Expression[] {
  const projected = projection.map(({ expression }) => expression)
  return filter === null ? projected : [...operandsOf(filter), ...projected]
}
