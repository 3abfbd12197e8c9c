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
  let rest: Iterator<DecodedUnit> | null = null
  return {
    next() {
      const part = rest?.next()
      if (part?.done === false) return part.value
      rest = null
      if (next >= open.units.count) return null
      const unit = text.placed(unitAt(open.units, next))
      next++
      const decoded = readScanUnit(open, unit, state, context)
      text.ended(unit, decoded.span)
      rest = restOf(decoded, (from) => readScanUnit(open, unit, state, context, from))
      return decoded
    },
    end() {},
  }
}

/** The parts of a unit behind its first one, each decoded when it is its turn. The caller releases them. Null: there are none. */
export function restOf(
  first: DecodedUnit,
  decode: (from: number) => DecodedUnit,
): Generator<DecodedUnit, void> | null {
  function* parts(): Generator<DecodedUnit, void> {
    for (let from = first.next; from !== undefined; ) {
      const part = decode(from)
      from = part.next
      yield part
    }
  }
  return first.next === undefined ? null : parts()
}

/** Decodes a unit of a scan, of a run of entries from row `resume` on. The caller releases it. */
export function readScanUnit(
  { scan, files }: OpenScan,
  unit: Unit,
  state: WorkerState,
  context: TaskContext,
  resume = 0,
): DecodedUnit {
  const file = files[unit.file]
  if (file === undefined) throw new RangeError(`unit of file ${unit.file}, of ${files.length}`)
  return readUnit({ scan, file, unit, resume }, state, context)
}
