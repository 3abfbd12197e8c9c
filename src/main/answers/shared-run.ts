import { ServiceError } from '../../plan/errors.ts'
import type { WholeAnswer } from './whole-answer.ts'

/** One run of a query for all clients that sent it at the same time. It is cancelled when the last of them has left. */
export interface SharedRun {
  /**
   * When the run began, by the clock that numbers requests. A request that arrived earlier may have its answer without a
   * check: the run has read the files after that.
   */
  readonly begunAt: number
  /** Aborted when the last client has left. */
  readonly signal: AbortSignal
  /** Whether the leader, the client that began the run, is the only one left. */
  readonly hasOnlyLeader: boolean
  /** The answer for those who wait. Null: it cannot be shared, and each has to run the query itself. */
  readonly outcome: Promise<WholeAnswer | null>
  /** Counts a client until its signal is aborted. */
  join(client: AbortSignal): void
  /** Counts a client no longer. */
  leave(client: AbortSignal): void
  /** Gives those who wait their outcome, and counts them no longer: from now on the run is the leader's alone. */
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

  // A rejection must not count as unhandled if nobody waits.
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
