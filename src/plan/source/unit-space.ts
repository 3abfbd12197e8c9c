import { lastAtMost } from '../halving.ts'
import { boxAt, type GridUnits, rowsBefore } from './grid-units.ts'
import { rowsIn } from './range.ts'
import type { Unit } from './unit.ts'

/** All units of a scan, in order: plain data, from which a unit is made when it is wanted. */
export interface UnitSpace {
  readonly count: number
  readonly runs: readonly UnitRun[]
}

/** Neighbouring units: those of files whose segments are lists stand there one by one, those of a grid are counted. */
export type UnitRun = ListedUnits | GridUnits

export interface ListedUnits {
  readonly kind: 'list'
  /** Index of the first of them among the units of the scan. */
  readonly first: number
  readonly units: readonly Unit[]
}

export const NO_UNITS: UnitSpace = Object.freeze({ count: 0, runs: Object.freeze([]) })

/** A space of these units. */
export function listedUnits(units: readonly Unit[]): UnitSpace {
  if (units.length === 0) return NO_UNITS
  return { count: units.length, runs: [{ kind: 'list', first: 0, units }] }
}

/** The unit at an index. Throws a `RangeError` where there is none. */
export function unitAt({ count, runs }: UnitSpace, index: number): Unit {
  const run =
    index >= 0 && index < count
      ? runs[lastAtMost(runs.length, (place) => runs[place]?.first ?? 0, index)]
      : undefined
  const place = index - (run?.first ?? 0)
  const unit = run?.kind === 'grid' ? boxAt(run, place) : run?.units[place]
  if (unit === undefined) throw new RangeError(`unit ${index} of ${count}`)
  return unit
}

/** Rows of all units; Infinity where some are not known before they are read. */
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
