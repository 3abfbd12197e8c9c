import type { ErrorData } from '../errors.ts'
import type { FileFormat } from '../format/file-format.ts'
import type { ScanSpec } from '../scan.ts'
import type { FileRef } from '../source/file.ts'
import type { ObjectVersion } from '../source/object.ts'
import type { FileSummary } from '../source/segments.ts'
import type { Span } from '../source/text.ts'
import type { Unit } from '../source/unit.ts'
import type {
  Assistance,
  OpenScan,
  Operator,
  ScanRequest,
  Source,
  SourceRequest,
} from '../statement/statement.ts'
import type { NamedValues, ValuesRequest } from '../statement/values.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType, Field, Schema } from '../types/schema.ts'
import {
  type Ending,
  type Fragment,
  type MergedFragment,
  type Unfinished,
  unfinishedParts,
} from './fragment.ts'
import { type Part, partBuffers } from './part.ts'

/**
 * The kinds of work that a worker knows, and their answers: one discriminated union each, plain data.
 * `cancel` is one Int32 in shared memory, read by the worker per page and per batch: non-zero means stop. Without `caching`
 * nothing that the worker keeps between queries is used for the task, and nothing of it is kept.
 */
export type Task = InspectTask | ScanTask | ScanTasks | MergeTask | FinishTask | EmptyTask | SqlTask
export type Answer = InspectAnswer | ScanAnswer | ScanAnswers | SqlAnswer | FailedAnswer

/** A statement lives in one worker from `sql_prepare` to `sql_close`, under a key. */
export type SqlTask = SqlBootTask | SqlPrepareTask | SqlOpenTask | SqlPullTask | SqlCloseTask
export type SqlAnswer = SqlReadyAnswer | SqlNeedsAnswer | SqlPreparedAnswer | SqlRowsAnswer | SqlClosedAnswer

export interface InspectTask {
  readonly kind: 'inspect'
  readonly format: FileFormat
  readonly file: FileRef
  /** Columns whose statistics are wanted. */
  readonly statistics: readonly string[]
  /** Columns whose rows are wanted, of a format whose rows follow the columns that are read; none: the rows of all of them. */
  readonly columns: readonly string[]
  readonly caching: boolean
  readonly cancel: SharedArrayBuffer
}

/** How rows leave: as Arrow messages, their bodies compressed or not, or as lines of CSV. */
export type Encoding = 'arrow' | 'arrow_lz4' | 'arrow_zstd' | 'csv'

/** Which rows of a table that a worker has, or makes, are to be encoded. */
export interface RowsTask {
  /** Names the query and the table, so that the worker can keep its columns until it is resumed. */
  readonly key: string
  /** Row to go on from: the table's first, or where an earlier answer stopped. */
  readonly resume: number
  /** Rows that are in the answer, counted from `resume`: drop the first `skip`, give at most `take`. */
  readonly skip: number
  readonly take: number
  readonly encoding: Encoding
  /** The worker stops and reports where to resume once an answer holds so many bytes. */
  readonly answerBytes: number
}

/** Rows of a unit that pass the filter, or what is made of them. */
export interface ScanTask extends RowsTask {
  readonly kind: 'scan'
  readonly scan: ScanSpec
  readonly file: FileRef
  readonly unit: Unit
  /** What is made of the rows. */
  readonly fragment: Fragment
  /** Units whose rows are added to the same groups or number. */
  readonly more: readonly FileUnit[]
  /** Set where another worker may decode the unit too, by the words of the `Claims` of a statement's scan. */
  readonly claim: { readonly words: SharedArrayBuffer; readonly index: number } | null
  readonly caching: boolean
  readonly cancel: SharedArrayBuffer
}

/** Tasks that go to a worker together, and are answered together: what is alike in them is sent once. */
export interface ScanTasks {
  readonly kind: 'scans'
  readonly tasks: readonly ScanTask[]
}

/** A unit, and the file that it is of. */
export type FileUnit = Pick<ScanTask, 'file' | 'unit'>

/** Makes one partial of several, in their order. */
export interface MergeTask {
  readonly kind: 'merge'
  readonly fragment: MergedFragment
  /** Of the scan's projection. */
  readonly fields: readonly Field[]
  /** Moved to the worker. */
  readonly parts: readonly Part[]
  readonly cancel: SharedArrayBuffer
}

/** Makes the answer of all that there is; its rows are counted from 0. */
export interface FinishTask extends RowsTask {
  readonly kind: 'finish'
  readonly ending: Ending
  /** Of the scan's projection. */
  readonly fields: readonly Field[]
  /** Null: the worker still has the table from an earlier answer. If it does not, it answers that it `isGone`. */
  readonly table: Unfinished | null
  readonly cancel: SharedArrayBuffer
}

/** One record batch without rows: an empty answer still tells its types (docs/reference/http.md). */
export interface EmptyTask {
  readonly kind: 'empty'
  readonly types: readonly DataType[]
}

/** The buffers that a task hands over rather than copies. */
export function taskBuffers(task: Task): ArrayBuffer[] {
  if (task.kind === 'merge') return partBuffers(task.parts)
  return task.kind === 'finish' ? partBuffers(unfinishedParts(task.table)) : []
}

/** Those that an answer hands over. */
export function answerBuffers(answer: Answer): ArrayBuffer[] {
  if (answer.kind === 'sql_rows') return partBuffers(answer.parts)
  if (answer.kind === 'scans') return answer.answers.flatMap(answerBuffers)
  if (answer.kind !== 'rows') return []
  return partBuffers([...answer.parts, ...unfinishedParts(answer.unfinished ?? null)])
}

/** Time spent by stage, milliseconds, and what was read. */
export interface WorkerMetrics {
  readonly openMs: number
  readonly readMs: number
  readonly inflateMs: number
  readonly decodeMs: number
  readonly filterMs: number
  /** Groups made and merged, and rows put in order. */
  readonly groupMs: number
  readonly sortMs: number
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
  /** Decoded chunks that were there already, that were not, and that were given up for others. */
  readonly chunkHits: number
  readonly chunkMisses: number
  readonly chunkEvictions: number
  /** Bytes of decoded chunks that the worker holds after the task; null: it did not look. */
  readonly chunkBytes: number | null
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
  /** Of text units alone: where their records lay. It is missing where a guess of the beginning led nowhere. */
  readonly span?: Span
  /** Rows that passed the filter and were dropped by `skip`. */
  readonly skipped: number
  /** Nothing was done: another worker has the unit. */
  readonly isTaken?: true
  /** Row where the next answer begins, or null when the table is done (or `take` was reached). */
  readonly resume: number | null
  /** Of a `top` partial: how many of its rows come up to some values of the first sort key, in the order of the rows. */
  readonly marks?: readonly KeyMark[]
  /** Of an answer that is to be resumed, what it is made of: given back, for the worker may have to give up the table. */
  readonly unfinished?: Unfinished
  /** Of datasets that are folders, what was read besides documents. Absent: nothing; null: more than answers are remembered by. */
  readonly objects?: readonly ObjectVersion[] | null
  /** Nothing was done: the worker has given up the table. */
  readonly isGone?: true
  readonly metrics: WorkerMetrics
}

/** Says that `rows` rows of a partial, besides those of the marks before it, come no later in the order than `key`. */
export interface KeyMark {
  readonly key: Scalar | null
  readonly rows: number
}

/** To `ScanTasks`, in their order: to the first at least; the others are to be asked for again. */
export interface ScanAnswers {
  readonly kind: 'scans'
  readonly answers: readonly (ScanAnswer | FailedAnswer)[]
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
  readonly values: readonly NamedValues[]
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
  readonly values: readonly ValuesRequest[]
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
  /** As of a scan. */
  readonly objects?: readonly ObjectVersion[] | null
  readonly metrics: WorkerMetrics
}

export interface SqlClosedAnswer {
  readonly kind: 'sql_closed'
}
