import { toErrorData } from '../../plan/errors.ts'
import { BATCH_BYTES } from '../../plan/limits.ts'
import type {
  Answer,
  EmptyTask,
  FailedAnswer,
  FinishTask,
  InspectTask,
  MergeTask,
  ScanAnswer,
  ScanTask,
  Task,
} from '../../plan/task/task.ts'
import type { Core } from '../../wasm/core.ts'
import type { ReadContext } from '../formats/provider.ts'
import { dictionariesOf } from '../rows/part-dictionaries.ts'
import { cancelCheck } from '../state/cancel.ts'
import { createStopwatch } from '../state/stopwatch.ts'
import { withAdvice } from '../state/with-memory.ts'
import type { Workshop } from '../state/worker-state.ts'
import { finish } from './finish.ts'
import { inspect } from './inspect.ts'
import { merge } from './merge.ts'
import { scan } from './scan.ts'
import { scans } from './scans.ts'

/** Does one task; a promise only where SQL has to boot first. Never fails: an error is an answer. */
export function perform(task: Task, workshop: Workshop): Answer | Promise<Answer> {
  try {
    const answer = answerTo(task, workshop)
    return answer instanceof Promise ? answer.catch(failed) : answer
  } catch (error) {
    return failed(error)
  }
}

function answerTo(task: Task, workshop: Workshop): Answer | Promise<Answer> {
  const { core } = workshop
  workshop.units.releaseEnded()
  if (task.kind === 'empty') return emptyBatch(task, core)
  if (task.kind === 'scans') return scans(task.tasks, (each) => oneOf(each, workshop))
  if (!isOfCore(task)) return workshop.sql.perform(task)
  if (task.kind === 'scan') return scanned(task, workshop)
  const context = contextOf(task, core)
  switch (task.kind) {
    case 'inspect':
      return inspect(task, roomOf(task, workshop), context)
    case 'merge':
      return withAdvice(() => merge(task, workshop, context))
    case 'finish':
      return withAdvice(() => finish(task, workshop, context))
  }
}

/** An error is the answer of the one task alone. */
function oneOf(task: ScanTask, workshop: Workshop): ScanAnswer | FailedAnswer {
  try {
    return scanned(task, workshop)
  } catch (error) {
    return failed(error)
  }
}

function scanned(task: ScanTask, workshop: Workshop): ScanAnswer {
  const context = contextOf(task, workshop.core)
  const make = () => scan(task, roomOf(task, workshop), context)
  return task.fragment.kind === 'rows' ? make() : withAdvice(make)
}

function contextOf({ cancel }: Pick<ScanTask, 'cancel'>, core: Core): ReadContext {
  const checkCancelled = cancelCheck(cancel)
  checkCancelled()
  return { core, stopwatch: createStopwatch(), checkCancelled }
}

function roomOf({ caching }: Pick<ScanTask, 'caching'>, workshop: Workshop): Workshop {
  return caching ? workshop : workshop.uncached
}

function isOfCore(task: Task): task is InspectTask | ScanTask | MergeTask | FinishTask {
  return ['inspect', 'scan', 'merge', 'finish'].includes(task.kind)
}

function failed(error: unknown): FailedAnswer {
  return { kind: 'failed', error: toErrorData(error) }
}

function emptyBatch(task: EmptyTask, core: Core): ScanAnswer {
  const columns = task.types.map((type) => core.constant(type, null, 0))
  try {
    const { bytes, metadataBytes } = core.encodeBatch(columns, task.types, 0, null, 0, 0, BATCH_BYTES)
    return {
      kind: 'rows',
      parts: [
        {
          bytes,
          rows: 0,
          from: 0,
          metadataBytes,
          dictionaries: dictionariesOf(core, columns, task.types, 'arrow'),
        },
      ],
      skipped: 0,
      resume: null,
      metrics: createStopwatch().metrics(),
    }
  } finally {
    for (const column of columns) core.free(column)
  }
}
