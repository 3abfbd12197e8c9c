import { toErrorData } from '../../plan/errors.ts'
import { BATCH_BYTES } from '../../plan/limits.ts'
import { type FileTask, isFileTask } from '../../plan/task/file-tasks.ts'
import type { InflateTask } from '../../plan/task/inflate.ts'
import type { InspectTask } from '../../plan/task/inspect.ts'
import type { SortTask } from '../../plan/task/sort-tasks.ts'
import type {
  Answer,
  EmptyTask,
  FailedAnswer,
  FinishTask,
  MergeTask,
  ScanAnswer,
  ScanTask,
  StructureAnswer,
  StructureTask,
  Task,
  UndoneAnswer,
  UndoTask,
} from '../../plan/task/task.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { FilterLibrary } from '../formats/filter-library.ts'
import type { ReadContext } from '../formats/provider.ts'
import { payloadOf } from '../rows/encoder.ts'
import { dictionariesOf } from '../rows/part-dictionaries.ts'
import type { StatementTasks } from '../sql/statement-tasks.ts'
import { askAnnex } from '../state/ask-annex.ts'
import { createObjectLog, NO_OBJECT_LOG } from '../state/object-log.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withAdvice, withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { cancelCheck, cancelTest } from '../store/cancel.ts'
import { createStopwatch } from '../store/stopwatch.ts'
import { type FileWork, performFileTask } from '../writers/perform-file-task.ts'
import { finish } from './finish.ts'
import { inflate } from './inflate.ts'
import { inspect } from './inspect.ts'
import { merge } from './merge.ts'
import { mergeRuns } from './merge-runs.ts'
import { scan } from './scan.ts'
import { scans } from './scans.ts'
import { sortRun } from './sort-run.ts'
import { trim } from './trim.ts'

/** A worker thread: its state, and the tasks of SQL, whose DuckDB boots when it is first needed. */
export interface Worker {
  readonly state: WorkerState
  readonly statements: StatementTasks
  /** Undoes filters with a library. Null: no format has such filters. */
  readonly undoFilter: FilterLibrary | null
  readonly files: FileWork
}

/** Performs a task. Returns a promise only if DuckDB has to boot first, if a file is opened for writing, or in the annex. Never throws: an error is an answer as well. */
export function perform(task: Task, worker: Worker): Answer | Promise<Answer> {
  try {
    const answer = answerTo(task, worker)
    return answer instanceof Promise ? answer.catch(answerFailure) : answer
  } catch (error) {
    return answerFailure(error)
  }
}

function answerTo(task: Task, { state, statements, undoFilter, files }: Worker): Answer | Promise<Answer> {
  const { core } = state
  core.watch(null)
  state.units.releaseEnded()
  state.chunks.tidy()
  files.open.closeEnded()
  state.inflations.removeCancelled()
  if (task.kind === 'empty') return emptyBatch(task, core)
  if (task.kind === 'scans') return scans(task.tasks, (each) => oneOf(each, state))
  if (task.kind === 'trim')
    return trim(state, state.units.size === 0 && files.open.size === 0 && statements.open === 0)
  if (task.kind === 'undo') return undo(task, undoFilter)
  if (!isOfCore(task)) return statements.perform(task)
  if (task.kind === 'scan') return performScan(task, state)
  const context = contextOf(task, state)
  if (isFileTask(task)) return performFileTask(task, files, state, context)
  switch (task.kind) {
    case 'inspect':
      return inspect(task, stateOfCaching(task, state), context)
    case 'inflate':
      return inflate(task, state, context)
    case 'structure':
      return structure(task, state, context)
    case 'merge':
      return withAdvice(() => merge(task, state, context))
    case 'finish':
      return withAdvice(() => finish(task, state, context))
    case 'sort_run':
      return withAdvice(() => sortRun(task, state, context))
    case 'merge_runs':
      return withAdvice(() => mergeRuns(task, state, context))
  }
}

/** Performs one of several tasks. If it fails, only its own answer is the error. */
function oneOf(task: ScanTask, state: WorkerState): ScanAnswer | FailedAnswer {
  try {
    return performScan(task, state)
  } catch (error) {
    return answerFailure(error)
  }
}

function performScan(task: ScanTask, state: WorkerState): ScanAnswer {
  const context = contextOf(task, state)
  const make = () => scan(task, stateOfCaching(task, state), context)
  const answer = task.fragment.kind === 'rows' ? make() : withAdvice(make)
  const objects = context.objects.take()
  const chunkRecords = context.chunks.statistics?.take() ?? null
  if (objects?.length === 0 && chunkRecords === null) return answer
  return { ...answer, objects, ...(chunkRecords !== null && { chunkRecords }) }
}

/** The members of a task that its context depends on. Tasks that use no cache have no `caching`. */
type ContextTask = Pick<ScanTask, 'cancel'> & Partial<Pick<ScanTask, 'key' | 'caching' | 'tellsObjects'>>

function contextOf(
  { key = '', cancel, caching = false, tellsObjects = false }: ContextTask,
  { core, chunks }: WorkerState,
): TaskContext {
  const checkCancelled = cancelCheck(cancel)
  checkCancelled()
  core.watch(cancelTest(cancel))
  const stopwatch = createStopwatch()
  return {
    core,
    stopwatch,
    chunks: chunks.of({ key, cancel, caching }, stopwatch),
    undoFilter: (filtered) => askAnnex(filtered, checkCancelled),
    objects: tellsObjects ? createObjectLog() : NO_OBJECT_LOG,
    checkCancelled,
  }
}

function stateOfCaching({ caching }: Pick<ScanTask, 'caching'>, state: WorkerState): WorkerState {
  return caching ? state : state.uncached
}

function isOfCore(
  task: Task,
): task is
  | InspectTask
  | InflateTask
  | StructureTask
  | ScanTask
  | MergeTask
  | FinishTask
  | SortTask
  | FileTask {
  return (
    ['inspect', 'inflate', 'structure', 'scan', 'merge', 'finish', 'sort_run', 'merge_runs'].includes(
      task.kind,
    ) || isFileTask(task)
  )
}

function answerFailure(error: unknown): FailedAnswer {
  return { kind: 'failed', error: toErrorData(error) }
}

function emptyBatch(task: EmptyTask, core: Core): ScanAnswer {
  const columns = task.types.map((type) => core.constant(type, null, 0))
  try {
    const encoded = core.encodeBatch(columns, task.types, 0, null, 0, 0, BATCH_BYTES)
    const dictionaries = dictionariesOf(core, columns, task.types, 'arrow')
    return {
      kind: 'rows',
      parts: [{ rows: 0, from: 0, payload: payloadOf('arrow', encoded, dictionaries) }],
      skipped: 0,
      resume: null,
      metrics: createStopwatch().metrics(),
    }
  } finally {
    for (const column of columns) core.free(column)
  }
}

/** Undoes a filter of a chunk that another thread reads. */
async function undo({ filtered }: UndoTask, library: FilterLibrary | null): Promise<UndoneAnswer> {
  if (library === null) throw new TypeError(`nothing undoes filter ${filtered.filter.id}`)
  return { kind: 'undone', bytes: await library(filtered) }
}

/** Reads what a file holds. Throws `not_supported` for a format whose files have no more than their columns. */
function structure(
  { format, file }: StructureTask,
  state: WorkerState,
  context: ReadContext,
): StructureAnswer {
  using store = state.store(file, context.stopwatch)
  const structure = withMemory(state, context, () => state.structure(format, store, context))
  store.verify()
  return { kind: 'structure', structure, documents: store.objects(), metrics: context.stopwatch.metrics() }
}
