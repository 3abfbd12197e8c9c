import type { Emit } from '../../threads/serve.ts'
import type { RelayedRows } from '../remote-client.ts'
import type { WireEvent } from './wire-functions.ts'

/** Sends main the messages of an answer, each in memory that becomes main's. */
export interface Relaying {
  /** Resolves when all were sent. Rejects with the error of the answer, and with the reason of the signal. */
  send(rows: RelayedRows): Promise<void>
  /** Main has taken the oldest batch that it had not. */
  taken(): void
}

/** While main has not taken batches of so many bytes, no others are read. */
const MOST_BYTES = 4 << 20

export function createRelaying(call: number, emit: Emit<WireEvent>, signal: AbortSignal): Relaying {
  /** The bytes of the batches that main has not taken, in their order. */
  const sent: number[] = []
  let unread = 0
  let wake = (): void => {}
  signal.addEventListener('abort', () => wake(), { once: true })

  async function whenTaken(): Promise<void> {
    while (unread >= MOST_BYTES && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
    }
    signal.throwIfAborted()
  }

  return {
    async send({ schema, batches }) {
      emit({ kind: 'schema', call, schema }, [schema])
      for await (const batch of batches) {
        sent.push(batch.bytes.byteLength)
        unread += batch.bytes.byteLength
        emit({ kind: 'batch', call, batch }, [batch.bytes])
        await whenTaken()
      }
    },
    taken() {
      unread -= sent.shift() ?? 0
      wake()
    },
  }
}
