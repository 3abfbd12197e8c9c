import { MessageChannel } from 'node:worker_threads'
import type { ScanSpec } from '../../../plan/scan.ts'
import { unitAt } from '../../../plan/source/unit-space.ts'
import { CLAIM_WORDS, claimsIn, claimWords } from '../../../plan/statement/claims.ts'
import type { Assistance, AssistedUnit, AssistRequest, OpenScan } from '../../../plan/statement/statement.ts'
import { ROWS } from '../../../plan/task/fragment.ts'
import { partBuffers } from '../../../plan/task/part.ts'
import type { ScanAnswer, ScanTask } from '../../../plan/task/task.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { OnAnswer } from '../../query/source/on-answer.ts'

/** Other workers that decode units ahead of the one that runs a statement. */
export interface Assistants {
  /** The statement's end of the channel. */
  readonly assistance: Assistance
  /** Asks for no more. */
  end(): void
}

export interface AssistantsOptions {
  readonly key: string
  readonly scans: readonly OpenScan[]
  readonly ticket: Ticket
  /** Units that may be decoded, or under way, beyond the one that the statement has come to. */
  readonly ahead: number
  readonly onAnswer: OnAnswer
}

/**
 * Listens to the worker that runs a statement: when it has come to a unit, the next ones are given to whatever worker is
 * idle, as tasks of the same query, and their rows passed on. It never waits for them long: a unit that nobody has begun
 * it decodes itself.
 */
export function createAssistants(options: AssistantsOptions): Assistants {
  const { scans, ticket, ahead } = options
  const { port1, port2 } = new MessageChannel()
  const messageCount = new SharedArrayBuffer(4)
  const claims = scans.map(claimWords)
  const progress = scans.map(() => ({
    spec: null as ScanSpec | null,
    /** The next unit that has not been asked for. */
    next: 0,
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
        options.onAnswer(answer, queueMs)
        if (!answer.isTaken)
          tell({ scan, unit, parts: answer.parts, ...(answer.span && { span: answer.span }) })
      },
      // The statement's worker tries itself, and says what is wrong.
      () => tell({ scan, unit, parts: null }),
    )
  }

  function taskOf(scan: number, open: OpenScan, spec: ScanSpec, index: number): ScanTask {
    const unit = unitAt(open.units, index)
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
      cancel: ticket.cancel,
    }
  }

  port1.on('message', ({ scan, spec, unit }: AssistRequest) => {
    const open = scans[scan]
    const state = progress[scan]
    if (!isOpen || !open || !state) return
    state.spec = spec ?? state.spec
    if (state.spec === null) return
    state.next = Math.max(state.next, unit + 1)
    const end = Math.min(open.units.count, unit + 1 + Math.min(ahead, CLAIM_WORDS - 1))
    for (; state.next < end; state.next++) decode(scan, open, state.spec, state.next)
  })
  // A statement that is never opened must not keep the process.
  port1.unref()

  return {
    assistance: { port: port2, messageCount, claims },
    end() {
      isOpen = false
      // What still waits for a worker finds its unit taken.
      for (const words of claims) claimsIn(words).close()
      port1.close()
    },
  }
}
