import type { StructureAnswer, StructureTask } from '../../plan/task/task.ts'
import type { ReadContext } from '../formats/provider.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'

/** Reads what a file holds. Throws `not_supported` for a format whose files have no more than their columns. */
export function structure(
  { format, file }: StructureTask,
  state: WorkerState,
  context: ReadContext,
): StructureAnswer {
  using store = state.store(file, context.stopwatch)
  const structure = withMemory(state, context, () => state.structure(format, store, context))
  store.verify()
  return { kind: 'structure', structure, documents: store.objects(), metrics: context.stopwatch.metrics() }
}
