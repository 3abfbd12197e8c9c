import type { SharedBuffers } from './shared-buffers.ts'
import type { SentBytes } from './wire-functions.ts'

/** Sends main the rows of a call in few messages, in memory that both threads share and that is used again. */
export interface Sender {
  /** Sends bytes, or keeps a copy of them. Waits as long as main has not taken what was sent. Rejects with the reason of the signal. */
  add(bytes: Uint8Array): Promise<void>
  /** Sends what was kept. Resolves when main has taken all. Rejects with the reason of the signal. */
  end(): Promise<void>
  /** Main has taken the oldest message that it had not. */
  taken(): void
  /** Nothing more is sent. */
  close(): void
}

/** The bytes of the first message: most answers have less. */
const FIRST_BYTES = 64 << 10

/** How many of the others may be on their way to main. Then the remote waits. */
const MOST_MESSAGES = 4

/** What is kept is sent when nothing has followed it for so many milliseconds. */
const QUIET_MS = 20

export function createSender(
  call: number,
  emit: (event: SentBytes) => void,
  buffers: SharedBuffers,
  signal: AbortSignal,
): Sender {
  let filling: Uint8Array | null = new Uint8Array(FIRST_BYTES)
  let used = 0
  /** Shared ones that are filled or on their way. */
  let inUse = 0
  /** In their order. Null: it was copied. */
  const sent: (Uint8Array | null)[] = []
  let wake = (): void => {}
  signal.addEventListener('abort', () => wake(), { once: true })
  const quiet = setTimeout(flush, QUIET_MS)

  function nextBuffer(): Uint8Array | null {
    if (inUse === MOST_MESSAGES) return null
    inUse++
    return buffers.take()
  }

  function flush(): void {
    if (filling === null || used === 0) return
    sent.push(filling.buffer instanceof SharedArrayBuffer ? filling : null)
    emit({ kind: 'bytes', call, bytes: filling.subarray(0, used) })
    filling = null
    used = 0
  }

  /** Waits until main has taken a message. */
  async function whenTaken(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    await promise
    signal.throwIfAborted()
  }

  return {
    async add(bytes) {
      signal.throwIfAborted()
      for (let from = 0; from < bytes.byteLength; ) {
        filling ??= nextBuffer()
        if (filling === null) {
          await whenTaken()
          continue
        }
        const part = bytes.subarray(from, from + filling.byteLength - used)
        filling.set(part, used)
        used += part.byteLength
        from += part.byteLength
        if (used === filling.byteLength) flush()
      }
      if (used > 0) quiet.refresh()
    },
    async end() {
      flush()
      signal.throwIfAborted()
      while (sent.length > 0) await whenTaken()
    },
    taken() {
      const buffer = sent.shift() ?? null
      if (buffer !== null) {
        inUse--
        buffers.give(buffer)
      }
      wake()
    },
    close() {
      clearTimeout(quiet)
      // One that was sent, and was not taken, may still be read.
      if (filling?.buffer instanceof SharedArrayBuffer) buffers.give(filling)
      filling = null
    },
  }
}
