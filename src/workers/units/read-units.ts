import type { Span } from '../../plan/source/text.ts'
import { firstsOf } from '../../plan/task/fragment.ts'
import type { ScanTask } from '../../plan/task/task.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import type { WorkerState } from '../state/worker-state.ts'
import type { Store } from '../store/store.ts'
import { packsOf } from './packs.ts'
import { readPack } from './read-pack.ts'
import { readUnitFrom } from './read-unit.ts'

/**
 * Reads the units of a task one after the other, passes each, or each of its parts, to `use` and releases it. Units of one file share its
 * store, and those of small files are passed together, as one unit.
 * For `areValuesEnough` see `decodeUnit`. Returns where the records of the last unit lay, if that is text.
 */
export function readUnits(
  task: ScanTask,
  state: WorkerState,
  context: TaskContext,
  use: (unit: DecodedUnit) => void,
  areValuesEnough = false,
): Span | null {
  const { scan } = task
  const firsts = firstsOf(task.fragment)
  let span: Span | null = null
  let store: Store | null = null
  const close = (read: Store): void => {
    context.objects.add(read.objects())
    read[Symbol.dispose]()
  }
  const useUnit = (decoded: DecodedUnit): void => {
    try {
      use(decoded)
    } finally {
      state.units.release(decoded)
    }
  }
  try {
    for (const pack of packsOf([task, ...task.more], scan)) {
      context.checkCancelled()
      const [first] = pack
      if (first === undefined) continue
      if (pack.length > 1) {
        useUnit(readPack(pack, scan, state, context, firsts))
        continue
      }
      const { file, unit } = first
      if (store?.file !== file) {
        if (store !== null) close(store)
        store = state.store(file, context.stopwatch)
      }
      for (let from: number | undefined = 0; from !== undefined; ) {
        const part = { scan, file, unit, areValuesEnough, resume: from, firsts }
        const decoded: DecodedUnit = readUnitFrom(store, part, state, context)
        span = decoded.span
        from = decoded.next
        useUnit(decoded)
        if (from !== undefined) context.checkCancelled()
      }
    }
    return span
  } finally {
    if (store !== null) close(store)
  }
}
