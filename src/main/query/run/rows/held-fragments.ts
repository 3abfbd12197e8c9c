import type { MergedFragment } from '../../../../plan/task/fragment.ts'
import { bytesOfParts, type Part } from '../../../../plan/task/part.ts'
import type { MergeTask, ScanAnswer } from '../../../../plan/task/task.ts'
import type { Field } from '../../../../plan/types/schema.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { Holding } from './budget.ts'

/** The fragments of a query that wait to be merged or finished, in the order of their units. */
export interface HeldFragments {
  /** Adds the next fragment. If enough bytes have come together, a worker merges them. Returns how many bytes are held then. */
  add(part: Part): Promise<number>
  /** All fragments that are held now. */
  parts(): readonly Part[]
}

export interface HeldFragmentsOptions {
  readonly fragment: MergedFragment
  /** The fields of the scan's projection. */
  readonly fields: readonly Field[]
  readonly ticket: Ticket
  /** Fragments are merged when they have so many bytes together. */
  readonly mergeBytes: number
  /** Is told how many bytes are held. */
  readonly holding: Holding
  onAnswer(answer: ScanAnswer, queueMs: number): void
}

/** A fragment, or what several of them have been merged to. */
interface Held {
  readonly parts: readonly Part[]
  readonly bytes: number
  /** The number of merges behind it. */
  readonly level: number
}

/** Fragments of one level that are merged however small they are: a scan may have any number of units. */
const MOST_FRAGMENTS = 256

/**
 * Holds fragments, and merges neighbours of the same level as soon as they have `mergeBytes` together, or are `MOST_FRAGMENTS`.
 * Which ones are merged depends on their sizes and order alone, so that a sum of floats does not depend on the number of workers.
 */
export function createHeldFragments(options: HeldFragmentsOptions): HeldFragments {
  const { fragment, fields, ticket } = options
  const held: Held[] = []
  let total = 0
  // A sort without a limit keeps all rows, so merging them would free no memory.
  const mayMerge = fragment.kind !== 'top' || Number.isFinite(fragment.limit)

  /** Removes the fragments at the end that are to be merged now, and returns them. */
  function due(): readonly Held[] {
    const level = held.at(-1)?.level
    const from = held.findLastIndex((each) => each.level !== level) + 1
    const bytes = held.slice(from).reduce((sum, each) => sum + each.bytes, 0)
    const isDue = bytes >= options.mergeBytes || held.length - from >= MOST_FRAGMENTS
    return mayMerge && held.length - from > 1 && isDue ? held.splice(from) : []
  }

  async function merge(due: readonly Held[]): Promise<Held> {
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
        const mergedParts = await merge(next)
        total -= next.reduce((sum, { bytes }) => sum + bytes, 0)
        hold(mergedParts)
      }
      return total
    },
    parts: () => held.flatMap((each) => each.parts),
  }
}
