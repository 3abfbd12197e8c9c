import type { RowsUnit, Unit } from '../../src/plan/source/unit.ts'

/** Units that are rows of segments, as they all are here. */
export function rowsUnits(units: readonly Unit[]): readonly RowsUnit[] {
  return units.map((unit) => {
    if (unit.kind !== 'rows') throw new TypeError(`a ${unit.kind} unit`)
    return unit
  })
}
