import type { ScanTask } from '../plan/task.ts'
import { decodeUnit } from './decode-unit.ts'
import type { DecodedUnit } from './decoded-units.ts'
import type { ReadContext } from './formats/provider.ts'
import type { Workshop } from './workshop.ts'

/** Decodes one unit, and then checks that its file is still the one that was planned. The caller releases the unit. */
export function readUnit(
  { scan, file, unit, begin }: Pick<ScanTask, 'scan' | 'file' | 'unit' | 'begin'>,
  workshop: Workshop,
  context: ReadContext,
): DecodedUnit {
  workshop.makeRoom(unit.decodedBytes)
  using source = workshop.source(file, context.stopwatch)
  const opened = workshop.open(scan.format, source, context)
  const decoded = decodeUnit(scan, unit, begin, opened, source, context)
  context.stopwatch.addRowsScanned(decoded.rowsScanned)
  try {
    source.verify()
  } catch (error) {
    workshop.units.release(decoded)
    throw error
  }
  return decoded
}
