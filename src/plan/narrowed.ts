import { columnsOf } from './predicate/predicate.ts'
import type { ScanSpec } from './scan.ts'

/** A scan of some of its output columns, named by their places. */
export function narrowed(scan: ScanSpec, places: readonly number[]): ScanSpec {
  const projection = places.flatMap((place) => scan.projection[place] ?? [])
  const names = new Set(scan.filter === null ? [] : columnsOf(scan.filter))
  for (const each of projection) if (each.kind === 'column') names.add(each.column)
  return { ...scan, columns: scan.columns.filter(({ name }) => names.has(name)), projection }
}
