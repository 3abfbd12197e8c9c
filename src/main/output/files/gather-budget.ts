import type { Ticket } from '../../dispatch/ticket.ts'

/** Bounds what all queries together gather for files. A query that finds it spent waits for its turn. */
export interface GatherBudget {
  /**
   * Takes bytes, at most as many as there are in all, when those who asked before have theirs. Returns a function that gives them back.
   * Rejects with `cancelled` if the query ends meanwhile. A query that holds some already takes no more: if it waited, so could all
   * that hold some, and none would give back.
   */
  take(bytes: number, ticket: Pick<Ticket, 'waitFor'>): Promise<() => void>
}

/** A file that is made of so few bytes need not wait for the budget. */
export const FREE_BYTES = 1 << 20

/** The most bytes of all queries together: those of four queries with long files. */
const TOTAL_BYTES = 256 << 20

export function createGatherBudget(totalBytes = TOTAL_BYTES): GatherBudget {
  let remainingBytes = totalBytes
  const waiting: { readonly bytes: number; readonly grant: () => void }[] = []

  /** What each query holds or waits for, and how many times it asked. */
  const holding = new Map<object, { users: number; readonly bytes: number; readonly taken: Promise<void> }>()

  function grantNext(): void {
    for (let first = waiting[0]; first !== undefined && first.bytes <= remainingBytes; first = waiting[0]) {
      waiting.shift()
      remainingBytes -= first.bytes
      first.grant()
    }
  }

  /** Resolves when the bytes are taken. */
  function turnOf(bytes: number): Promise<void> {
    const { promise, resolve: grant } = Promise.withResolvers<void>()
    waiting.push({ bytes, grant })
    grantNext()
    return promise
  }

  return {
    async take(wanted, ticket) {
      let held = holding.get(ticket)
      if (held === undefined) {
        const bytes = Math.min(wanted, totalBytes)
        held = { users: 0, bytes, taken: turnOf(bytes) }
        holding.set(ticket, held)
      }
      const mine = held
      mine.users++
      const giveBack = (): void => {
        if (--mine.users > 0) return
        holding.delete(ticket)
        void mine.taken.then(() => {
          remainingBytes += mine.bytes
          grantNext()
        })
      }
      try {
        await ticket.waitFor(mine.taken)
      } catch (error) {
        giveBack()
        throw error
      }
      return giveBack
    },
  }
}
