import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { Caller } from '../../auth/caller.ts'
import type { LookedUp } from '../../catalog/lookups.ts'
import type { Fingerprint } from '../../datasets/fingerprint/fingerprint.ts'
import type { Body } from '../../output/body.ts'
import type { QueryRequest } from '../request/request.ts'

/** A request, read, and the body that it was read from (metrics keep that). */
export interface ReceivedQuery {
  readonly request: QueryRequest
  readonly json: Readonly<Record<string, unknown>>
  /** Whether it may be answered from what is kept of other queries, and something of it be kept. */
  readonly caching: boolean
}

/** What the routes ask of the query side. Every method throws `ServiceError` alone. */
export interface QueryService {
  /**
   * Resolves when the first bytes are ready, or the file is finished; whatever fails before that rejects. Aborting
   * the signal stops the query at any time.
   */
  run(query: ReceivedQuery, caller: Caller, signal: AbortSignal): Promise<RunningQuery>
  /** The plan as in docs/reference/http.md, as plain data. */
  explain(query: ReceivedQuery, caller: Caller, signal: AbortSignal): Promise<unknown>
  /** Runs the query; the plan with what was measured, as in docs/reference/http.md. */
  explainAnalyze(query: ReceivedQuery, caller: Caller, signal: AbortSignal): Promise<unknown>
  /** The record of docs/reference/http.md as JSON text; null when unknown, or not the caller's to see. */
  metrics(id: string, caller: Caller): string | null
  /** The merged schema of all files that the paths name. */
  schema(format: FileFormat, paths: readonly string[], caller: Caller, signal: AbortSignal): Promise<Schema>
}

export interface RunningQuery {
  /** UUID, lower case. */
  readonly id: string
  readonly contentType: string
  /** Name of the download, or null for a stream. */
  readonly fileName: string | null
  /** An error after its first byte breaks the connection. */
  readonly body: Body
  /** What the answer hangs on; null: on more than files. */
  readonly fingerprint: Fingerprint | null
  /** The names that it was asked with, and what they meant. */
  readonly lookedUp: LookedUp
  /** Differs where the body or what it is called may differ, and is the same each time; null: only its bytes tell. */
  readonly tag: string | null
}
