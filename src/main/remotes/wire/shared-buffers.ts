/** Memory that both threads share, and that calls use one after the other. */
export interface SharedBuffers {
  /** One that nobody uses. */
  take(): Uint8Array
  /** It has been read, and may be used by another call. */
  give(buffer: Uint8Array): void
}

/** The bytes of each of them. */
const BUFFER_BYTES = 1 << 20

/** So many that nobody uses are held: those of two calls. New ones for each call would be garbage of both threads until it is collected in both. */
const MOST_HELD = 8

export function createSharedBuffers(): SharedBuffers {
  const held: Uint8Array[] = []
  return {
    take: () => held.pop() ?? new Uint8Array(new SharedArrayBuffer(BUFFER_BYTES)),
    give(buffer) {
      if (held.length < MOST_HELD) held.push(buffer)
    },
  }
}
