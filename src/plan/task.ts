import type { ErrorData } from './errors.ts'
import type { FileFormat, ScanSpec } from './plan.ts'
import type { DataType, Schema } from './schema.ts'
import type { Assistance, OpenScan, Operator, ScanRequest, Source, SourceRequest } from './sql.ts'
import type { FileRef, FileSummary, Span, Unit } from './unit.ts'

/**
 * The kinds of work that a worker knows, and their answers: one discriminated union each, plain data.
 * `cancel` is one Int32 in shared memory, read by the worker per page and per batch: non-zero means stop. Without `caching`
 * nothing that the worker keeps between queries is used for the task, and nothing of it is kept.
 */
export type Task = InspectTask | ScanTask | EmptyTask | SqlTask
export type Answer = InspectAnswer | ScanAnswer | SqlAnswer | FailedAnswer

/** A statement lives in one worker from `sql_prepare` to `sql_close`, under a key. */
export type SqlTask = SqlBootTask | SqlPrepareTask | SqlOpenTask | SqlPullTask | SqlCloseTask
export type SqlAnswer = SqlReadyAnswer | SqlNeedsAnswer | SqlPreparedAnswer | SqlRowsAnswer | SqlClosedAnswer

export interface InspectTask {
  readonly kind: 'inspect'
  readonly format: FileFormat
  readonly file: FileRef
  /** Columns whose statistics are wanted. */
  readonly statistics: readonly string[]
  readonly caching: boolean
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
  /** Byte at which the unit's first record begins, of a text file; null: not known yet, the worker guesses. */
  readonly begin: number | null
  /** Row of the segment to go on from: `unit.from`, or where an earlier answer of this unit stopped. */
  readonly resume: number
  /** Rows that pass the filter, counted from `resume`: drop the first `skip`, give at most `take`. */
  readonly skip: number
  readonly take: number
  readonly encoding: Encoding
  /** Set where another worker may decode the unit too: the first to swap this word does, the other gives no rows. */
  readonly claim: { readonly words: SharedArrayBuffer; readonly index: number } | null
  /** The worker stops and reports where to resume once an answer holds so many bytes. */
  readonly answerBytes: number
  readonly caching: boolean
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
  /** Those that the rows refer to, all of them: parts of one answer share their bytes. */
  readonly dictionaries: readonly PartDictionary[]
}

/** The values of a dictionary column, an Arrow dictionary batch message. */
export interface PartDictionary {
  /** The place of the column in the output, which is also the dictionary's id in its schema. */
  readonly id: number
  /** Equal keys are equal bytes: a digest. */
  readonly key: string
  readonly bytes: ArrayBuffer
}

/** The buffers of parts, to be moved with them, each once: parts share dictionaries. */
export function partBuffers(parts: readonly Part[]): ArrayBuffer[] {
  return [
    ...new Set(
      parts.flatMap(({ bytes, dictionaries }) => [bytes, ...dictionaries.map((each) => each.bytes)]),
    ),
  ]
}

/** Bytes that a part holds in memory. */
export function partBytes({ bytes, dictionaries }: Part): number {
  return dictionaries.reduce((sum, dictionary) => sum + dictionary.bytes.byteLength, bytes.byteLength)
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
  readonly unitsRead: number
  /** Columns of units that were decoded already, that were not, and that were given up to keep others. */
  readonly columnHits: number
  readonly columnMisses: number
  readonly columnEvictions: number
  /** Bytes of decoded columns that the worker keeps after the task; null: it did not look. */
  readonly columnBytes: number | null
  /** Pages of Parquet that hold no row that may be in the answer: not inflated, and these bytes not even read. */
  readonly pagesSkipped: number
  readonly bytesSkipped: number
  /** Units of which no row was read because a bloom filter proved that none passes. */
  readonly unitsSkippedByBloomFilter: number
}

export type InspectAnswer = {
  readonly kind: 'summary'
  readonly summary: FileSummary
  readonly metrics: WorkerMetrics
}

export interface ScanAnswer {
  readonly kind: 'rows'
  readonly parts: readonly Part[]
  /** Where the records of a text file lay; null for other formats, and where a guess of the beginning led nowhere. */
  readonly span: Span | null
  /** Rows that passed the filter and were dropped by `skip`. */
  readonly skipped: number
  /** Row of the segment where the next answer begins, or null when the unit is done (or `take` was reached). */
  readonly resume: number | null
  readonly metrics: WorkerMetrics
}

export type FailedAnswer = { readonly kind: 'failed'; readonly error: ErrorData }

/** Starts DuckDB in a worker that has none; takes about a second of its time. */
export interface SqlBootTask {
  readonly kind: 'sql_boot'
}

/** Binds a statement. Without a source that it names the answer is `sql_needs`: ask again with that source too. */
export interface SqlPrepareTask {
  readonly kind: 'sql_prepare'
  readonly key: string
  readonly sql: string
  readonly sources: readonly Source[]
  readonly cancel: SharedArrayBuffer
}

/** Begins to run a prepared statement, and is its first pull. */
export interface SqlOpenTask {
  readonly kind: 'sql_open'
  readonly key: string
  /** As many and in the same order as in `SqlPreparedAnswer`. */
  readonly scans: readonly OpenScan[]
  /** Null: this worker is the only one. */
  readonly assistance: Assistance | null
  readonly encoding: Encoding
  readonly answerBytes: number
  readonly caching: boolean
  readonly cancel: SharedArrayBuffer
}

/** The next rows. */
export interface SqlPullTask {
  readonly kind: 'sql_pull'
  readonly key: string
  readonly answerBytes: number
}

/** Ends a statement at any stage; one that is unknown is closed already. */
export interface SqlCloseTask {
  readonly kind: 'sql_close'
  readonly key: string
}

export interface SqlReadyAnswer {
  readonly kind: 'sql_ready'
  /** Scalar functions and macros by name, lower case: what `select` of the JSON language may call. */
  readonly functions: readonly string[]
}

export interface SqlNeedsAnswer {
  readonly kind: 'sql_needs'
  readonly sources: readonly SourceRequest[]
}

export interface SqlPreparedAnswer {
  readonly kind: 'sql_prepared'
  readonly output: Schema
  readonly scans: readonly ScanRequest[]
  readonly plan: Operator
  /** Whether it gives the same rows each time over the same files: nothing in it depends on the time, or on chance. */
  readonly isConstant: boolean
}

export interface SqlRowsAnswer {
  readonly kind: 'sql_rows'
  readonly parts: readonly Part[]
  /** Whether these were the last rows; else they may be none at all, after a slice of work. */
  readonly isDone: boolean
  readonly metrics: WorkerMetrics
}

export interface SqlClosedAnswer {
  readonly kind: 'sql_closed'
}
