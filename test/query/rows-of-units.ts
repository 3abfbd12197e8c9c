import type { RowsUnit, Unit } from '../../src/plan/source/unit.ts'
import { type UnitSpace, unitAt } from '../../src/plan/source/unit-space.ts'

/** All units of a space. */
export function unitsOf(space: UnitSpace): readonly Unit[] {
  return Array.from({ length: space.count }, (_, index) => unitAt(space, index))
}

/** The units, all of which must be rows of segments. */
export function rowsUnits(space: UnitSpace): readonly RowsUnit[] {
  return unitsOf(space).map((unit) => {
    if (unit.kind !== 'rows') throw new TypeError(`a ${unit.kind} unit`)
    return unit
  })
}
