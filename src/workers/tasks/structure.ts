import type { StructureAnswer, StructureTask } from '../../plan/task/task.ts'
import { isMetadataNeeded } from '../formats/metadata-needed.ts'
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
  const answer = (found: StructureAnswer['structure']): StructureAnswer => {
    store.verify()
    const metrics = context.stopwatch.metrics()
    return { kind: 'structure', structure: found, documents: store.objects(), metrics }
  }
  try {
    return answer(withMemory(state, context, () => state.structure(format, store, context)))
  } catch (error) {
    if (!isMetadataNeeded(error)) throw error
    return answer(null)
  }
}
