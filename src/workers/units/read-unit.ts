import type { ScanTask } from '../../plan/task/task.ts'
import type { ReadContext } from '../formats/provider.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import { withRoom } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import type { LocalFile } from '../store/local-file.ts'
import { decodeUnit } from './decode-unit.ts'

type UnitTask = Pick<ScanTask, 'scan' | 'file' | 'unit'> & {
  /** As for `decodeUnit`. */
  readonly areValuesEnough?: boolean
}

/** Decodes one unit, and then checks that its file is still the one that was planned. The caller releases the unit. */
export function readUnit(task: UnitTask, state: WorkerState, context: ReadContext): DecodedUnit {
  using source = state.source(task.file, context.stopwatch)
  return readUnitFrom(source, task, state, context)
}

/** The same from a source of its file. */
export function readUnitFrom(
  source: LocalFile,
  task: UnitTask,
  state: WorkerState,
  context: ReadContext,
): DecodedUnit {
  return withRoom(state, context, () => readOnce(source, task, state, context))
}

function readOnce(
  source: LocalFile,
  { scan, file, unit, areValuesEnough }: UnitTask,
  state: WorkerState,
  context: ReadContext,
): DecodedUnit {
  const { stopwatch } = context
  state.makeRoom(unit.decodedBytes, stopwatch)
  const opened = state.open(scan.format, source, context)
  const columns = state.columns?.of(scan.format, file, unit, stopwatch) ?? null
  let decoded: DecodedUnit | null = null
  try {
    decoded = decodeUnit(scan, unit, opened, columns, source, context, areValuesEnough)
    stopwatch.addRowsScanned(decoded.rowsScanned)
    source.verify()
    columns?.keep()
    if (state.columns !== null) stopwatch.setColumnBytes(state.columns.bytes)
    return decoded
  } catch (error) {
    columns?.drop()
    if (decoded !== null) state.units.release(decoded)
    throw error
  }
}
