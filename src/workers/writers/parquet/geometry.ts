import type { ParquetPlan } from '../../../plan/output/parquet-plan.ts'
import { type Field, field } from '../../../plan/types/schema.ts'

/** The column of points that a plan may add to those of the answer. */
export const GEOMETRY: Field = field('geometry', { kind: 'binary' })

/** Least x and y, then the greatest. */
export type Box = readonly [number, number, number, number]

/** The box around both. Null: there is nothing in it. */
export function joinedBox(a: Box | null, b: Box | null): Box | null {
  if (a === null || b === null) return a ?? b
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}

/** The columns of the file, of those of the answer. */
export function withGeometry(fields: readonly Field[], { points }: ParquetPlan): readonly Field[] {
  return points === null ? fields : [...fields, GEOMETRY]
}

/**
 * The metadata of GeoParquet 1.1.0, which tell readers that the column `geometry` has points in degrees of longitude and latitude: without a
 * reference system they are those of OGC:CRS84.
 */
export function geoMetadata(box: Box | null): { readonly key: string; readonly value: string } {
  const column = { encoding: 'WKB', geometry_types: ['Point'], ...(box !== null && { bbox: box }) }
  const geo = { version: '1.1.0', primary_column: GEOMETRY.name, columns: { [GEOMETRY.name]: column } }
  return { key: 'geo', value: JSON.stringify(geo) }
}
