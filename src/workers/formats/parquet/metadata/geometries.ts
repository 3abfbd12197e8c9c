import { geometryMark } from '../../../../plan/arrow/geometry.ts'
import type { DataType, Field } from '../../../../plan/types/schema.ts'
import type { FileMetaData } from './metadata.ts'

/** The key under which GeoParquet says which columns are geometries. */
const KEY = 'geo'

/** A function that gives the metadata by which Arrow marks a column of this name and type. Null: it is no geometry. */
type GeometryMarks = (name: string, type: DataType) => Field['metadata'] | null

/**
 * Reads the metadata of GeoParquet. Values stay as they are stored. Metadata that cannot be read mark nothing: a file has its rows without
 * them.
 */
export function readGeometries(keyValues: FileMetaData['keyValues']): GeometryMarks {
  const text = keyValues?.find((pair) => pair.key === KEY)?.value
  const columns = text === undefined ? null : membersOf(membersOf(parseJson(text))?.['columns'])
  return (name, type) => {
    if (columns === null || !Object.hasOwn(columns, name)) return null
    const column = membersOf(columns[name])
    const encoding = column?.['encoding']
    if (column === null || typeof encoding !== 'string') return null
    // The encodings of GeoParquet 1.1 are the extensions of GeoArrow.
    const extension = `geoarrow.${encoding === 'WKB' ? 'wkb' : encoding}`
    return geometryMark(extension, { ...systemOf(column), ...edgesOf(column) }, type)
  }
}

type Members = Readonly<Record<string, unknown>>

/** The reference system in the terms of GeoArrow, which has none by default. That of GeoParquet is longitude and latitude. */
function systemOf({ crs }: Members): Members {
  if (crs === undefined) return { crs: 'OGC:CRS84', crs_type: 'authority_code' }
  if (crs === null) return {}
  return typeof crs === 'object' ? { crs, crs_type: 'projjson' } : { crs }
}

function edgesOf({ edges }: Members): Members {
  return typeof edges === 'string' && edges !== 'planar' ? { edges } : {}
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function membersOf(value: unknown): Members | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null
}
