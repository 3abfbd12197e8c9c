import type { ScanTask } from '../../plan/task/task.ts'
import type { ReadContext } from '../formats/provider.ts'
import { withRoom } from '../state/with-memory.ts'
import type { Workshop } from '../state/worker-state.ts'
import type { LocalFile } from '../store/byte-source.ts'
import { decodeUnit } from './decode-unit.ts'
import type { DecodedUnit } from './decoded-units.ts'

type UnitTask = Pick<ScanTask, 'scan' | 'file' | 'unit'> & {
  /** As for `decodeUnit`. */
  readonly areValuesEnough?: boolean
}

/** Decodes one unit, and then checks that its file is still the one that was planned. The caller releases the unit. */
export function readUnit(task: UnitTask, workshop: Workshop, context: ReadContext): DecodedUnit {
  using source = workshop.source(task.file, context.stopwatch)
  return readUnitFrom(source, task, workshop, context)
}

/** The same from a source of its file. */
export function readUnitFrom(
  source: LocalFile,
  task: UnitTask,
  workshop: Workshop,
  context: ReadContext,
): DecodedUnit {
  return withRoom(workshop, context, () => readOnce(source, task, workshop, context))
}

function readOnce(
  source: LocalFile,
  { scan, file, unit, areValuesEnough }: UnitTask,
  workshop: Workshop,
  context: ReadContext,
): DecodedUnit {
  const { stopwatch } = context
  workshop.makeRoom(unit.decodedBytes, stopwatch)
  const opened = workshop.open(scan.format, source, context)
  const columns = workshop.columns?.of(scan.format, file, unit, stopwatch) ?? null
  let decoded: DecodedUnit | null = null
  try {
    decoded = decodeUnit(scan, unit, opened, columns, source, context, areValuesEnough)
    stopwatch.addRowsScanned(decoded.rowsScanned)
    source.verify()
    columns?.keep()
    if (workshop.columns !== null) stopwatch.setColumnBytes(workshop.columns.bytes)
    return decoded
  } catch (error) {
    columns?.drop()
    if (decoded !== null) workshop.units.release(decoded)
    throw error
  }
}
