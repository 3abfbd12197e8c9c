import type { Unit } from '../../plan/source/unit.ts'
import type { ScanTask } from '../../plan/task/task.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import type { Store } from '../store/store.ts'
import { decodeUnit, type Wanted } from './decode-unit.ts'

type UnitTask = Pick<ScanTask, 'scan' | 'file' | 'unit'> &
  Omit<Wanted, 'from'> & {
    /** See `decodeUnit`. */
    readonly areValuesEnough?: boolean
    /** Of a run of entries: the row from which on it is decoded. Absent: the first. */
    readonly resume?: number
  }

/**
 * Decodes a unit, and checks afterwards that its file is still the version that was planned. Records the objects that it has
 * read. The caller releases the unit.
 */
export function readUnit(task: UnitTask, state: WorkerState, context: TaskContext): DecodedUnit {
  using store = state.store(task.file, context.stopwatch)
  const decoded = readUnitFrom(store, task, state, context)
  try {
    if (!keepsColumns(task.unit)) store.verify()
  } catch (error) {
    state.units.release(decoded)
    throw error
  }
  context.objects.add(store.objects())
  return decoded
}

/**
 * Whether the columns of a unit may be kept, before which its store is verified. Of arrays decoded chunks are kept instead, which units of any
 * size share: each object is verified when the next one is opened, and the store once for all units of a task.
 */
export function keepsColumns({ kind }: Unit): boolean {
  return kind !== 'box' && kind !== 'run'
}

/** The same from a store that is open already, whose objects are not recorded here, and which the caller verifies unless columns are kept. */
export function readUnitFrom(
  store: Store,
  task: UnitTask,
  state: WorkerState,
  context: TaskContext,
): DecodedUnit {
  return withMemory(state, context, () => readOnce(store, task, state, context))
}

function readOnce(
  store: Store,
  { scan, unit, areValuesEnough, resume, isStreamed, firsts, rows, keepsNumbers, late }: UnitTask,
  state: WorkerState,
  context: TaskContext,
): DecodedUnit {
  const { stopwatch } = context
  state.reclaim(unit.decodedBytes, stopwatch)
  const opened = state.open(scan.format, store, context)
  state.chunks.beginUnit()
  const columns = keepsColumns(unit) ? (state.columns?.of(scan.format, store, unit, stopwatch) ?? null) : null
  let decoded: DecodedUnit | null = null
  try {
    const unitContext = { ...context, unitColumns: scan.columns.map(({ name }) => name) }
    decoded = decodeUnit(scan, unit, opened, columns, store, unitContext, areValuesEnough, {
      from: resume,
      isStreamed,
      firsts,
      rows,
      keepsNumbers,
      late,
    })
    if (rows === undefined) stopwatch.addUnit(decoded.rowsScanned, decoded.rowsPassed)
    else stopwatch.count('rowsReadLate', rows.length)
    if (keepsColumns(unit)) store.verify()
    columns?.keep()
    context.chunks.statistics?.keep()
    stopwatch.setChunkBytes(state.chunks.bytes)
    if (state.columns !== null) stopwatch.setColumnBytes(state.columns.bytes)
    return decoded
  } catch (error) {
    columns?.drop()
    context.chunks.statistics?.drop()
    if (decoded !== null) state.units.release(decoded)
    throw error
  }
}
