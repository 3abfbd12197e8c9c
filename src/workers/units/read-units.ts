import type { Span } from '../../plan/source/text.ts'
import type { ScanTask } from '../../plan/task/task.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { WorkerState } from '../state/worker-state.ts'
import type { Store } from '../store/store.ts'
import { readUnitFrom } from './read-unit.ts'

/**
 * Reads the units of a task one after the other, those of one file through one store, and has each used and released;
 * `areValuesEnough` as for `decodeUnit`. Gives where the records of a text unit lay.
 */
export function readUnits(
  task: ScanTask,
  state: WorkerState,
  context: ReadContext,
  use: (unit: DecodedUnit) => void,
  areValuesEnough = false,
): Span | null {
  const { scan } = task
  let span: Span | null = null
  let store: Store | null = null
  try {
    for (const { file, unit } of [task, ...task.more]) {
      context.checkCancelled()
      if (store?.file !== file) {
        store?.[Symbol.dispose]()
        store = state.store(file, context.stopwatch)
      }
      const decoded = readUnitFrom(store, { scan, file, unit, areValuesEnough }, state, context)
      try {
        use(decoded)
      } finally {
        state.units.release(decoded)
      }
      span = decoded.span
    }
    return span
  } finally {
    store?.[Symbol.dispose]()
  }
}
