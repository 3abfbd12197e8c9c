import { discard } from '../store/discard.ts'

/** Memory of buffers that are not used any more, for others of about their size. */
export interface SpareMemory {
  /** Memory of at least so many bytes, which may hold anything. */
  take(bytes: number): ArrayBuffer
  /** Takes over a buffer, whose bytes must not be used any more. */
  give(buffer: ArrayBuffer): void
  /** Frees all buffers. */
  drop(): void
}

/** Memory for fewer bytes is quickly made. */
const LEAST_BYTES = 256 << 10

/** A spare buffer may have so many times the bytes that are asked for. */
const MOST_EXCESS = 2

/**
 * Keeps at most `mostBytes`. New memory is filled by the kernel page by page when it is first written, and counts towards V8's next
 * collection of garbage: of inflating blocks of 4 MB these took a third of the time.
 */
export function createSpareMemory(mostBytes: number): SpareMemory {
  const spare: ArrayBuffer[] = []
  let spareBytes = 0
  return {
    take(bytes) {
      if (bytes < LEAST_BYTES) return new ArrayBuffer(bytes)
      const index = spare.findIndex(
        ({ byteLength }) => byteLength >= bytes && byteLength <= MOST_EXCESS * bytes,
      )
      const [buffer] = index < 0 ? [] : spare.splice(index, 1)
      if (buffer === undefined) return Buffer.allocUnsafeSlow(bytes).buffer
      spareBytes -= buffer.byteLength
      return buffer
    },
    give(buffer) {
      const { byteLength } = buffer
      if (byteLength < LEAST_BYTES || spareBytes + byteLength > mostBytes) {
        discard(new Uint8Array(buffer))
        return
      }
      spareBytes += byteLength
      spare.push(buffer)
    },
    drop() {
      for (const buffer of spare.splice(0)) discard(new Uint8Array(buffer))
      spareBytes = 0
    },
  }
}
