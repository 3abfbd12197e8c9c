import { MessageChannel } from 'node:worker_threads'
import type { ScanSpec } from '../../../plan/scan.ts'
import { createStationsSeen } from '../../../plan/source/text.ts'
import { unitAt } from '../../../plan/source/unit-space.ts'
import { CLAIM_WORDS, claimsIn, claimWords } from '../../../plan/statement/claims.ts'
import type { Assistance, AssistedUnit, AssistRequest, OpenScan } from '../../../plan/statement/statement.ts'
import { ROWS } from '../../../plan/task/fragment.ts'
import { partBuffers } from '../../../plan/task/part.ts'
import type { ScanAnswer, ScanTask } from '../../../plan/task/task.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import { withObjects } from '../plan/with-objects.ts'
import type { OnAnswer } from '../source/on-answer.ts'

/** Has other workers decode units ahead of the worker that runs a statement. */
export interface Assistants {
  /** The end of the channel for the statement's worker. */
  readonly assistance: Assistance
  /** Ends the assistance: no further units are decoded ahead. */
  end(): void
}

export interface AssistantsOptions {
  /** The key of the statement. */
  readonly key: string
  readonly scans: readonly OpenScan[]
  readonly ticket: Ticket
  /** The most units after the one that the statement has reached that may be decoded ahead. */
  readonly ahead: number
  readonly onAnswer: OnAnswer
}

/**
 * When the worker that runs a statement reports that it has reached a unit, the next units are decoded by idle workers, as tasks of
 * the same query, and their rows are sent to the statement's worker. That worker decodes a unit itself if no other has begun it, so
 * it never waits long.
 */
export function createAssistants(options: AssistantsOptions): Assistants {
  const { scans, ticket, ahead } = options
  const { port1, port2 } = new MessageChannel()
  const messageCount = new SharedArrayBuffer(4)
  const claims = scans.map(claimWords)
  const progress = scans.map(() => ({
    spec: null as ScanSpec | null,
    /** The first unit of the scan that no task has been sent for. */
    next: 0,
    stations: createStationsSeen(),
  }))
  let isOpen = true

  function tell(message: AssistedUnit): void {
    if (!isOpen) return
    port1.postMessage(message, partBuffers(message.parts ?? []))
    const count = new Int32Array(messageCount)
    Atomics.add(count, 0, 1)
    Atomics.notify(count, 0)
  }

  function decode(scan: number, open: OpenScan, spec: ScanSpec, unit: number): void {
    const task = taskOf(scan, open, spec, unit)
    ticket.run<ScanAnswer>(task).then(
      ({ answer, queueMs }) => {
        options.onAnswer({ ...answer, scans: [{ scan, metrics: answer.metrics }] }, queueMs)
        progress[scan]?.stations.noteSpan(task.unit, answer.span)
        if (!answer.isTaken)
          tell({ scan, unit, parts: answer.parts, ...(answer.span && { span: answer.span }) })
      },
      // The statement's worker then decodes the unit itself, and reports the error.
      () => tell({ scan, unit, parts: null }),
    )
  }

  function taskOf(scan: number, open: OpenScan, spec: ScanSpec, index: number): ScanTask {
    const unit = progress[scan]?.stations.guide(unitAt(open.units, index)) ?? unitAt(open.units, index)
    const file = open.files[unit.file]
    const words = claims[scan]
    if (!file || !words) throw new RangeError(`unit of file ${unit.file}, of ${open.files.length}`)
    return {
      kind: 'scan',
      key: `${options.key}/${scan}/${index}`,
      scan: spec,
      file,
      unit,
      fragment: ROWS,
      more: [],
      resume: 0,
      skip: 0,
      take: Number.POSITIVE_INFINITY,
      encoding: 'arrow',
      claim: { words, index },
      answerBytes: Number.POSITIVE_INFINITY,
      caching: ticket.caching,
      ...withObjects(file, ticket),
      cancel: ticket.cancel,
    }
  }

  port1.on('message', ({ scan, spec, unit, placed }: AssistRequest) => {
    const open = scans[scan]
    const state = progress[scan]
    if (!isOpen || !open || !state) return
    state.spec = spec ?? state.spec
    if (state.spec === null) return
    state.stations.noteUnit(placed)
    state.next = Math.max(state.next, unit + 1)
    const end = Math.min(open.units.count, unit + 1 + Math.min(ahead, CLAIM_WORDS - 1))
    for (; state.next < end; state.next++) decode(scan, open, state.spec, state.next)
  })
  // The port of a statement that is never opened must not keep the process running.
  port1.unref()

  return {
    assistance: { port: port2, messageCount, claims },
    end() {
      isOpen = false
      // Tasks that are still queued find their unit claimed, and do nothing.
      for (const words of claims) claimsIn(words).close()
      port1.close()
    },
  }
}
