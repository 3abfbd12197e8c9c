import { csvDelimiter } from '../../../plan/source/csv-delimiter.ts'
import { at, describe, isObject, readArray, readMembers, readText, reject } from './shape.ts'

/** Where the rows come from (http-api.md §4.3). */
export type From =
  /** No `from`: the table that the service is configured with. */
  | { readonly kind: 'default_table' }
  /** As written: dots, case and quotes are for whoever resolves it. */
  | { readonly kind: 'table'; readonly name: string }
  | FilesFrom

export interface FilesFrom {
  readonly kind: 'files'
  readonly format: SourceFormat
  /** Paths and globs relative to the dataset root, as written, in order. */
  readonly paths: readonly string[]
  /** CSV only: one ASCII character. */
  readonly delimiter: string
}

/** The format keys; the last three are beyond the reference, whose own web interface sends the first two of them. */
export const SOURCE_FORMATS = [
  'csv',
  'parquet',
  'arrow',
  'netcdf',
  'odv',
  'tiff',
  'zarr',
  'bbf',
  'geoparquet',
  'hdf5',
  'nc',
] as const

export type SourceFormat = (typeof SOURCE_FORMATS)[number]

export function readFrom(value: unknown, path: string): From {
  if (value === undefined) return Object.freeze({ kind: 'default_table' })
  if (typeof value === 'string') return Object.freeze({ kind: 'table', name: readText(value, path) })
  if (!isObject(value)) reject(path, `expected a table name or an object, found ${describe(value)}`)
  const [entry, ...others] = readMembers(value, path)
  if (entry === undefined || others.length > 0) {
    reject(path, `expected exactly one format, one of ${SOURCE_FORMATS.join(', ')}`)
  }
  const [key, source] = entry
  const format = SOURCE_FORMATS.find((name) => name === key)
  if (format === undefined) {
    reject(path, `"${key}" is no format, expected one of ${SOURCE_FORMATS.join(', ')}`)
  }
  return readFiles(source, format, at(path, format))
}

function readFiles(value: unknown, format: SourceFormat, path: string): FilesFrom {
  const members = readMembers(value, path)
  const known = format === 'csv' ? ['paths', 'delimiter'] : ['paths']
  for (const key of members.keys()) {
    if (!known.includes(key)) reject(path, `"${key}" is no member of ${format}, expected ${known.join(', ')}`)
  }
  const paths = readArray(members.get('paths'), at(path, 'paths'), readText)
  if (paths.length === 0) reject(at(path, 'paths'), 'expected at least one path')
  const delimiter = csvDelimiter(readText(members.get('delimiter') ?? ',', at(path, 'delimiter')), (what) =>
    reject(at(path, 'delimiter'), what),
  )
  return Object.freeze({ kind: 'files', format, paths, delimiter })
}
