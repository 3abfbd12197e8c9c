import { firstThat } from '../../plan/binary-search.ts'
import { rowsIn } from '../../plan/source/range.ts'
import type { Span } from '../../plan/source/text.ts'
import { firstsOf, groupingOf } from '../../plan/task/fragment.ts'
import type { ScanTask } from '../../plan/task/task.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import type { WorkerState } from '../state/worker-state.ts'
import type { Store } from '../store/store.ts'
import { lateArguments } from './late/late-arguments.ts'
import { type Pack, packsOf } from './packs.ts'
import { readPack } from './read-pack.ts'
import { keepsColumns, readUnitFrom } from './read-unit.ts'

/**
 * Reads the units of a task one after the other, passes each, or each of its parts, to `use` and releases it. Units of one file share its
 * store, and those of small files are passed together, as one unit. Units of which no row is wanted are not read.
 * With `keepsNumbers`, `use` gets all rows of a unit, with a mask, and how many rows of the task are before it.
 * For `areValuesEnough` see `decodeUnit`. Returns where the records of the last unit lay, if that is text.
 */
export function readUnits(
  task: ScanTask,
  state: WorkerState,
  context: TaskContext,
  use: (unit: DecodedUnit, before: number) => void,
  areValuesEnough = false,
  keepsNumbers = false,
): Span | null {
  const { scan } = task
  const firsts = task.rows === undefined ? firstsOf(task.fragment) : undefined
  const grouping = groupingOf(task.fragment)
  const late = (grouping && lateArguments(grouping, scan)) ?? undefined
  const counts = task.rows !== undefined || keepsNumbers
  let span: Span | null = null
  let store: Store | null = null
  /** The context of the units of the store, with which what they share is freed. */
  let storeContext = { ...context, untilClosed: new DisposableStack() }
  /** Whether units were read from the store that it has not been verified for. */
  let isUnverified = false
  /** How many rows of the task are before those of the pack, and behind it. */
  let [before, end] = [0, 0]
  const verify = (read: Store | null): void => {
    if (!isUnverified) return
    isUnverified = false
    read?.verify()
  }
  const close = (read: Store): void => {
    context.objects.add(read.objects())
    storeContext.untilClosed.dispose()
    read[Symbol.dispose]()
  }
  const useUnit = (decoded: DecodedUnit): void => {
    try {
      use(decoded, before)
    } finally {
      state.units.release(decoded)
    }
  }
  try {
    for (const pack of packsOf([task, ...task.more], scan)) {
      context.checkCancelled()
      const [first] = pack
      if (first === undefined) continue
      before = end
      if (counts) end += rowsOf(pack)
      const rows = task.rows && rowsBetween(task.rows, before, end)
      if (rows?.length === 0) continue
      if (pack.length > 1) {
        useUnit(readPack(pack, scan, state, context, { firsts, rows, keepsNumbers }))
        continue
      }
      const { file, unit } = first
      if (store?.file !== file) {
        verify(store)
        if (store !== null) close(store)
        store = state.store(file, context.stopwatch)
        storeContext = { ...context, untilClosed: new DisposableStack() }
      }
      for (let from: number | undefined = 0; from !== undefined; ) {
        isUnverified ||= !keepsColumns(unit)
        const part = { scan, file, unit, areValuesEnough, resume: from, firsts, rows, keepsNumbers, late }
        const decoded: DecodedUnit = readUnitFrom(store, part, state, storeContext)
        span = decoded.span
        from = decoded.next
        useUnit(decoded)
        if (from !== undefined) context.checkCancelled()
      }
    }
    verify(store)
    return span
  } catch (error) {
    // What was made of objects that have changed may fail for any reason.
    verify(store)
    throw error
  } finally {
    if (store !== null) close(store)
  }
}

/** The number of rows of a pack. That of text and of runs of entries is not known, so their rows have no numbers in a task. */
function rowsOf(pack: Pack): number {
  return pack.reduce((sum, { unit }) => {
    const rows = rowsIn(unit)
    if (rows === null) throw new TypeError(`rows of a unit of kind ${unit.kind}, whose number is not known`)
    return sum + rows
  }, 0)
}

/** Those of rows in ascending order that are from `from` to `to`, counted from `from`. */
function rowsBetween(rows: Int32Array, from: number, to: number): Int32Array {
  const indexOf = (row: number): number => firstThat(0, rows.length, (at) => (rows[at] ?? 0) >= row)
  return rows.slice(indexOf(from), indexOf(to)).map((row) => row - from)
}
