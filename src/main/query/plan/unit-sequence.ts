import type { Unit } from '../../../plan/source/unit.ts'
import { type UnitSpace, unitAt } from '../../../plan/source/unit-space.ts'

/** Units in the order in which they are read, each made when it is wanted. */
export interface UnitSequence {
  readonly count: number
  at(index: number): Unit
}

/** The units of a scan in their order. */
export function inOrder(space: UnitSpace): UnitSequence {
  return { count: space.count, at: (index) => unitAt(space, index) }
}

/** The units that each task reads. */
export interface Batches {
  readonly count: number
  at(index: number): readonly Unit[]
}

/** Each unit by itself. */
export function oneByOne({ count, at }: UnitSequence): Batches {
  return { count, at: (index) => [at(index)] }
}

export const NO_BATCHES: Batches = Object.freeze({ count: 0, at: () => [] })
