import { ServiceError } from '../../plan/errors.ts'
import { faultOfGrid } from '../../plan/source/grid.ts'
import type { InspectAnswer, InspectTask } from '../../plan/task/task.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { WorkerState } from '../state/worker-state.ts'

/** Schema, segments and the wanted statistics of one file, without reading rows. */
export function inspect(task: InspectTask, state: WorkerState, context: ReadContext): InspectAnswer {
  using store = state.store(task.file, context.stopwatch)
  const file = state.open(task.format, store, context)
  file.infer?.(store, context)
  const segments = file.segments(task.columns, store, context)
  const fault = segments.kind === 'grid' ? faultOfGrid(segments) : null
  if (fault !== null)
    throw new ServiceError('unreadable_file', `"${task.file.path}" is damaged: it says that it has ${fault}.`)
  store.verify()
  const known = new Set(file.schema.fields.map((field) => field.name))
  const statistics = Object.fromEntries(
    task.statistics.filter((name) => known.has(name)).map((name) => [name, file.statistics(name)]),
  )
  return {
    kind: 'summary',
    summary: { schema: file.schema, segments, statistics },
    metrics: context.stopwatch.metrics(),
  }
}
