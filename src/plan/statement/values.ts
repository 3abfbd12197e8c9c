import type { Values } from './made-rows.ts'
import { type FilesRequest, requestKey } from './statement.ts'

/** Rows that a statement names and that are in no file. The main thread makes them. */
export type ValuesRequest =
  /** The columns of files, read as one table. */
  | { readonly kind: 'schema'; readonly files: FilesRequest }
  /** The variables of files of arrays, file by file. */
  | { readonly kind: 'variables'; readonly files: FilesRequest }
  /** A page of the datasets that a pattern matches. */
  | {
      readonly kind: 'datasets'
      readonly pattern: string
      readonly offset: number
      /** Null: all. */
      readonly limit: number | null
    }
  /** What is known of the columns of files that were analyzed, for the super-user. */
  | { readonly kind: 'statistics'; readonly paths: readonly string[] }

/** A key that is equal for requests of the same rows. */
export function valuesKey(request: ValuesRequest): string {
  if (request.kind === 'datasets') return JSON.stringify([request.pattern, request.offset, request.limit])
  if (request.kind === 'statistics') return `statistics ${JSON.stringify(request.paths)}`
  const files = requestKey(request.files)
  return request.kind === 'schema' ? files : `${request.kind} ${files}`
}

/** A request of a statement with its rows. */
export interface NamedValues {
  readonly request: ValuesRequest
  readonly values: Values
}
