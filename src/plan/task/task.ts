import type { ErrorData } from '../errors.ts'
import type { FileFormat } from '../format/file-format.ts'
import type { ScanSpec } from '../scan.ts'
import type { FileRef } from '../source/file.ts'
import type { ObjectVersion } from '../source/object.ts'
import type { FileSummary } from '../source/segments.ts'
import type { Span } from '../source/text.ts'
import type { Unit } from '../source/unit.ts'
import type { PackedScan } from '../statement/packed-scan.ts'
import type { Assistance, Operator, ScanRequest, Source, SourceRequest } from '../statement/statement.ts'
import type { NamedValues, ValuesRequest } from '../statement/values.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType, Field, Schema } from '../types/schema.ts'
import type { Encoding } from './encoding.ts'
import type { FilteredBytes } from './filtered-bytes.ts'
import {
  type Ending,
  type Fragment,
  type MergedFragment,
  type Unfinished,
  unfinishedParts,
} from './fragment.ts'
import { type Part, partBuffers } from './part.ts'

/**
 * The tasks of workers, and their answers, as plain data. `cancel` is one Int32 in shared memory, which the worker reads for each
 * page and each batch: it stops if that is not zero. Without `caching` the task neither reads nor fills the worker's caches.
 */
export type Task = CoreTask | SqlTask | UndoTask
export type Answer =
  | InspectAnswer
  | NeedsMetadataAnswer
  | DescribedAnswer
  | UndoneAnswer
  | ScanAnswer
  | ScanAnswers
  | SqlAnswer
  | FailedAnswer

/** The tasks of workers, and `describe`, which is that of the annex. */
export type CoreTask = InspectTask | DescribeTask | ScanTask | ScanTasks | MergeTask | FinishTask | EmptyTask

/** The tasks of engines. A statement is open in one of them, under its key, from `sql_prepare` to `sql_close`. */
export type SqlTask = SqlBootTask | SqlPrepareTask | SqlOpenTask | SqlPullTask | SqlCloseTask
export type SqlAnswer = SqlReadyAnswer | SqlNeedsAnswer | SqlPreparedAnswer | SqlRowsAnswer | SqlClosedAnswer

export interface InspectTask {
  readonly kind: 'inspect'
  readonly format: FileFormat
  readonly file: FileRef
  /** The columns whose statistics are requested. */
  readonly statistics: readonly string[]
  /** The columns to be read, for formats whose rows depend on them. None: all columns. */
  readonly columns: readonly string[]
  readonly caching: boolean
  readonly cancel: SharedArrayBuffer
}

/** Parses the metadata of a file whose format needs a library for it that only the annex loads. */
export interface DescribeTask {
  readonly kind: 'describe'
  readonly format: FileFormat
  readonly file: FileRef
  readonly cancel: SharedArrayBuffer
}

/** Undoes a filter that only a library does which the annex loads. A thread of the pool waits for it (`UndoRequest`). */
export interface UndoTask {
  readonly kind: 'undo'
  readonly filtered: FilteredBytes
}

/** Encodes rows of a table that the worker makes, or has kept. */
export interface RowsTask {
  /** Names the query and the table. The worker keeps the table's columns under it until the task is resumed. */
  readonly key: string
  /** The row to begin with: the first of the table, or that at which an earlier answer stopped. */
  readonly resume: number
  /** The rows to encode, counted from `resume`: the first `skip` are dropped, and at most `take` are encoded. */
  readonly skip: number
  readonly take: number
  readonly encoding: Encoding
  /** When an answer has so many bytes, the worker returns it with the row to resume at. */
  readonly answerBytes: number
}

/** Reads the rows of a unit that pass the filter, and computes the fragment from them. */
export interface ScanTask extends RowsTask {
  readonly kind: 'scan'
  readonly scan: ScanSpec
  readonly file: FileRef
  readonly unit: Unit
  readonly fragment: Fragment
  /** Further units of the same fragment, which is then a number or groups. */
  readonly more: readonly FileUnit[]
  /** Whether the answer tells which objects of folders were read. Absent: there are none. */
  readonly tellsObjects?: boolean
  /** The word of the unit in the `Claims` of a statement's scan, if other workers may decode it as well. Null: they may not. */
  readonly claim: { readonly words: SharedArrayBuffer; readonly index: number } | null
  readonly caching: boolean
  readonly cancel: SharedArrayBuffer
}

/** Tasks that are sent in one message, and answered in one. Objects that they have in common are sent once. */
export interface ScanTasks {
  readonly kind: 'scans'
  readonly tasks: readonly ScanTask[]
}

/** A unit and its file. */
export type FileUnit = Pick<ScanTask, 'file' | 'unit'>

/** Merges partials into one, in their order. */
export interface MergeTask {
  readonly kind: 'merge'
  readonly fragment: MergedFragment
  /** The fields of the scan's projection. */
  readonly fields: readonly Field[]
  /** The partials, whose buffers are transferred. */
  readonly parts: readonly Part[]
  readonly cancel: SharedArrayBuffer
}

/** Makes the answer from all partials. Its rows are counted from 0. */
export interface FinishTask extends RowsTask {
  readonly kind: 'finish'
  readonly ending: Ending
  /** The fields of the scan's projection. */
  readonly fields: readonly Field[]
  /** Null: the worker should have the table from an earlier answer. If it has not, it answers `isGone`. */
  readonly table: Unfinished | null
  readonly cancel: SharedArrayBuffer
}

/** Makes a record batch without rows, because an empty answer still has one (docs/reference/http.md). */
export interface EmptyTask {
  readonly kind: 'empty'
  readonly types: readonly DataType[]
}

/** The buffers of a task that are transferred rather than copied. */
export function taskBuffers(task: Task): ArrayBuffer[] {
  if (task.kind === 'merge') return partBuffers(task.parts)
  if (task.kind === 'undo') return [task.filtered.stored]
  return task.kind === 'finish' ? partBuffers(unfinishedParts(task.table)) : []
}

/** The buffers of an answer that are transferred rather than copied. */
export function answerBuffers(answer: Answer): ArrayBuffer[] {
  if (answer.kind === 'sql_rows') return partBuffers(answer.parts)
  if (answer.kind === 'scans') return answer.answers.flatMap(answerBuffers)
  if (answer.kind === 'undone') return [answer.bytes]
  if (answer.kind !== 'rows') return []
  return partBuffers([...answer.parts, ...unfinishedParts(answer.unfinished ?? null)])
}

/** The times of the stages of a task, in milliseconds, and counts of what was read. */
export interface WorkerMetrics {
  readonly openMs: number
  readonly readMs: number
  readonly inflateMs: number
  readonly decodeMs: number
  readonly filterMs: number
  /** The time to make and merge groups. */
  readonly groupMs: number
  readonly sortMs: number
  readonly encodeMs: number
  readonly bytesRead: number
  readonly rowsScanned: number
  readonly unitsRead: number
  /** Columns of units that were cached, that were not, and that were evicted. */
  readonly columnHits: number
  readonly columnMisses: number
  readonly columnEvictions: number
  /** The bytes of all columns that the worker has in its cache after the task. Null: not measured. */
  readonly columnBytes: number | null
  /** Decoded chunks that were cached, that were not, and that were evicted. */
  readonly chunkHits: number
  readonly chunkMisses: number
  readonly chunkEvictions: number
  /** The bytes of all chunks that the worker has in its cache after the task. Null: not measured. */
  readonly chunkBytes: number | null
  /** Parquet pages that were not inflated, and bytes that were not read, because no row in them can be in the answer. */
  readonly pagesSkipped: number
  readonly bytesSkipped: number
  /** Units that were not read because a bloom filter proves that no row passes. */
  readonly unitsSkippedByBloomFilter: number
}

export type InspectAnswer = {
  readonly kind: 'summary'
  readonly summary: FileSummary
  readonly metrics: WorkerMetrics
}

/** Answers an `inspect` of a file without `metadata` that needs them. They come from a `describe`. */
export interface NeedsMetadataAnswer {
  readonly kind: 'needs_metadata'
  readonly metrics: WorkerMetrics
}

export interface DescribedAnswer {
  readonly kind: 'described'
  /** As in `FileRef`. */
  readonly metadata: SharedArrayBuffer
  readonly metrics: WorkerMetrics
}

export interface UndoneAnswer {
  readonly kind: 'undone'
  readonly bytes: ArrayBuffer
}

export interface ScanAnswer {
  readonly kind: 'rows'
  readonly parts: readonly Part[]
  /** The span of a text unit. Absent: the unit is of another kind, or no guess of its beginning was possible. */
  readonly span?: Span
  /** The number of rows that passed the filter and were dropped by `skip`. */
  readonly skipped: number
  /** Nothing was done, because another worker has claimed the unit. */
  readonly isTaken?: true
  /** The row at which to resume. Null: the table has no more rows, or `take` was reached. */
  readonly resume: number | null
  /** For a `top` partial: how many of its rows come up to certain values of the first sort key, in the order of the rows. */
  readonly marks?: readonly KeyMark[]
  /** The input of a `finish` task that is to be resumed. It is returned because the worker may have to drop its table. */
  readonly unfinished?: Unfinished
  /** The objects of folders that were read, except documents. Absent: none; null: more than `MAX_ANSWER_OBJECTS`. */
  readonly objects?: readonly ObjectVersion[] | null
  /** Nothing was done, because the worker has dropped the table. */
  readonly isGone?: true
  readonly metrics: WorkerMetrics
}

/** Tells that `rows` rows of a partial, besides those of earlier marks, do not come after `key` in the order. */
export interface KeyMark {
  readonly key: Scalar | null
  readonly rows: number
}

/** The answers to `ScanTasks`, in their order. The last ones may be missing: those tasks have to be sent again. */
export interface ScanAnswers {
  readonly kind: 'scans'
  readonly answers: readonly (ScanAnswer | FailedAnswer)[]
}

export type FailedAnswer = { readonly kind: 'failed'; readonly error: ErrorData }

/** Starts DuckDB, which takes 0.9 s, and 0.6 s with a compiled module. */
export interface SqlBootTask {
  readonly kind: 'sql_boot'
  /** DuckDB's module as another engine has compiled it. Null: it is compiled. */
  readonly module: WebAssembly.Module | null
}

/** Binds a statement. If it names sources that are not given, the answer is `sql_needs`, and the task is sent again with them. */
export interface SqlPrepareTask {
  readonly kind: 'sql_prepare'
  readonly key: string
  readonly sql: string
  readonly sources: readonly Source[]
  readonly values: readonly NamedValues[]
  readonly cancel: SharedArrayBuffer
}

/** Begins to run a prepared statement, and pulls its first rows. */
export interface SqlOpenTask {
  readonly kind: 'sql_open'
  readonly key: string
  /** The scans of the `SqlPreparedAnswer`, in the same order. */
  readonly scans: readonly PackedScan[]
  /** Null: other workers do not assist. */
  readonly assistance: Assistance | null
  readonly encoding: Encoding
  readonly answerBytes: number
  readonly caching: boolean
  readonly cancel: SharedArrayBuffer
}

/** Pulls the next rows of a statement. */
export interface SqlPullTask {
  readonly kind: 'sql_pull'
  readonly key: string
  readonly answerBytes: number
}

/** Closes a statement at any stage. If it is unknown, it is closed already. */
export interface SqlCloseTask {
  readonly kind: 'sql_close'
  readonly key: string
}

export interface SqlReadyAnswer {
  readonly kind: 'sql_ready'
  /** The names of scalar functions and macros in lower case, which `select` of the JSON language may call. */
  readonly functions: readonly string[]
  /** The compiled module, for other engines. */
  readonly module: WebAssembly.Module
  /** The number by which Linux knows the thread. Null: the system is another. */
  readonly threadId: number | null
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
  /** Whether it always has the same rows over the same files: nothing in it depends on time or chance. */
  readonly isConstant: boolean
}

export interface SqlRowsAnswer {
  readonly kind: 'sql_rows'
  readonly parts: readonly Part[]
  /** Whether these were the last rows. If not, there may be none: the worker also answers after a slice of work. */
  readonly isDone: boolean
  /** As in `ScanAnswer`. */
  readonly objects?: readonly ObjectVersion[] | null
  readonly metrics: WorkerMetrics
}

export interface SqlClosedAnswer {
  readonly kind: 'sql_closed'
  /** The bytes of DuckDB's memory. */
  readonly memoryBytes: number
}
