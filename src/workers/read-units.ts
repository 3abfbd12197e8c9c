import type { ScanTask } from '../plan/task.ts'
import type { Span } from '../plan/unit.ts'
import type { DecodedUnit } from './decoded-units.ts'
import type { ReadContext } from './formats/provider.ts'
import { readUnit } from './read-unit.ts'
import type { Workshop } from './workshop.ts'

/**
 * Reads the units of a task one after the other, and has each used and released; `areValuesEnough` as for `decodeUnit`.
 * Gives where the records lay.
 */
export function readUnits(
  task: ScanTask,
  workshop: Workshop,
  context: ReadContext,
  use: (unit: DecodedUnit) => void,
  areValuesEnough = false,
): Span | null {
  let span: Span | null = null
  for (const { file, unit } of [task, ...task.more]) {
    context.checkCancelled()
    const decoded = readUnit(
      { scan: task.scan, file, unit, begin: task.begin, areValuesEnough },
      workshop,
      context,
    )
    try {
      use(decoded)
    } finally {
      workshop.units.release(decoded)
    }
    span = decoded.span
  }
  return span
}
