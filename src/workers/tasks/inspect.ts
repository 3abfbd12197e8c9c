import { isServiceError, toErrorData } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import type { InspectedFile, InspectTask } from '../../plan/task/inspect.ts'
import type { InspectAnswer } from '../../plan/task/task.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { WorkerState } from '../state/worker-state.ts'
import {
  createDistinctLayouts,
  createDistinctSchemas,
  type DistinctLayouts,
  type DistinctSchemas,
} from './distinct.ts'
import { inspectFile } from './inspect-file.ts'

/** After this time no further file is begun, because other queries wait for the worker. Milliseconds. */
const MOST_MS = 20

/**
 * Inspects files one after the other. What is wrong with one of them is its own result: the others are known all the same. Throws
 * `cancelled`, and what is no error of a file.
 */
export function inspect(task: InspectTask, state: WorkerState, context: ReadContext): InspectAnswer {
  const schemas = createDistinctSchemas()
  const layouts = createDistinctLayouts()
  const files: InspectedFile[] = []
  const until = performance.now() + MOST_MS
  for (const file of task.files) {
    context.checkCancelled()
    files.push(toInspected(task, file, { schemas, layouts }, state, context))
    if (performance.now() >= until) break
  }
  const metrics = context.stopwatch.metrics()
  return { kind: 'inspected', schemas: schemas.all(), layouts: layouts.all(), files, metrics }
}

/** What files have in common. */
interface Distinct {
  readonly schemas: DistinctSchemas
  readonly layouts: DistinctLayouts
}

function toInspected(
  task: InspectTask,
  file: FileRef,
  { schemas, layouts }: Distinct,
  state: WorkerState,
  context: ReadContext,
): InspectedFile {
  try {
    const inspection = inspectFile(task, file, state, context)
    if (inspection.kind !== 'summary') return inspection
    const { schema, arrays, ...summary } = inspection.summary
    const { layout, sizes } = arrays ?? {}
    return {
      kind: 'summary',
      schema: schemas.indexOf(schema),
      ...(layout !== undefined &&
        sizes !== undefined && { arrays: { layout: layouts.indexOf(layout), sizes } }),
      summary,
    }
  } catch (error) {
    if (!isServiceError(error) || error.code === 'cancelled') throw error
    return { kind: 'failed', error: toErrorData(error) }
  }
}
