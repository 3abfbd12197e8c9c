import { lastAtMost } from '../binary-search.ts'
import { boxAt, type GridUnits, rowsBefore } from './grid-units.ts'
import { rowsIn } from './range.ts'
import type { Unit } from './unit.ts'

/** All units of a scan in their order, as plain data of which single units are made on demand. */
export interface UnitSpace {
  readonly count: number
  readonly runs: readonly UnitRun[]
}

/** Consecutive units. Those of files with lists of segments are listed, and those of a grid are computed. */
export type UnitRun = ListedUnits | GridUnits

interface ListedUnits {
  readonly kind: 'list'
  /** The index of the first of them among the units of the scan. */
  readonly first: number
  readonly units: readonly Unit[]
}

export const NO_UNITS: UnitSpace = Object.freeze({ count: 0, runs: Object.freeze([]) })

/** The unit at an index. Throws `RangeError` if there is none. */
export function unitAt({ count, runs }: UnitSpace, index: number): Unit {
  const run =
    index >= 0 && index < count
      ? runs[lastAtMost(runs.length, (at) => runs[at]?.first ?? 0, index)]
      : undefined
  const inRun = index - (run?.first ?? 0)
  const unit = run?.kind === 'grid' ? boxAt(run, inRun) : run?.units[inRun]
  if (unit === undefined) throw new RangeError(`unit ${index} of ${count}`)
  return unit
}

/** The number of rows of all units. Infinity: that of some units is not known before reading. */
export function rowsInAll({ runs }: UnitSpace): number {
  let rows = 0
  for (const run of runs) {
    if (run.kind === 'grid') {
      const { axes, skipped, count } = run
      rows += rowsBefore(axes, skipped + count) - rowsBefore(axes, skipped)
    } else for (const unit of run.units) rows += rowsIn(unit) ?? Number.POSITIVE_INFINITY
  }
  return rows
}
