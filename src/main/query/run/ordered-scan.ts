import { ANSWER_BYTES, READ_AHEAD_BYTES } from '../../../plan/limits.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { rowsIn } from '../../../plan/source/range.ts'
import { createTextOrder, isGuess, isInPlace, type Span } from '../../../plan/source/text.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { type Part, partBytes } from '../../../plan/task/part.ts'
import type { Encoding, ScanAnswer, ScanTask } from '../../../plan/task/task.ts'
import type { Placement, TaskOutcome } from '../../dispatch/job.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { Piece } from '../plan/piece.ts'
import type { UnitSequence } from '../plan/unit-sequence.ts'
import type { OnAnswer } from '../source/on-answer.ts'

export interface OrderedScanOptions {
  readonly id: string
  readonly files: ScanPlan['files']
  readonly units: UnitSequence
  /** What is asked of a unit, when it is begun; null: it is left out, which none of a text file may be. */
  pieceOf(index: number): Piece | null
  /** Called with an answer about rows that are known to be the unit's, before the next unit is begun. */
  onRows?(answer: ScanAnswer): void
  /** Rows of the units to drop at the beginning, and to give after that. */
  readonly skip: number
  readonly limit: number
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly workers: number
  /** Tasks that may be under way now. Default: two a worker, one of which it runs. */
  tasks?(): number
  /** Bytes that may be decoded ahead now: a share of what all queries may hold together. */
  readAheadBytes(): number
  readonly onAnswer: OnAnswer
}

/** A unit under way: its encoded rows that have not been taken, and where to go on. */
interface Stretch {
  readonly index: number
  /** Of a text file, with where its records begin once the unit before it has told. */
  unit: Unit
  readonly piece: Piece
  readonly parts: Part[]
  resume: number | null
  running: boolean
  worker: number | undefined
  /** Raised when the unit is read again from an earlier row: answers asked for before are dropped. */
  epoch: number
  /** Of a text unit: where its records were found, and how often they were looked for elsewhere in vain. */
  span: Span | undefined
  guesses: number
}

/**
 * The rows of units, or what is made of each, in their order, whatever the number of workers: units run ahead on all of
 * them, within the query's credit, and their parts are handed out in sequence. Offset and limit cut between parts; the part in which one
 * falls is encoded again by a worker, cut. Units of a text file run ahead from where a worker guesses that their first
 * record begins, and are read again when the unit before it ends elsewhere. Closing the generator does not stop tasks:
 * `ticket.stop()` does.
 */
export async function* orderedScan(options: OrderedScanOptions): AsyncGenerator<Part, void, undefined> {
  const { files, units, ticket } = options
  const tasks = options.tasks ?? (() => 2 * options.workers)
  const stretches: Stretch[] = []
  let nextUnit = 0
  let inFlight = 0
  let bufferedBytes = 0
  let { skip } = options
  let left = options.limit
  /** Rows that were read so far, and how many of them passed. */
  let scanned = 0
  let passed = 0
  /** Of the units that were handed out whole. */
  const text = createTextOrder()
  let failure: unknown = null
  let closed = false
  let wake: () => void = () => {}

  function taskOf(stretch: Stretch, resume: number, isNext: boolean): ScanTask {
    const { unit } = stretch
    const file = files[unit.file]
    if (!file) throw new RangeError(`unit of file ${unit.file}, of ${files.length}`)
    return {
      kind: 'scan',
      key: `${options.id}/${stretch.index}.${stretch.guesses}`,
      ...stretch.piece,
      file,
      unit,
      resume,
      // How many rows earlier units will drop is not known yet, so a unit that runs ahead drops none.
      skip: isNext ? skip : 0,
      take: isNext ? left : skip + left,
      encoding: options.encoding,
      claim: null,
      answerBytes: ANSWER_BYTES,
      caching: ticket.caching,
      cancel: ticket.cancel,
    }
  }

  function dispatch(stretch: Stretch, resume: number): void {
    const isNext = stretch === stretches[0] && stretch.parts.length === 0 && !isGuess(stretch.unit)
    const { epoch } = stretch
    stretch.running = true
    inFlight++
    ticket.run<ScanAnswer>(taskOf(stretch, resume, isNext), placeOf(stretch)).then(
      (outcome) => settle(stretch, epoch, isNext, outcome),
      (error: unknown) => {
        failure ??= error
        inFlight--
        wake()
      },
    )
  }

  function settle(stretch: Stretch, epoch: number, wasNext: boolean, outcome: TaskOutcome<ScanAnswer>): void {
    const { answer } = outcome
    inFlight--
    options.onAnswer(answer, outcome.queueMs)
    scanned += answer.metrics.rowsScanned
    passed += answer.skipped
    for (const { rows } of answer.parts) passed += rows
    if (epoch === stretch.epoch) {
      if (!isGuess(stretch.unit)) options.onRows?.(answer)
      stretch.running = false
      stretch.worker = outcome.worker
      stretch.resume = answer.resume
      stretch.span = answer.span
      stretch.parts.push(...answer.parts)
      for (const part of answer.parts) bufferedBytes += partBytes(part)
      if (wasNext) skip -= answer.skipped
    }
    if (failure === null && !closed) fill()
    wake()
  }

  /** Dispatches what the credit allows: started units before new ones, the next unit in order always. */
  function fill(): void {
    for (;;) {
      const begun = stretches.find((each) => !each.running && each.resume !== null)
      const starving =
        begun === undefined ? stretches.length === 0 : begun === stretches[0] && begun.parts.length === 0
      const credit = options.readAheadBytes() - bufferedBytes - inFlight * ANSWER_BYTES
      if (!starving && (credit <= 0 || inFlight >= tasks())) return
      const stretch = begun ?? startUnit()
      if (!stretch || stretch.resume === null) return
      dispatch(stretch, stretch.resume)
    }
  }

  function startUnit(): Stretch | undefined {
    if (stretches.length >= Math.max(tasks(), 2 * options.workers) || isEnough()) return undefined
    // A large unit stays decoded in its worker from answer to answer, so one for each worker is enough.
    const unfinished = stretches.filter((each) => each.running || each.resume !== null).length
    while (nextUnit < units.count) {
      const unit = units.at(nextUnit)
      if (unit.decodedBytes > READ_AHEAD_BYTES && unfinished >= options.workers) return undefined
      const index = nextUnit++
      const piece = options.pieceOf(index)
      if (piece !== null) return begin(index, unit, piece)
    }
    return undefined
  }

  function begin(index: number, unit: Unit, piece: Piece): Stretch {
    const stretch: Stretch = {
      index,
      unit,
      piece,
      parts: [],
      resume: 0,
      running: false,
      worker: undefined,
      epoch: 0,
      span: undefined,
      guesses: 0,
    }
    stretches.push(stretch)
    return stretch
  }

  /** Whether the units that were begun give all rows that are wanted, if as many of theirs pass as have so far. */
  function isEnough(): boolean {
    if (stretches.length === 0) return false
    const share = scanned === 0 ? 1 : passed / scanned
    const rows = stretches.map(({ unit, resume, parts }) => {
      const waiting = parts.reduce((sum, part) => sum + part.rows, 0)
      return waiting + (resume === null ? 0 : share * ((rowsIn(unit) ?? resume) - resume))
    })
    return rows.reduce((sum, each) => sum + each, 0) >= skip + left
  }

  /** Reads the first unit again from a row. */
  function readAgain(stretch: Stretch, from: number): void {
    for (const each of stretch.parts.splice(0)) bufferedBytes -= partBytes(each)
    stretch.epoch++
    stretch.resume = from
    stretch.running = false
  }

  /** Whether the unit is known to begin where it was read from; if it is not, sees to that. */
  function settlePlace(first: Stretch): boolean {
    if (!isGuess(first.unit)) return true
    // Units of a text file follow each other without a gap.
    const placed = text.placed(first.unit)
    if (isGuess(placed)) throw new RangeError(`unit ${first.index} without the one before it`)
    const isRight = isInPlace(placed, first.span)
    if (!isRight && first.running && first.span === undefined) return false
    first.unit = placed
    if (isRight) return true
    first.guesses++
    readAgain(first, 0)
    return false
  }

  try {
    while (left > 0) {
      fill()
      if (failure !== null) throw failure
      const first = stretches[0]
      if (!first) return
      const isAtPlace = settlePlace(first)
      const part = isAtPlace ? first.parts[0] : undefined
      if (!part) {
        if (first.running) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        } else if (isAtPlace && first.resume === null) {
          stretches.shift()
          text.ended(first.unit, first.span)
        }
        continue
      }
      if ((skip > 0 && skip < part.rows) || (skip === 0 && left < part.rows)) {
        readAgain(first, part.from)
        continue
      }
      first.parts.shift()
      bufferedBytes -= partBytes(part)
      if (skip >= part.rows && skip > 0) {
        skip -= part.rows
        continue
      }
      left -= part.rows
      yield part
    }
  } finally {
    closed = true
  }
}

/** Bytes that all queries together may hold decoded ahead; beyond it each gets its share. */
const TOTAL_READ_AHEAD_BYTES = 256 << 20

/** What one of `active` queries may decode ahead: at least one answer. */
export function readAheadShare(active: number): number {
  return Math.max(ANSWER_BYTES, Math.min(READ_AHEAD_BYTES, TOTAL_READ_AHEAD_BYTES / Math.max(1, active)))
}

/** Milliseconds that a unit waits for the worker that has it decoded: any other takes some 150 to decode it again. */
const PATIENCE_MS = 300

/** A unit goes on best where it lies decoded. */
function placeOf({ worker }: Stretch): Placement | undefined {
  return worker === undefined ? undefined : { prefer: [worker], patienceMs: PATIENCE_MS }
}
