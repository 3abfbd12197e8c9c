import type { Span } from '../../../../plan/source/text.ts'
import type { Unit } from '../../../../plan/source/unit.ts'
import type { Part } from '../../../../plan/task/part.ts'
import type { Placement } from '../../../dispatch/queued-task.ts'
import type { UnitRequest } from '../../plan/unit-request.ts'

/** A unit that has been started, until all of its rows have been handed out. */
export interface StartedUnit {
  readonly index: number
  /** A unit of a text file gets the position of its first record when the unit before it has been read. */
  unit: Unit
  readonly request: UnitRequest
  /** Its encoded rows that have not been handed out. */
  readonly parts: Part[]
  /** The row from which the next task reads. Null: the unit has been read to its end. */
  resume: number | null
  /** Whether a task for it is in flight. */
  running: boolean
  /** The worker that has it decoded. */
  worker: number | undefined
  /** Increased when the unit is read again from an earlier row. Answers of an earlier epoch are dropped. */
  epoch: number
  /** Where the records of a text unit were found. */
  span: Span | undefined
  /** How often a text unit has been read from a wrong position. */
  guesses: number
}

export function startedUnit(index: number, unit: Unit, request: UnitRequest): StartedUnit {
  return {
    index,
    unit,
    request,
    parts: [],
    resume: 0,
    running: false,
    worker: undefined,
    epoch: 0,
    span: undefined,
    guesses: 0,
  }
}

/** How long a task waits for the worker that has its unit decoded. Decoding it in another one takes some 150. Milliseconds. */
const PATIENCE_MS = 300

/** Prefers the worker that has the unit decoded. */
export function placementOf({ worker }: StartedUnit): Placement | undefined {
  return worker === undefined ? undefined : { prefer: [worker], patienceMs: PATIENCE_MS }
}
