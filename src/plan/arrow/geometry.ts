import { memoize } from '../memoize.ts'
import type { DataType, Field, Schema } from '../types/schema.ts'
import { EXTENSION_NAME, EXTENSION_PARAMETERS } from './extension.ts'

type Kinds = readonly DataType['kind'][]

const LISTS: Kinds = ['list', 'large_list']

/** The extensions of GeoArrow, with the types that a column of each has. */
const EXTENSIONS: ReadonlyMap<string | undefined, Kinds> = new Map<string | undefined, Kinds>([
  ['geoarrow.wkb', ['binary']],
  ['geoarrow.point', ['struct', 'fixed_list']],
  ['geoarrow.linestring', LISTS],
  ['geoarrow.polygon', LISTS],
  ['geoarrow.multipoint', LISTS],
  ['geoarrow.multilinestring', LISTS],
  ['geoarrow.multipolygon', LISTS],
])

/** The metadata by which Arrow marks a geometry, with what GeoArrow has to say about it. Null: no column of this type is such a geometry. */
export function geometryMark(
  extension: string,
  parameters: object,
  { kind }: DataType,
): Field['metadata'] | null {
  if (EXTENSIONS.get(extension)?.includes(kind) !== true) return null
  return { [EXTENSION_NAME]: extension, [EXTENSION_PARAMETERS]: JSON.stringify(parameters) }
}

/** A field of an answer with the mark of the column from which its values are, if it stands for a geometry of the field's type. */
export function withGeometryMark(field: Field, ofColumn: Field['metadata']): Field {
  const { [EXTENSION_NAME]: extension, [EXTENSION_PARAMETERS]: parameters = '{}' } = ofColumn
  if (extension === undefined || EXTENSIONS.get(extension)?.includes(field.type.kind) !== true) return field
  const mark = { [EXTENSION_NAME]: extension, [EXTENSION_PARAMETERS]: parameters }
  return Object.freeze({ ...field, metadata: Object.freeze({ ...field.metadata, ...mark }) })
}

/** Whether a column is marked as a geometry. */
export const hasGeometry = memoize(({ fields }: Schema): boolean =>
  fields.some(({ metadata }) => EXTENSIONS.has(metadata[EXTENSION_NAME])),
)
