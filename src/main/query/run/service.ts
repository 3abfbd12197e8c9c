import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { FileStructure } from '../../../plan/source/structure.ts'
import type { FunctionSignature } from '../../../plan/task/task.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { Caller } from '../../auth/caller.ts'
import type { CatalogSnapshot, CatalogTable } from '../../catalog/catalog.ts'
import type { LookedUp } from '../../catalog/lookups.ts'
import type { Fingerprint } from '../../datasets/fingerprint/fingerprint.ts'
import type { Body } from '../../output/body.ts'
import type { QueryRequest } from '../request/request.ts'
import type { NewTable } from '../source/named/external-columns.ts'
import type { MostRows } from './rows/first-rows.ts'

/** A request, as it was parsed from the body of an HTTP request. */
export interface ReceivedQuery {
  readonly request: QueryRequest
  /** The body itself, which metrics keep. */
  readonly json: Readonly<Record<string, unknown>>
  /** Whether the query may use caches: be answered from them, and add to them. */
  readonly caching: boolean
  /**
   * Whether the client has the answer of this tag and media type already. It is asked before a row is read, and then none is.
   * Absent: it has none.
   */
  readonly isKnown?: (tag: string, contentType: string) => boolean
  /** What the client wants of the rows, which is possible in NDJSON alone. Absent: all of them. */
  readonly most?: MostRows
  /** How many services the request has come through. Absent: its client is none. */
  readonly hops?: number
}

/** Runs and explains queries for the HTTP routes. Its methods throw nothing but `ServiceError`. */
export interface QueryService {
  /**
   * Runs a query. Resolves when its answer can be sent: a stream when it has its first rows, a file when it is finished, and a
   * text when it is finished or has taken a second. Rejects with what fails before that. Aborting the signal stops the query at
   * any time. Names mean what they mean in the snapshot of the catalog, by default the present one.
   */
  run(
    query: ReceivedQuery,
    caller: Caller,
    signal: AbortSignal,
    snapshot?: CatalogSnapshot,
  ): Promise<RunningQuery>
  /** Explains a query without running it. The plan is plain data in the form of docs/reference/http.md. */
  explain(query: ReceivedQuery, caller: Caller, signal: AbortSignal): Promise<unknown>
  /** Runs a query without returning its rows. The plan has what was measured, in the form of docs/reference/http.md. */
  explainAnalyze(query: ReceivedQuery, caller: Caller, signal: AbortSignal): Promise<unknown>
  /**
   * The columns that the answer to a query has, in the form in which its rows are encoded. The query is not run. Of
   * the snapshot the same holds as in `run`.
   */
  answerColumns(
    query: ReceivedQuery,
    caller: Caller,
    signal: AbortSignal,
    snapshot?: CatalogSnapshot,
  ): Promise<Schema>
  /** The functions that queries may call, by name and parameters. The list is kept: it is the same one each time. */
  functions(signal: AbortSignal): Promise<readonly FunctionSignature[]>
  /** The metrics of a query as JSON text (docs/reference/http.md). Null: they are unknown, or the caller may not see them. */
  metrics(id: string, caller: Caller): string | null
  /** The merged schema of all files that the paths match. */
  schema(format: FileFormat, paths: readonly string[], caller: Caller, signal: AbortSignal): Promise<Schema>
  /** What the file of arrays holds that a path names. Rejects with `not_supported` for other formats, and for several files. */
  structure(
    format: FileFormat,
    path: string,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly structure: FileStructure }>
  /**
   * Those of some tables of the present snapshot that the caller may read, all of which it may read by their names: views may read files,
   * to which it has no right.
   */
  readableOf(
    tables: readonly CatalogTable[],
    caller: Caller,
    signal: AbortSignal,
  ): Promise<readonly CatalogTable[]>
  /** The columns of an external table, by its files or as it declares them. Null: they are not known yet. */
  columnsOf(table: NewTable, caller: Caller, signal: AbortSignal): Promise<Schema | null>
}

/** A query whose answer can be sent. */
export interface RunningQuery {
  /** UUID, lower case. */
  readonly id: string
  readonly contentType: string
  /** The name under which clients save the answer. Null: it is a stream. */
  readonly fileName: string | null
  /** The number of its bytes. Null: they are still being made. */
  readonly size: number | null
  /** The bytes of the answer. An error after the first of them breaks the connection. */
  readonly body: Body
  /** The files and folders that the answer depends on. Null: it depends on more than files, such as the time. */
  readonly fingerprint: Fingerprint | null
  /** What in the files looks as if other options were meant, in one line. Null: nothing. */
  readonly notice: string | null
  /** The names that were looked up in the catalog for it, and what was found. */
  readonly lookedUp: LookedUp
  /**
   * A tag that is the same each time the same answer is made, and another one if the bytes or the media type may differ. Null:
   * the tag has to be computed from the bytes.
   */
  readonly tag: string | null
  /** The client has the answer already, by `ReceivedQuery.isKnown`: the body is empty, and no answer. */
  readonly isUnchanged?: true
}
