import type { MessagePort } from 'node:worker_threads'
import type { FileFormat } from '../format/file-format.ts'
import type { ScanSpec } from '../scan.ts'
import type { FileRef } from '../source/file.ts'
import type { Span } from '../source/text.ts'
import type { UnitSpace } from '../source/unit-space.ts'
import type { Part } from '../task/part.ts'
import { distinctNames } from '../types/names.ts'
import type { Schema } from '../types/schema.ts'

/** What a statement names as a source: files, in `read_parquet(…)` and the like, or a table of the catalog. */
export type SourceRequest = FilesRequest | TableRequest

export interface FilesRequest {
  readonly kind: 'files'
  readonly format: FileFormat
  /** Paths and globs relative to the dataset root, in order. */
  readonly paths: readonly string[]
}

export interface TableRequest {
  readonly kind: 'table'
  /** The name as it is written. It is looked up exactly first, and then as an SQL identifier. */
  readonly name: string
}

/** Equal for requests that name the same rows. No format has a key that begins with a quote. */
export function requestKey(request: SourceRequest): string {
  if (request.kind === 'table') return JSON.stringify(request.name)
  return `${request.format.key} ${JSON.stringify(request.paths)}`
}

/**
 * What a statement reads, resolved: main finds the files and merges their schemas, the worker binds against that.
 * `_rows(k)` in a statement that the service wrote itself means the k-th source.
 */
export interface Source {
  /** Null: no statement names it, only `_rows`. */
  readonly request: SourceRequest | null
  /** Of the definition of the table; null: its paths say all of it. What is remembered of a statement holds for this definition alone. */
  readonly digest: string | null
  readonly schema: Schema
  /** Estimate, for the order of joins. */
  readonly rows: number
}

/** One scan of a bound statement, in the order in which scans were bound. */
export interface ScanRequest {
  /** Index of its source. */
  readonly source: number
  /** Places in the source's schema of the columns that are read; null: not known, maybe all. */
  readonly columns: readonly number[] | null
  /** What DuckDB filters directly above the scan: all of them hold. */
  readonly filters: readonly FilterText[]
}

/**
 * A filter as DuckDB's EXPLAIN prints it, which is not a language, with each column of the scan replaced by its place in
 * the source's schema. A name that is left in the text is one of the statement's: any column may go by any name there.
 */
export type FilterText = readonly (string | number)[]

/** An operator of DuckDB's physical plan, as EXPLAIN prints it. */
export interface Operator {
  readonly name: string
  readonly details: Readonly<Record<string, string | readonly string[]>>
  readonly children: readonly Operator[]
  /** Which scan this is; null: none. */
  readonly scan: number | null
}

/** What a scan of an opened statement reads. The worker narrows the projection to what DuckDB asks for. */
export interface OpenScan {
  readonly scan: ScanSpec
  readonly files: readonly FileRef[]
  /** In file order; rows are handed over in this order. */
  readonly units: UnitSpace
}

/** How other workers decode units for a statement: main has them do it, and passes on what they give. */
export interface Assistance {
  readonly port: MessagePort
  /** One Int32 that goes up with each message to the worker, which cannot hear while it runs the statement. */
  readonly bell: SharedArrayBuffer
  /** For each scan, the words of its `Claims`. */
  readonly claims: readonly SharedArrayBuffer[]
}

/** From the statement's worker: which columns a scan reads, when it begins, and the unit that it has come to. */
export interface AssistRequest {
  readonly scan: number
  /** Null: as before. */
  readonly spec: ScanSpec | null
  readonly unit: number
}

/** To the statement's worker: the rows of a unit that was claimed for it. */
export interface AssistedUnit {
  readonly scan: number
  readonly unit: number
  /** Arrow record batch messages; null: nobody could decode it. */
  readonly parts: readonly Part[] | null
  /** Of a text unit. */
  readonly span?: Span
}

/**
 * Names of a schema's columns in SQL, where the case of ASCII letters does not tell them apart: a later one gets the first
 * free `_1`, `_2`, … and one without a name is called by its place, `C0`, as in native DuckDB.
 */
export function sqlNames({ fields }: Schema): readonly string[] {
  return distinctSqlNames(fields.map(({ name }, index) => name || `C${index}`))
}

/** Names that differ where the case of ASCII letters does not count. */
export function distinctSqlNames(names: readonly string[]): readonly string[] {
  return distinctNames(names, foldSqlName)
}

/** What is the same of names that SQL does not tell apart. */
export function foldSqlName(name: string): string {
  return /[A-Z]/.test(name) ? name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name
}
