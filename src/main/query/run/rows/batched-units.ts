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
  return {
    units: firstOfEach(batches),
    requestOf: (index) => ({
      scan: reduced.scan,
      fragment,
      more: fileUnits(reduced, batches.at(index).slice(1)),
    }),
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
