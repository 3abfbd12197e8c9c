import type { ErrorData } from './errors.ts'
import type { Format, ScanSpec } from './plan.ts'
import type { DataType } from './schema.ts'
import type { FileRef, FileSummary, Unit } from './unit.ts'

/**
 * The kinds of work that a worker knows, and their answers: one discriminated union each, plain data.
 * `cancel` is one Int32 in shared memory, read by the worker per page and per batch: non-zero means stop.
 */
export type Task = InspectTask | ScanTask | EmptyTask
export type Answer = InspectAnswer | ScanAnswer | FailedAnswer

export interface InspectTask {
  readonly kind: 'inspect'
  readonly format: Format
  readonly file: FileRef
  /** Columns whose statistics are wanted. */
  readonly statistics: readonly string[]
  readonly cancel: SharedArrayBuffer
}

export type Encoding = 'arrow' | 'csv'

export interface ScanTask {
  readonly kind: 'scan'
  /** Names the query and the unit, so that the worker can keep decoded columns until the unit is resumed. */
  readonly key: string
  readonly scan: ScanSpec
  readonly file: FileRef
  readonly unit: Unit
  /** Row of the segment to go on from: `unit.from`, or where an earlier answer of this unit stopped. */
  readonly resume: number
  /** Rows that pass the filter, counted from `resume`: drop the first `skip`, give at most `take`. */
  readonly skip: number
  readonly take: number
  readonly encoding: Encoding
  /** The worker stops and reports where to resume once an answer holds so many bytes. */
  readonly answerBytes: number
  readonly cancel: SharedArrayBuffer
}

/** One record batch without rows: an empty answer still tells its types (http-api.md §3.2). */
export interface EmptyTask {
  readonly kind: 'empty'
  readonly types: readonly DataType[]
}

/** Encoded rows in a buffer of their own: an Arrow record batch message, or lines of CSV. */
export interface Part {
  readonly bytes: ArrayBuffer
  readonly rows: number
  /** Row of the segment from which these rows were looked for. */
  readonly from: number
  /** Bytes of the message's metadata with its prefix and padding (Arrow), else 0. */
  readonly metadataBytes: number
}

/** Time spent by stage, milliseconds, and what was read. */
export interface WorkerMetrics {
  readonly openMs: number
  readonly readMs: number
  readonly inflateMs: number
  readonly decodeMs: number
  readonly filterMs: number
  readonly encodeMs: number
  readonly bytesRead: number
  readonly rowsScanned: number
}

export type InspectAnswer = {
  readonly kind: 'summary'
  readonly summary: FileSummary
  readonly metrics: WorkerMetrics
}

export interface ScanAnswer {
  readonly kind: 'rows'
  readonly parts: readonly Part[]
  /** Rows that passed the filter and were dropped by `skip`. */
  readonly skipped: number
  /** Row of the segment where the next answer begins, or null when the unit is done (or `take` was reached). */
  readonly resume: number | null
  readonly metrics: WorkerMetrics
}

export type FailedAnswer = { readonly kind: 'failed'; readonly error: ErrorData }
