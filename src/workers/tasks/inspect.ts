import { isServiceError, toErrorData } from '../../plan/errors.ts'
import { type FileRef, isSmallFile } from '../../plan/source/file.ts'
import { mergeWhole, type WholeColumns } from '../../plan/source/whole.ts'
import type { InspectedFile, InspectTask } from '../../plan/task/inspect.ts'
import type { InspectAnswer } from '../../plan/task/task.ts'
import type { ReadContext } from '../formats/provider.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { createBoundsTogether } from './bounds-together.ts'
import {
  createDistinctLayouts,
  createDistinctSchemas,
  type DistinctLayouts,
  type DistinctSchemas,
} from './distinct.ts'
import { type FileTogether, inspectFile } from './inspect-file.ts'

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
  const bounds = task.areMany && task.format.layout === 'grid' ? createBoundsTogether(context) : null
  const until = performance.now() + MOST_MS
  for (const file of task.files) {
    context.checkCancelled()
    const together = bounds !== null && isSmallFile(file) ? { bounds, index: files.length } : null
    files.push(toInspected(task, file, { schemas, layouts, together }, state, context))
    if (performance.now() >= until) break
  }
  const inspected = bounds === null ? files : withBounds(files, withMemory(state, context, bounds.take))
  const metrics = context.stopwatch.metrics()
  return { kind: 'inspected', schemas: schemas.all(), layouts: layouts.all(), files: inspected, metrics }
}

/** The files with the bounds that were found out together, by their indexes. */
function withBounds(
  files: readonly InspectedFile[],
  bounds: ReadonlyMap<number, WholeColumns>,
): readonly InspectedFile[] {
  return files.map((file, index) => {
    const ofFile = bounds.get(index)
    if (file.kind !== 'summary' || ofFile === undefined) return file
    return { ...file, summary: { ...file.summary, whole: mergeWhole(file.summary.whole, ofFile) } }
  })
}

/** What files have in common, and how its bounds are found out. */
interface Distinct {
  readonly schemas: DistinctSchemas
  readonly layouts: DistinctLayouts
  readonly together: FileTogether | null
}

function toInspected(
  task: InspectTask,
  file: FileRef,
  { schemas, layouts, together }: Distinct,
  state: WorkerState,
  context: ReadContext,
): InspectedFile {
  try {
    const inspection = inspectFile(task, file, together, state, context)
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
