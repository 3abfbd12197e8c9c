import type { SentBytes } from './wire-functions.ts'

/** Sends main the rows of a call in few messages, in memory that both threads share and that is used again. */
export interface Sender {
  /** Sends bytes, or keeps a copy of them. Waits as long as main has not taken what was sent. Rejects with the reason of the signal. */
  add(bytes: Uint8Array): Promise<void>
  /** Sends what was kept. */
  flush(): void
  /** Main has taken the oldest message that it had not. */
  taken(): void
  /** Nothing more is sent. */
  close(): void
}

/** The bytes of the first message: most answers have less. */
const FIRST_BYTES = 64 << 10

/** Those of the others, and how many of them may be on their way to main. Then the remote waits. */
const MESSAGE_BYTES = 1 << 20
const MOST_MESSAGES = 4

/** What is kept is sent when nothing has followed it for so many milliseconds. */
const QUIET_MS = 20

export function createSender(call: number, emit: (event: SentBytes) => void, signal: AbortSignal): Sender {
  let filling: Uint8Array | null = new Uint8Array(FIRST_BYTES)
  let used = 0
  let allocated = 0
  const free: Uint8Array[] = []
  /** In their order. Null: it was copied. */
  const sent: (Uint8Array | null)[] = []
  let wake = (): void => {}
  signal.addEventListener('abort', () => wake(), { once: true })
  const quiet = setTimeout(flush, QUIET_MS)

  function nextBuffer(): Uint8Array | null {
    const existing = free.pop()
    if (existing !== undefined || allocated === MOST_MESSAGES) return existing ?? null
    allocated++
    return new Uint8Array(new SharedArrayBuffer(MESSAGE_BYTES))
  }

  function flush(): void {
    if (filling === null || used === 0) return
    sent.push(filling.buffer instanceof SharedArrayBuffer ? filling : null)
    emit({ kind: 'bytes', call, bytes: filling.subarray(0, used) })
    filling = null
    used = 0
  }

  return {
    flush,
    async add(bytes) {
      for (let from = 0; from < bytes.byteLength; ) {
        signal.throwIfAborted()
        filling ??= nextBuffer()
        if (filling === null) {
          const { promise, resolve } = Promise.withResolvers<void>()
          wake = resolve
          await promise
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
    taken() {
      const buffer = sent.shift()
      if (buffer != null) free.push(buffer)
      wake()
    },
    close: () => clearTimeout(quiet),
  }
}
