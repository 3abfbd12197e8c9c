import { columnsRead, type ScanSpec } from './scan.ts'

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
