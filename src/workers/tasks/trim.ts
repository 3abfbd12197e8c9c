import { setImmediate as turn } from 'node:timers/promises'
import { collectGarbage } from '../../plan/collect-garbage.ts'
import type { TrimmedAnswer } from '../../plan/task/task.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { dropKept } from '../store/when-trimmed.ts'

/**
 * Gives back the memory that a thread has for later tasks, and that of a core which was needed once. `isFree`: whether nothing that goes on from task
 * to task holds anything in the core.
 */
export async function trim(state: WorkerState, isFree: boolean): Promise<TrimmedAnswer> {
  dropKept()
  state.chunks.dropSpare()
  if (isFree) state.renewCore()
  // Until then the functions that have called this one hold the old core.
  await turn()
  collectGarbage()
  return {
    kind: 'trimmed',
    coreBytes: state.core.memoryBytes(),
    columnBytes: state.columns?.bytes ?? 0,
    chunkBytes: state.chunks.bytes,
  }
}
