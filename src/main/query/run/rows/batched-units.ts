import type { ScanPlan } from '../../../../plan/plan.ts'
import type { Unit } from '../../../../plan/source/unit.ts'
import type { FileUnit } from '../../../../plan/task/task.ts'
import type { PreparedScan } from '../../plan/prepare-scan.ts'
import type { UnitRequest } from '../../plan/unit-request.ts'
import type { Batches, UnitSequence } from '../../plan/unit-sequence.ts'

/** The units by which tasks are named, and what is asked of each: to read the other units of its batch too. */
export interface BatchedUnits {
  readonly units: UnitSequence
  requestOf(index: number): UnitRequest
}

export function batchedUnits({
  reduced,
  fragment,
  batches,
}: Pick<PreparedScan, 'reduced' | 'fragment' | 'batches'>): BatchedUnits {
  const recent = withRecent(batches)
  return {
    units: firstOfEach(recent),
    requestOf: (index) => ({
      scan: reduced.scan,
      fragment,
      more: fileUnits(reduced, recent.at(index).slice(1)),
    }),
  }
}

/** A unit is asked for when it is started, with those before and behind it to place it, and once more with the others of its batch. */
const RECENT_BATCHES = 4

/** The same batches, of which the last ones are not made again. */
function withRecent({ count, at }: Batches): Batches {
  const recent = new Map<number, readonly Unit[]>()
  return {
    count,
    at(index) {
      const existing = recent.get(index)
      if (existing !== undefined) return existing
      const units = at(index)
      recent.set(index, units)
      const [oldest] = recent.keys()
      if (recent.size > RECENT_BATCHES && oldest !== undefined) recent.delete(oldest)
      return units
    },
  }
}

/** The first unit of each batch, by which a task names it. */
export function firstOfEach({ count, at }: Batches): UnitSequence {
  return {
    count,
    at(index) {
      const [first] = at(index)
      if (first === undefined) throw new RangeError(`batch ${index} of ${count}`)
      return first
    },
  }
}

export function fileUnits({ files }: ScanPlan, units: readonly Unit[]): readonly FileUnit[] {
  return units.map((unit) => {
    const file = files[unit.file]
    if (!file) throw new RangeError(`unit of file ${unit.file}, of ${files.length}`)
    return { file, unit }
  })
}
