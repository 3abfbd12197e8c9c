import type { ErrorData } from '../errors.ts'
import type { FileFormat } from '../format/file-format.ts'
import type { ScanSpec } from '../scan.ts'
import type { FileRef } from '../source/file.ts'
import type { ObjectVersion } from '../source/object.ts'
import type { FileStructure } from '../source/structure.ts'
import type { Span } from '../source/text.ts'
import type { Unit } from '../source/unit.ts'
import type { NamedDefinition } from '../statement/definition.ts'
import type { OperatorProfile } from '../statement/operator-profile.ts'
import type { PackedScan } from '../statement/packed-scan.ts'
import type { Assistance, Operator, ScanRequest, Source, SourceRequest } from '../statement/statement.ts'
import type { NamedValues, ValuesRequest } from '../statement/values.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType, Field, Schema } from '../types/schema.ts'
import type { Encoding } from './encoding.ts'
import { encodedBuffers, type FileAnswer, type FileTask, sentBuffers } from './file-tasks.ts'
import type { FilteredBytes } from './filtered-bytes.ts'
import {
  type Ending,
  type Fragment,
  type MergedFragment,
  type Unfinished,
  unfinishedParts,
} from './fragment.ts'
import type { InflatedAnswer, InflateTask } from './inflate.ts'
import type { InspectedFiles, InspectTask } from './inspect.ts'
import type { JointFragments } from './joint.ts'
import { type Part, partBuffers, rowBuffers } from './part.ts'
import type { SortedRun, SortTask } from './sort-tasks.ts'
import type { ScanMetrics, WorkerMetrics } from './worker-metrics.ts'

/**
 * The tasks of workers, and their answers, as plain data. `cancel` is one Int32 in shared memory, which the worker reads for each
 * page and each batch: it stops if that is not zero. Without `caching` the task neither reads nor fills the worker's caches.
 */
export type Task = CoreTask | SqlTask | UndoTask
export type Answer =
  | InspectAnswer
  | InflatedAnswer
  | StructureAnswer
  | UndoneAnswer
  | TrimmedAnswer
  | ScanAnswer
  | ScanAnswers
  | FileAnswer
  | SortedRunAnswer
  | SqlAnswer
  | FailedAnswer

/** The tasks of workers. */
export type CoreTask =
  | InspectTask
  | InflateTask
  | StructureTask
  | ScanTask
  | ScanTasks
  | MergeTask
  | FinishTask
  | EmptyTask
  | FileTask
  | SortTask
  | TrimTask

/** The tasks of engines. A statement is open in one of them, under its key, from `sql_prepare` to `sql_close`. */
export type SqlTask =
  | SqlBootTask
  | SqlFunctionsTask
  | SqlPrepareTask
  | SqlOpenTask
  | SqlPullTask
  | SqlCloseTask
export type SqlAnswer =
  | SqlReadyAnswer
  | SqlFunctionsAnswer
  | SqlNeedsAnswer
  | SqlPreparedAnswer
  | SqlRowsAnswer
  | SqlClosedAnswer

/** Reads what a file holds, but no rows. */
export interface StructureTask {
  readonly kind: 'structure'
  readonly format: FileFormat
  readonly file: FileRef
  readonly cancel: SharedArrayBuffer
}

/** Decodes a chunk whose filter only the HDF5 library knows. A thread of the pool waits for it (`UndoRequest`). */
export interface UndoTask {
  readonly kind: 'undo'
  readonly filtered: FilteredBytes
}

/** Has a thread that was idle for a while give back the memory that it has for later tasks. */
export interface TrimTask {
  readonly kind: 'trim'
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
  /** Further units of the same fragment, which is then a number, groups, or the rows of small files. */
  readonly more: readonly FileUnit[]
  /** The rows to read, in ascending order, counted from 0 over all units of the task, none of which is text or a run. Absent: all rows. */
  readonly rows?: Int32Array
  /** Where the fragment is put besides the answer, if it is one of few. Absent: nowhere. */
  readonly joint?: JointFragments
  /** Whether the answer lists the objects of folders that were read. Absent: there are none. */
  readonly tellsObjects?: boolean
  /** The word of the unit in the `Claims` of a statement's scan, if other workers may decode it as well. Null: they may not. */
  readonly claim: { readonly words: SharedArrayBuffer; readonly index: number } | null
  readonly caching: boolean
  readonly cancel: SharedArrayBuffer
}

/** Tasks that are sent in one message, and answered in one. Objects that they have in common are sent once. */
interface ScanTasks {
  readonly kind: 'scans'
  readonly tasks: readonly ScanTask[]
}

/** A unit and its file. */
export type FileUnit = Pick<ScanTask, 'file' | 'unit'>

/** Merges fragments into one, in their order. */
export interface MergeTask {
  readonly kind: 'merge'
  readonly fragment: MergedFragment
  /** The fields of the scan's projection. */
  readonly fields: readonly Field[]
  /** The fragments, whose buffers are transferred. */
  readonly parts: readonly Part[]
  readonly cancel: SharedArrayBuffer
}

/** Makes the answer from all fragments. Its rows are counted from 0. */
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
  if (task.kind === 'sort_run') return rowBuffers(task.parts)
  if (task.kind === 'merge_runs') return task.slices.map(({ bytes }) => bytes)
  if (task.kind === 'undo') return [task.filtered.stored]
  if (task.kind === 'encode' || task.kind === 'writer_rows') return sentBuffers(task.parts)
  return task.kind === 'finish' ? partBuffers(unfinishedParts(task.table)) : []
}

/** The buffers of an answer that are transferred rather than copied. */
export function answerBuffers(answer: Answer): ArrayBuffer[] {
  if (answer.kind === 'sql_rows') return partBuffers(answer.parts)
  if (answer.kind === 'scans') return answer.answers.flatMap(answerBuffers)
  if (answer.kind === 'undone') return [answer.bytes]
  if (answer.kind === 'encoded') return encodedBuffers(answer)
  if (answer.kind === 'sorted_run') return [...answer.chunks, ...partBuffers(answer.ends)]
  if (answer.kind !== 'rows') return []
  return partBuffers([
    ...answer.parts,
    ...(answer.finished ?? []),
    ...unfinishedParts(answer.unfinished ?? null),
  ])
}

export interface InspectAnswer extends InspectedFiles {
  readonly metrics: WorkerMetrics
}

/** The answer to a `StructureTask`. */
export interface StructureAnswer {
  readonly kind: 'structure'
  readonly structure: FileStructure
  /** The objects of a folder that were read. */
  readonly documents: readonly ObjectVersion[]
  readonly metrics: WorkerMetrics
}

export interface UndoneAnswer {
  readonly kind: 'undone'
  readonly bytes: ArrayBuffer
}

/** What a thread has after a `TrimTask`. */
export interface TrimmedAnswer {
  readonly kind: 'trimmed'
  /** The size of the core's memory, in bytes. */
  readonly coreBytes: number
  /** The bytes of all columns and of all chunks that it keeps. */
  readonly columnBytes: number
  readonly chunkBytes: number
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
  /** The answer of the query, which the last of its tasks with `joint` has made. Absent: it was another one, or it is made later. */
  readonly finished?: readonly Part[]
  /** The row at which to resume. Null: the table has no more rows, or `take` was reached. */
  readonly resume: number | null
  /** For a `top` fragment: how many of its rows come up to certain values of the first sort key, in the order of the rows. */
  readonly marks?: readonly KeyMark[]
  /** The input of a `finish` task that is to be resumed. It is returned because the worker may have to drop its table. */
  readonly unfinished?: Unfinished
  /** The objects of folders that were read, except documents. Absent: none; null: more than `MAX_ANSWER_OBJECTS`. */
  readonly objects?: readonly ObjectVersion[] | null
  /** Records of the statistics of chunks that were decoded (`chunk-table.ts`). Absent: none. */
  readonly chunkRecords?: Uint8Array
  /** Nothing was done, because the worker has dropped the table. */
  readonly isGone?: true
  readonly metrics: WorkerMetrics
}

/** Tells that `rows` rows of a fragment, besides those of earlier marks, do not come after `key` in the order. */
export interface KeyMark {
  readonly key: Scalar | null
  readonly rows: number
}

/** The answers to `ScanTasks`, in their order. The last ones may be missing: those tasks have to be sent again. */
export interface ScanAnswers {
  readonly kind: 'scans'
  readonly answers: readonly (ScanAnswer | FailedAnswer)[]
}

/** The answer to a `SortRunTask`. */
export interface SortedRunAnswer extends SortedRun {
  readonly kind: 'sorted_run'
  readonly metrics: WorkerMetrics
}

export type FailedAnswer = { readonly kind: 'failed'; readonly error: ErrorData }

/** Starts DuckDB, which takes 0.9 s, and 0.6 s with a compiled module. */
interface SqlBootTask {
  readonly kind: 'sql_boot'
  /** DuckDB's module as another engine has compiled it. Null: it is compiled. */
  readonly module: WebAssembly.Module | null
}

/** Lists the functions that statements may call, a signature for each list of parameters. */
interface SqlFunctionsTask {
  readonly kind: 'sql_functions'
}

export interface SqlFunctionsAnswer {
  readonly kind: 'sql_functions'
  readonly signatures: readonly FunctionSignature[]
}

/** A function as DuckDB describes it, with DuckDB's names of types. Texts that it does not have are empty. */
export interface FunctionSignature {
  readonly name: string
  readonly kind: string
  readonly returns: string
  readonly parameters: readonly string[]
  readonly parameterTypes: readonly string[]
  readonly description: string
  readonly example: string
}

/** Binds a statement. If it names sources that are not given, the answer is `sql_needs`, and the task is sent again with them. */
export interface SqlPrepareTask {
  readonly kind: 'sql_prepare'
  readonly key: string
  readonly sql: string
  /** All tables and views that the statement may name, with those below its views. Each comes after all that it reads. */
  readonly definitions: readonly NamedDefinition[]
  /** The names that it may name and that mean nothing, in lower case. */
  readonly absent: readonly string[]
  readonly sources: readonly Source[]
  readonly values: readonly NamedValues[]
  /** Whether DuckDB measures its operators, if fewer than `PROFILED_STATEMENTS` of its engine are measured. Absent: it does not. */
  readonly isProfiled?: true
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
interface SqlCloseTask {
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
  /** Whether it, or a view that it reads, divides integers. */
  readonly dividesIntegers: boolean
}

export interface SqlRowsAnswer {
  readonly kind: 'sql_rows'
  readonly parts: readonly Part[]
  /** Whether these were the last rows. If not, there may be none: the worker also answers after a slice of work. */
  readonly isDone: boolean
  /** As in `ScanAnswer`. */
  readonly objects?: readonly ObjectVersion[] | null
  readonly chunkRecords?: Uint8Array
  readonly metrics: WorkerMetrics
  /** The parts of `metrics` that are of the statement's scans. Absent: none is. */
  readonly scans?: readonly ScanMetrics[]
  /** With the last rows of a statement that DuckDB has measured: what it has measured. */
  readonly profile?: OperatorProfile
}

export interface SqlClosedAnswer {
  readonly kind: 'sql_closed'
  /** The bytes of DuckDB's memory. */
  readonly memoryBytes: number
}
