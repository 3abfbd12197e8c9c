import { createTextOrder } from '../../../plan/source/text.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { unitAt } from '../../../plan/source/unit-space.ts'
import type { OpenScan } from '../../../plan/statement/statement.ts'
import type { DecodedUnit } from '../../state/decoded-units.ts'
import type { TaskContext } from '../../state/task-context.ts'
import type { WorkerState } from '../../state/worker-state.ts'
import { readUnit } from '../../units/read-unit.ts'

/** The units of a scan in their order. One may come in several parts. */
export interface Units {
  /** The next unit, or part of one, which the caller releases. Null: there are no more. */
  next(): DecodedUnit | null
  end(): void
}

/** The units of a scan, all of them decoded in this worker. */
export function createUnits(open: OpenScan, state: WorkerState, context: TaskContext): Units {
  const text = createTextOrder()
  let next = 0
  return {
    next() {
      if (next >= open.units.count) return null
      const unit = text.placed(unitAt(open.units, next))
      next++
      const decoded = readScanUnit(open, unit, state, context)
      text.ended(unit, decoded.span)
      return decoded
    },
    end() {},
  }
}

/** Decodes a unit of a scan. The caller releases it. */
export function readScanUnit(
  { scan, files }: OpenScan,
  unit: Unit,
  state: WorkerState,
  context: TaskContext,
): DecodedUnit {
  const file = files[unit.file]
  if (file === undefined) throw new RangeError(`unit of file ${unit.file}, of ${files.length}`)
  return readUnit({ scan, file, unit }, state, context)
}
