import type { Unit } from '../../src/plan/source/unit.ts'
import { NO_UNITS, type UnitSpace } from '../../src/plan/source/unit-space.ts'

/** A space with a list of units. */
export function listedUnits(units: readonly Unit[]): UnitSpace {
  if (units.length === 0) return NO_UNITS
  return { count: units.length, runs: [{ kind: 'list', first: 0, units }] }
}
