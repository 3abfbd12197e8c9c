import type { Unit } from '../../../plan/source/unit.ts'
import { type UnitSpace, unitAt } from '../../../plan/source/unit-space.ts'

/** Units in the order in which they are read. Each is made when it is asked for. */
export interface UnitSequence {
  readonly count: number
  at(index: number): Unit
}

/** The units of a scan in file order. */
export function inOrder(space: UnitSpace): UnitSequence {
  return { count: space.count, at: (index) => unitAt(space, index) }
}

/** The most that one task reads. */
export interface BatchLimits {
  readonly rows: number
  /** Estimated decoded bytes. */
  readonly bytes: number
}

/** The units of each task. */
export interface Batches {
  readonly count: number
  at(index: number): readonly Unit[]
}

/** Each unit as a task of its own. */
export function oneByOne({ count, at }: UnitSequence): Batches {
  return { count, at: (index) => [at(index)] }
}

export const NO_BATCHES: Batches = Object.freeze({ count: 0, at: () => [] })
