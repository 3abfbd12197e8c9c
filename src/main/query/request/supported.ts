import { alternatives } from '../../../plan/alternatives.ts'
import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { PathOptions } from '../../../plan/source/path-options.ts'
import { hasPattern } from './filters/filter.ts'
import type { FilesFrom, From } from './from.ts'
import type { JsonRequest } from './request.ts'
import type { ColumnEntry, ValueEntry } from './select.ts'

/** A JSON request that names its source in a way that this version reads. */
export interface SupportedJson extends Omit<JsonRequest, 'from'> {
  readonly from: Exclude<From, FilesFrom> | SupportedFiles
}

/** A request without functions and patterns. The core runs it, unless it declines the type of a column. */
export interface ScanJson extends SupportedJson {
  readonly select: readonly (ColumnEntry | ValueEntry)[]
}

interface SupportedFiles {
  readonly kind: 'files'
  readonly format: FileFormat
  readonly paths: readonly string[]
  /** Absent: the defaults. */
  readonly pathOptions?: PathOptions
}

/** Checks that this version reads the format of the request's files. Throws `not_supported`, which names the format. */
export function requireSupported(request: JsonRequest, formats: Formats): SupportedJson {
  const { from } = request
  return Object.freeze({ ...request, from: from.kind === 'files' ? supportedFiles(from, formats) : from })
}

/** Whether the request calls no functions, and matches no patterns that the core does not evaluate. DuckDB evaluates them. */
export function isScan(request: SupportedJson): request is ScanJson {
  return !callsFunctions(request) && !request.filters.some(hasPattern)
}

export function callsFunctions({ select, distinct }: SupportedJson): boolean {
  const entries = [...select, ...(distinct?.on ?? []), ...(distinct?.select ?? [])]
  return entries.some(({ kind }) => kind === 'function')
}

function supportedFiles(
  { kind, key, format, isRead, paths, pathOptions }: FilesFrom,
  formats: Formats,
): SupportedFiles {
  if (isRead) return Object.freeze({ kind, format, paths, ...(pathOptions && { pathOptions }) })
  const read = formats.rows.flatMap((row) => (row.isRead ? row.from.slice(0, 1) : []))
  throw unsupported(
    `from.${key}: reading ${formats.row(format.kind).title} files`,
    `use ${alternatives(read)}`,
  )
}

function unsupported(what: string, instead: string): ServiceError {
  return new ServiceError('not_supported', `${what} is not supported in this version; ${instead}`)
}
