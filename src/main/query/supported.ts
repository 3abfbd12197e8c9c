import { ServiceError } from '../../plan/errors.ts'
import { ARROW, csvFormat, type FileFormat, PARQUET } from '../../plan/plan.ts'
import type { Statement } from '../sql/gate.ts'
import type { FilesFrom, From, SourceFormat } from './from.ts'
import type { Output } from './output.ts'
import type { JsonRequest } from './request.ts'
import type { ColumnEntry, SelectEntry, ValueEntry } from './select.ts'

/** A request that this version can bind and run, whatever its output. */
export type SupportedRequest = Statement | SupportedJson

export interface SupportedJson extends Omit<JsonRequest, 'from' | 'select'> {
  readonly select: readonly (ColumnEntry | ValueEntry)[]
  readonly from: Exclude<From, FilesFrom> | SupportedFiles
}

export interface SupportedFiles {
  readonly kind: 'files'
  readonly format: FileFormat
  readonly paths: readonly string[]
}

/** Throws `not_supported`, naming what cannot run. */
export function requireSupported(request: JsonRequest): SupportedJson {
  if (request.sortBy.length > 0) throw unsupported('sort_by: sorting', 'sort the answer')
  if (request.distinct !== null) throw unsupported('distinct: removing duplicates', 'use "select"')
  return Object.freeze({
    ...request,
    select: Object.freeze(request.select.map(supportedEntry)),
    from: request.from.kind === 'files' ? supportedFiles(request.from) : request.from,
  })
}

/** How the answer is delivered. Throws `not_supported`. */
export function requireSupportedOutput(output: Output | null): 'stream' | 'csv' | 'ipc' {
  if (output === null) return 'stream'
  const { format } = output
  if (format === 'csv' || format === 'ipc') return format
  throw unsupported(`output.format: ${format}`, 'use csv, or arrow')
}

function supportedEntry(entry: SelectEntry): ColumnEntry | ValueEntry {
  if (entry.kind !== 'function') return entry
  throw unsupported(`${entry.path}: the function "${entry.name}"`, 'select its columns')
}

function supportedFiles({ kind, format, paths, delimiter }: FilesFrom): SupportedFiles {
  return Object.freeze({ kind, format: fileFormat(format, delimiter), paths })
}

function fileFormat(format: SourceFormat, delimiter: string): FileFormat {
  switch (format) {
    case 'parquet':
      return PARQUET
    case 'arrow':
      return ARROW
    case 'csv':
      return csvFormat(delimiter)
    default:
      throw unsupported(`from.${format}: reading ${format} files`, 'use parquet, csv or arrow')
  }
}

function unsupported(what: string, instead: string): ServiceError {
  return new ServiceError('not_supported', `${what} is not supported in this version; ${instead}`)
}
