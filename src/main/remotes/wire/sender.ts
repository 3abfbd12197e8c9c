import type { Emit } from '../../threads/serve.ts'
import type { SentRows } from './wire-functions.ts'

/** Sends main the rows of a call in few messages. */
export interface Sender {
  /** Sends bytes, or keeps a copy of them. Waits as long as main has not taken what was sent. Rejects with the reason of the signal. */
  add(bytes: Uint8Array): Promise<void>
  /** Sends what was kept. */
  flush(): void
  /** Main has taken so many bytes. */
  taken(bytes: number): void
}

/** The bytes of a message, if there are so many. */
const MESSAGE_BYTES = 1 << 20

/** So many bytes may be on their way to main. Then the remote waits. */
const MOST_SENT_BYTES = 4 << 20

export function createSender(call: number, emit: Emit<SentRows>, signal: AbortSignal): Sender {
  let filling: Uint8Array<ArrayBuffer> | null = null
  let used = 0
  let sent = 0
  let wake = (): void => {}
  signal.addEventListener('abort', () => wake(), { once: true })

  function flush(): void {
    if (filling === null || used === 0) return
    // What is sent is moved whole.
    const bytes = used < filling.byteLength ? filling.slice(0, used) : filling
    sent += used
    filling = null
    used = 0
    emit({ call, bytes }, [bytes.buffer])
  }

  return {
    flush,
    async add(bytes) {
      for (let from = 0; from < bytes.byteLength; ) {
        while (sent >= MOST_SENT_BYTES && !signal.aborted) {
          const { promise, resolve } = Promise.withResolvers<void>()
          wake = resolve
          await promise
        }
        signal.throwIfAborted()
        filling ??= new Uint8Array(MESSAGE_BYTES)
        const part = bytes.subarray(from, from + filling.byteLength - used)
        filling.set(part, used)
        used += part.byteLength
        from += part.byteLength
        if (used === filling.byteLength) flush()
      }
    },
    taken(bytes) {
      sent -= bytes
      wake()
    },
  }
}
