import { hasPattern } from './filters/filter.ts'
import type { JsonRequest } from './request.ts'
import type { ColumnEntry, ValueEntry } from './select.ts'

/** A request without functions and patterns. The core runs it, unless it declines the type of a column. */
export interface ScanJson extends JsonRequest {
  readonly select: readonly (ColumnEntry | ValueEntry)[]
}

/** Whether the request calls no functions, and matches no patterns that the core does not evaluate. DuckDB evaluates them. */
export function isScan(request: JsonRequest): request is ScanJson {
  return !callsFunctions(request) && !request.filters.some(hasPattern)
}

export function callsFunctions({ select, distinct }: JsonRequest): boolean {
  const entries = [...select, ...(distinct?.on ?? []), ...(distinct?.select ?? [])]
  return entries.some(({ kind }) => kind === 'function')
}
