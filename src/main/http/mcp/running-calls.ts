import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../../plan/errors.ts'
import type { Caller } from '../../auth/caller.ts'

/** The messages that are being answered, so that a later one can end them (`notifications/cancelled`). */
export interface RunningCalls {
  /**
   * Does the work of a message. Its signal is aborted with `cancelled` when `signal` is, and when a message of the same caller and session
   * cancels it.
   */
  run<T>(
    from: Sender,
    message: object,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

/** Who has sent a message. */
interface Sender {
  readonly caller: Caller
  /** The session that the client names. */
  readonly session: unknown
}

/**
 * A name for a session, which a client sends with all its messages. The service keeps nothing for it, and takes any: it tells messages of
 * clients apart that are the same caller, and nobody can guess another one's.
 */
export function newSession(): string {
  return randomUUID()
}

const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, AbortController>()

  return {
    async run(from, message, signal, work) {
      const cancelled = cancelledId(message)
      if (cancelled !== null) running.get(keyOf(from, cancelled) ?? '')?.abort(cancellation())
      const key = keyOf(from, 'id' in message ? message.id : null)
      // Of two messages with the same number the first one is meant.
      if (key === null || running.has(key)) return work(signal)
      const controller = new AbortController()
      running.set(key, controller)
      try {
        return await work(AbortSignal.any([signal, controller.signal]))
      } finally {
        running.delete(key)
      }
    },
  }
}

/** What tells a message from all others. Null: it cannot be cancelled, as it has no number, or its client no session. */
function keyOf({ caller, session }: Sender, id: unknown): string | null {
  if (typeof session !== 'string' || !SESSION.test(session)) return null
  if (typeof id !== 'string' && typeof id !== 'number') return null
  return JSON.stringify([session, caller.key, id])
}

/** The number of the message that this one cancels. Null: it cancels none. */
function cancelledId(message: object): unknown {
  if (!('method' in message) || message.method !== 'notifications/cancelled' || 'id' in message) return null
  const params = 'params' in message ? message.params : null
  return typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : null
}

function cancellation(): ServiceError {
  return new ServiceError('cancelled', 'The client has cancelled the call.')
}
