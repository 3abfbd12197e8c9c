import type { MessagePort } from 'node:worker_threads'
import type { FileFormat } from '../format/file-format.ts'
import type { ScanSpec } from '../scan.ts'
import type { FileRef } from '../source/file.ts'
import type { PathOptions } from '../source/path-options.ts'
import type { Span } from '../source/text.ts'
import type { Unit } from '../source/unit.ts'
import type { UnitSpace } from '../source/unit-space.ts'
import type { Part } from '../task/part.ts'
import { distinctNames } from '../types/names.ts'
import type { Schema } from '../types/schema.ts'
import type { Values } from './made-rows.ts'

/**
 * A source that a statement names: files in a function such as `read_parquet(…)`, a table of the catalog, or one of the service
 * itself.
 */
export type SourceRequest = FilesRequest | TableRequest | SystemRequest

export interface FilesRequest {
  readonly kind: 'files'
  readonly format: FileFormat
  /** Paths and globs relative to the dataset root, in order. */
  readonly paths: readonly string[]
  /** Absent: the defaults. */
  readonly pathOptions?: PathOptions
}

/** A table by its name, as it is written: `t`, `public.t` or `service.public.t`. A part is null if it is not written. */
export interface TableRequest {
  readonly kind: 'table'
  readonly catalog: string | null
  readonly schema: string | null
  readonly name: string
}

/** A table or a view of the service itself, such as `information_schema.tables`. */
export interface SystemRequest {
  readonly kind: 'system'
  readonly schema: string
  readonly name: string
}

/**
 * A key that is equal for requests of the same rows. Keys of formats never begin with a quote, as those of tables do, or with a
 * bracket, as those of tables of the service do.
 */
export function requestKey(request: SourceRequest): string {
  if (request.kind === 'table') {
    const { catalog, schema, name } = request
    return [catalog, schema, name].flatMap((part) => (part === null ? [] : JSON.stringify(part))).join('.')
  }
  if (request.kind === 'system') return JSON.stringify([request.schema, request.name])
  const { format, paths, pathOptions } = request
  const options = pathOptions === undefined ? '' : ` ${JSON.stringify(pathOptions)}`
  return `${format.key} ${JSON.stringify(paths)}${options}`
}

/**
 * A resolved source of a statement. Main finds the files and merges their schemas, and the worker binds the statement to the
 * result. In statements that the service writes, `_rows(k)` is the k-th source.
 */
export interface Source {
  /** Null: the source is referred to only by `_rows`. */
  readonly request: SourceRequest | null
  /** The digest of the table's definition, to which kept explanations of the statement apply. Null: the request says all of it. */
  readonly digest: string | null
  readonly schema: Schema
  /** The estimated number of rows, for the order of joins. */
  readonly rows: number
  /** Whether its rows follow the columns that a statement names, as those of arrays do. */
  readonly isGrid?: boolean
}

/** One scan of a bound statement. */
export interface ScanRequest {
  /** The index of its source. */
  readonly source: number
  /** Indexes in the source's schema of the columns that are read. Null: not known, possibly all, or different ones. */
  readonly columns: readonly number[] | null
  /**
   * Indexes in the source's schema of the columns that its own SELECT block names, whatever is read of them: its rows are the grid of
   * these. None: those of the whole grid. Null: not known, or the rows do not follow columns.
   */
  readonly named: readonly number[] | null
  /** The filters directly above the scan in DuckDB's plan. All of them have to be true. */
  readonly filters: readonly FilterText[]
}

/**
 * A filter as DuckDB's EXPLAIN prints it, which is not a language. Each column of the scan is replaced by its index in the source's
 * schema. A name that is left in the text is one that the statement defines, and may mean any column.
 */
export type FilterText = readonly (string | number)[]

/** An operator of DuckDB's physical plan, as EXPLAIN prints it. */
export interface Operator {
  readonly name: string
  readonly details: Readonly<Record<string, string | readonly string[]>>
  readonly children: readonly Operator[]
  /** The index of the scan. Null: the operator is none. */
  readonly scan: number | null
}

/** A scan of an opened statement. The worker narrows the projection to the columns that DuckDB asks for. */
export interface OpenScan {
  readonly scan: ScanSpec
  readonly files: readonly FileRef[]
  /** The units in file order, in which DuckDB gets their rows. */
  readonly units: UnitSpace
  /** The columns whose rows the units have, where rows depend on the columns that are named. Null: they do not, or are those of all. */
  readonly rowsOf: readonly string[] | null
  /** The rows of a source that has no files, in order: main has made them. Absent: it has files. */
  readonly values?: readonly Values[]
}

/** The channel by which main sends a statement's worker the rows of units that other workers have decoded for it. */
export interface Assistance {
  readonly port: MessagePort
  /** An Int32: how many messages main has sent. The worker waits on it, for it gets no events while it runs the statement. */
  readonly messageCount: SharedArrayBuffer
  /** For each scan, the words of its `Claims`. */
  readonly claims: readonly SharedArrayBuffer[]
}

/** From the statement's worker: the columns of a scan when it begins, and the unit that it has reached. */
export interface AssistRequest {
  readonly scan: number
  /** Null: the same as before. */
  readonly spec: ScanSpec | null
  readonly unit: number
  /** The unit itself, with its beginning if it is one of text. */
  readonly placed: Unit
}

/** To the statement's worker: the rows of a unit that another worker has claimed and decoded. */
export interface AssistedUnit {
  readonly scan: number
  readonly unit: number
  /** Arrow record batch messages. Null: the unit could not be decoded. */
  readonly parts: readonly Part[] | null
  /** The span of a text unit. */
  readonly span?: Span
}

/**
 * The names of a schema's columns in SQL, where names that differ only in the case of ASCII letters are equal. As in native DuckDB,
 * the later of two equal names gets the first free suffix `_1`, `_2`, …, and a column without a name is named by its index, `C0`.
 */
export function sqlNames({ fields }: Schema): readonly string[] {
  return distinctSqlNames(fields.map(({ name }, index) => name || `C${index}`))
}

/** The names made distinct, as SQL compares names. */
export function distinctSqlNames(names: readonly string[]): readonly string[] {
  return distinctNames(names, foldSqlName)
}

/** A name of a table or a column in quotes, as SQL reads it whatever its characters are. DuckDB refuses a zero byte. */
export function quoteSqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A name with ASCII letters in lower case: the same for names that are equal in SQL. */
export function foldSqlName(name: string): string {
  return /[A-Z]/.test(name) ? name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name
}
