import { columnsRead, type ScanSpec } from './scan.ts'

/** A scan with only some of its output columns, given by their indexes. */
export function narrow(scan: ScanSpec, indexes: readonly number[]): ScanSpec {
  return withProjection(
    scan,
    indexes.flatMap((index) => scan.projection[index] ?? []),
  )
}

/** A scan with other output columns, which reads only the source columns that it needs. */
export function withProjection(scan: ScanSpec, projection: ScanSpec['projection']): ScanSpec {
  const names = new Set(columnsRead({ filter: scan.filter, projection }))
  return { ...scan, columns: scan.columns.filter(({ name }) => names.has(name)), projection }
}
