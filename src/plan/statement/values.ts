import type { Field } from '../types/schema.ts'
import { type FilesRequest, requestKey } from './statement.ts'

/** Rows that a statement names and that lie in no file: main makes them of what it knows. */
export type ValuesRequest =
  /** The columns of files, read as one table. */
  | { readonly kind: 'schema'; readonly files: FilesRequest }
  /** The datasets that a pattern matches, a page of them. */
  | {
      readonly kind: 'datasets'
      readonly pattern: string
      readonly offset: number
      /** Null: all. */
      readonly limit: number | null
    }

/** Equal for requests that name the same rows. */
export function valuesKey(request: ValuesRequest): string {
  if (request.kind === 'datasets') return JSON.stringify([request.pattern, request.offset, request.limit])
  return requestKey(request.files)
}

/** Rows as plain buffers, in the layout of Arrow arrays. They travel with each task that binds their statement. */
export interface Values {
  readonly fields: readonly Field[]
  readonly rows: number
  /** One for each field. */
  readonly columns: readonly ValuesColumn[]
}

export interface ValuesColumn {
  readonly layout: 'bool' | 'fixed' | 'utf8'
  /** Bytes of a value, of a fixed layout; else 0. */
  readonly width: number
  /** Validity, then the others in order. */
  readonly buffers: readonly Uint8Array[]
}

/** What a statement has named, and its rows. */
export interface NamedValues {
  readonly request: ValuesRequest
  readonly values: Values
}
