import { ServiceError } from '../../../plan/errors.ts'
import type { MergedFragment } from '../../../plan/task/fragment.ts'
import { bytesOfParts, type Part } from '../../../plan/task/part.ts'
import type { MergeTask, ScanAnswer } from '../../../plan/task/task.ts'
import type { Field } from '../../../plan/types/schema.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { Holding } from './budget.ts'

/** Partials of a query on their way to its end, in their order. */
export interface Partials {
  /** Adds the next. Merges what has come to much, on a worker; rejects with `memory_limit` when it stays too much. */
  add(part: Part): Promise<void>
  /** All that there is. */
  parts(): readonly Part[]
}

export interface PartialsOptions {
  readonly fragment: MergedFragment
  /** Of the scan's projection. */
  readonly fields: readonly Field[]
  readonly ticket: Ticket
  /** Those that together have so many bytes are merged. */
  readonly mergeBytes: number
  /** That the query may hold. */
  readonly maximumBytes: number
  /** Hears how many bytes are held. */
  readonly holding: Holding
  onAnswer(answer: ScanAnswer, queueMs: number): void
}

interface Held {
  readonly parts: readonly Part[]
  readonly bytes: number
  /** How often it has been merged. */
  readonly level: number
}

/**
 * Holds partials, and merges neighbours of one level as soon as they have come to so many bytes. What is merged with what
 * hangs on their bytes and order alone, so that a sum of floats is the same however many workers there are.
 */
export function createPartials(options: PartialsOptions): Partials {
  const { fragment, fields, ticket } = options
  const held: Held[] = []
  let total = 0
  // All rows stay all rows.
  const mayMerge = fragment.kind === 'groups' || Number.isFinite(fragment.limit)

  /** Neighbours at the end that are to be merged, taken out. */
  function due(): readonly Held[] {
    const level = held.at(-1)?.level
    const from = held.findLastIndex((each) => each.level !== level) + 1
    const bytes = held.slice(from).reduce((sum, each) => sum + each.bytes, 0)
    return mayMerge && held.length - from > 1 && bytes >= options.mergeBytes ? held.splice(from) : []
  }

  async function merged(due: readonly Held[]): Promise<Held> {
    const parts = due.flatMap((each) => each.parts)
    const task: MergeTask = { kind: 'merge', fragment, fields, parts, cancel: ticket.cancel }
    const { answer, queueMs } = await ticket.run<ScanAnswer>(task)
    options.onAnswer(answer, queueMs)
    return { parts: answer.parts, bytes: bytesOfParts(answer.parts), level: (due[0]?.level ?? 0) + 1 }
  }

  function hold(each: Held): void {
    held.push(each)
    total += each.bytes
    options.holding.set(total)
  }

  return {
    async add(part) {
      hold({ parts: [part], bytes: bytesOfParts([part]), level: 0 })
      for (let next = due(); next.length > 0; next = due()) {
        const made = await merged(next)
        total -= next.reduce((sum, { bytes }) => sum + bytes, 0)
        hold(made)
      }
      if (total > options.maximumBytes) throw tooMuch(fragment, options.maximumBytes)
    },
    parts: () => held.flatMap((each) => each.parts),
  }
}

function tooMuch({ kind }: MergedFragment, bytes: number): ServiceError {
  const what = kind === 'groups' ? 'The groups of the query' : 'The rows that the query sorts'
  const instead = kind === 'groups' ? 'group by columns of fewer values' : 'set a limit'
  return new ServiceError(
    'memory_limit',
    `${what} take over ${Math.floor(bytes / (1 << 20))} MiB; ${instead}, filter more, or raise SERVICE_WORKER_MEMORY_MB.`,
  )
}
