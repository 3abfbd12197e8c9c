import { ANSWER_BYTES, READ_AHEAD_BYTES } from '../../../../plan/limits.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { rowsIn } from '../../../../plan/source/range.ts'
import { createStationsSeen, createTextOrder, isGuess, isInPlace } from '../../../../plan/source/text.ts'
import type { Encoding } from '../../../../plan/task/encoding.ts'
import { type Part, partBytes } from '../../../../plan/task/part.ts'
import type { ScanAnswer, ScanTask } from '../../../../plan/task/task.ts'
import type { TaskOutcome } from '../../../dispatch/queued-task.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { UnitRequest } from '../../plan/unit-request.ts'
import type { UnitSequence } from '../../plan/unit-sequence.ts'
import { withObjects } from '../../plan/with-objects.ts'
import type { OnAnswer } from '../../source/on-answer.ts'
import { partPlacement } from './part-placement.ts'
import { placementOf, type StartedUnit, startedUnit } from './started-unit.ts'

export interface OrderedScanOptions {
  readonly id: string
  readonly files: ScanPlan['files']
  readonly units: UnitSequence
  /**
   * What to ask of a unit, called when the unit is started. Null: it is not read. Units of a text file must not be left out,
   * since each one tells where the next begins.
   */
  requestOf(index: number): UnitRequest | null
  /** Called with an answer before the next unit is started, unless the unit may have been read from a wrong position. */
  onRows?(answer: ScanAnswer): void
  /** The rows to drop at the beginning, and the most rows to return after those. */
  readonly skip: number
  readonly limit: number
  readonly encoding: Encoding
  readonly ticket: Ticket
  readonly workers: number
  /** The most tasks in flight now. Default: two for each worker, one that it runs and one that waits there. */
  tasks?(): number
  /** The most bytes that may be decoded ahead now: a share of what all queries may hold together. */
  readAheadBytes(): number
  readonly onAnswer: OnAnswer
}

/**
 * Reads units on all workers and hands out their rows, or the fragments made of them, in the order of the units. Units are read
 * ahead within the query's credit. Offset and limit drop whole parts; a part that has to be cut is encoded again by a worker. A
 * unit of a text file that is read ahead begins where its worker guesses that a record begins. If the unit before it then ends
 * at another position, the unit is read again from there. Closing the generator does not stop tasks: `ticket.stop()` does.
 */
export async function* orderedScan(options: OrderedScanOptions): AsyncGenerator<Part, void, undefined> {
  const { files, units, ticket } = options
  const tasks = options.tasks ?? (() => 2 * options.workers)
  const started: StartedUnit[] = []
  let nextUnit = 0
  let tasksInFlight = 0
  let bufferedBytes = 0
  let { skip } = options
  let remaining = options.limit
  /** Rows that have been read so far, and how many of them have passed the filter. */
  let scanned = 0
  let passed = 0
  /** Where the text units that have been handed out ended. */
  const text = createTextOrder()
  const stations = createStationsSeen()
  let failure: unknown = null
  let closed = false
  let wake: () => void = () => {}
  /** Whether the search for the next unit to be read goes on in another turn of the event loop. */
  let isSearching = false

  /** Resolves when a task has ended, or the search for the next unit has gone on. */
  function progress(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve
    })
  }

  function taskOf(entry: StartedUnit, resume: number, isNext: boolean): ScanTask {
    const { unit } = entry
    const file = files[unit.file]
    if (!file) throw new RangeError(`unit of file ${unit.file}, of ${files.length}`)
    return {
      kind: 'scan',
      key: `${options.id}/${entry.index}.${entry.guesses}`,
      ...entry.request,
      file,
      unit,
      resume,
      // A unit that is read ahead drops no rows, because it is not known yet how many the units before it will drop.
      skip: isNext ? skip : 0,
      take: isNext ? remaining : skip + remaining,
      encoding: options.encoding,
      claim: null,
      answerBytes: ANSWER_BYTES,
      caching: ticket.caching,
      ...withObjects(file, ticket),
      cancel: ticket.cancel,
    }
  }

  function dispatch(entry: StartedUnit, resume: number): void {
    const isNext = entry === started[0] && entry.parts.length === 0 && !isGuess(entry.unit)
    const { epoch } = entry
    entry.running = true
    tasksInFlight++
    const placement = placementOf(entry) ?? partPlacement(units, entry.index, options.workers)
    ticket.run<ScanAnswer>(taskOf(entry, resume, isNext), placement).then(
      (outcome) => settle(entry, epoch, isNext, outcome),
      (error: unknown) => {
        failure ??= error
        tasksInFlight--
        wake()
      },
    )
  }

  function settle(
    entry: StartedUnit,
    epoch: number,
    wasNext: boolean,
    outcome: TaskOutcome<ScanAnswer>,
  ): void {
    const { answer } = outcome
    tasksInFlight--
    options.onAnswer(answer, outcome.queueMs)
    scanned += answer.metrics.rowsScanned
    passed += answer.skipped
    for (const { rows } of answer.parts) passed += rows
    stations.noteSpan(entry.unit, answer.span)
    if (epoch === entry.epoch) {
      if (!isGuess(entry.unit)) options.onRows?.(answer)
      entry.running = false
      entry.worker = outcome.worker
      entry.resume = answer.resume
      entry.span = answer.span
      entry.parts.push(...answer.parts)
      for (const part of answer.parts) bufferedBytes += partBytes(part)
      if (wasNext) skip -= answer.skipped
    }
    if (failure === null && !closed) fill()
    wake()
  }

  /**
   * Dispatches tasks as far as the credit allows, for started units before new ones. The first unit in order gets its task in
   * any case, so that the query never stands still.
   */
  function fill(): void {
    for (;;) {
      const idle = started.find((each) => !each.running && each.resume !== null)
      const starving =
        idle === undefined ? started.length === 0 : idle === started[0] && idle.parts.length === 0
      const credit = options.readAheadBytes() - bufferedBytes - tasksInFlight * ANSWER_BYTES
      if (!starving && (credit <= 0 || tasksInFlight >= tasks())) return
      const entry = idle ?? startUnit()
      if (!entry || entry.resume === null) return
      dispatch(entry, entry.resume)
    }
  }

  function startUnit(): StartedUnit | undefined {
    if (started.length >= Math.max(tasks(), 2 * options.workers) || isEnough()) return undefined
    // A worker keeps a large unit decoded from answer to answer, so there is at most one of them for each worker.
    const unfinished = started.filter((each) => each.running || each.resume !== null).length
    isSearching = false
    for (let searched = 1; nextUnit < units.count; searched++) {
      if (searched % SEARCHED_UNITS === 0) {
        searchOn()
        return undefined
      }
      const unit = units.at(nextUnit)
      if (unit.decodedBytes > READ_AHEAD_BYTES && unfinished >= options.workers) return undefined
      const index = nextUnit++
      const request = options.requestOf(index)
      if (request === null) continue
      const entry = startedUnit(index, stations.guide(unit), request)
      started.push(entry)
      return entry
    }
    return undefined
  }

  /** Goes on searching in the next turn of the event loop, since any number of units may be left out one after the other. */
  function searchOn(): void {
    isSearching = true
    setImmediate(() => {
      if (failure === null && !closed) fill()
      wake()
    })
  }

  /** Whether the started units probably have all rows that are wanted, if the same share of their rows passes as so far. */
  function isEnough(): boolean {
    if (started.length === 0) return false
    const share = scanned === 0 ? 1 : passed / scanned
    const rows = started.map(({ unit, request, resume, parts }) => {
      const waiting = parts.reduce((sum, part) => sum + part.rows, 0)
      const all = request.more.reduce((sum, each) => sum + (rowsIn(each.unit) ?? 0), rowsIn(unit) ?? 0)
      return waiting + (resume === null ? 0 : share * Math.max(0, all - resume))
    })
    return rows.reduce((sum, each) => sum + each, 0) >= skip + remaining
  }

  /** Has a unit read again from a row on. Its parts are dropped. */
  function readAgain(entry: StartedUnit, from: number): void {
    for (const each of entry.parts.splice(0)) bufferedBytes -= partBytes(each)
    entry.epoch++
    entry.resume = from
    entry.running = false
  }

  /**
   * Whether the first unit is known to have been read from its true beginning. If it was read from another position, it is read
   * again.
   */
  function isRightlyBegun(first: StartedUnit): boolean {
    if (!isGuess(first.unit)) return true
    // Units of a text file follow each other without a gap, so the end of the one before is where this one begins.
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
    while (remaining > 0) {
      fill()
      if (failure !== null) throw failure
      const first = started[0]
      if (!first && !isSearching) return
      if (!first) {
        await progress()
        continue
      }
      const isAtPlace = isRightlyBegun(first)
      const part = isAtPlace ? first.parts[0] : undefined
      if (!part) {
        if (first.running) await progress()
        else if (isAtPlace && first.resume === null) {
          started.shift()
          text.ended(first.unit, first.span)
        }
        continue
      }
      if ((skip > 0 && skip < part.rows) || (skip === 0 && remaining < part.rows)) {
        readAgain(first, part.from)
        continue
      }
      first.parts.shift()
      bufferedBytes -= partBytes(part)
      if (skip >= part.rows && skip > 0) {
        skip -= part.rows
        continue
      }
      remaining -= part.rows
      yield part
    }
  } finally {
    closed = true
  }
}

/** The most units that are searched in one turn of the event loop. Each takes some 2 microseconds. */
const SEARCHED_UNITS = 512
