import { ServiceError } from '../../plan/errors.ts'
import type { WholeAnswer } from './whole-answer.ts'

/** One run of a query, for all clients that asked for it. It is stopped when the last of them has left. */
export interface SharedRun {
  /** Its place among all arrivals of requests: what arrived before may be answered by it, whatever files have changed since. */
  readonly begunAt: number
  /** Of the run. */
  readonly signal: AbortSignal
  /** Whether the one who leads is the only one who is still there. */
  readonly hasOnlyLeader: boolean
  /** How it ended for those who wait; null: each has to run the query itself. */
  readonly outcome: Promise<WholeAnswer | null>
  /** Counts a client until its signal is aborted. */
  join(client: AbortSignal): void
  /** A client wants no more, though it has not hung up. */
  leave(client: AbortSignal): void
  /** Tells those who wait, who are no longer counted: it goes on for the one who leads. */
  settle(answer: WholeAnswer | null): void
  fail(error: unknown): void
}

export function createSharedRun(begunAt: number, leader: AbortSignal): SharedRun {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<WholeAnswer | null>()
  const run = new AbortController()
  const clients = new Set<AbortSignal>()

  function leave(client: AbortSignal): void {
    clients.delete(client)
    if (clients.size === 0) run.abort(new ServiceError('cancelled', 'Every client left.'))
  }

  function join(client: AbortSignal): void {
    clients.add(client)
    if (client.aborted) leave(client)
    else client.addEventListener('abort', () => leave(client), { once: true })
  }

  // Whoever waits hears of it; it may be nobody.
  outcome.catch(() => {})
  join(leader)
  return {
    begunAt,
    signal: run.signal,
    get hasOnlyLeader() {
      return clients.size === 1 && clients.has(leader)
    },
    outcome,
    join,
    leave,
    settle(answer) {
      resolve(answer)
      for (const client of clients) if (client !== leader) leave(client)
    },
    fail: reject,
  }
}
