import { constants, createZstdDecompress } from 'node:zlib'
import { type ZlibHandle, zlibHandle } from '../../wasm/core/zlib-handle.ts'
import { isWholeSizedFrame } from './zstd-frame.ts'

/** Makes memory of at least so many bytes, which may hold anything. */
export type Allocate = (bytes: number) => Uint8Array

/** The context of this thread. Undefined: not yet made, or the last one has failed. Null: this Node has none. */
let kept: ZlibHandle | null | undefined

/**
 * Inflates Zstandard data to exactly `size` bytes by a context that is kept. `zstdDecompressSync` makes a stream for each call,
 * which takes as long as inflating 20 kB, and the memory that streams count makes V8 collect garbage twice as often. Null: it
 * cannot be done this way; `zstdDecompressSync` then says what is wrong.
 */
export function inflateByContext(stored: Uint8Array, size: number, allocate: Allocate): Uint8Array | null {
  if (kept === undefined) kept = zlibHandle(createZstdDecompress({ chunkSize: 64 }))
  const context = kept
  if (context === null) return null
  const { handle, left } = context
  // A byte to spare shows whether the data hold more.
  const output = allocate(size + 1)
  handle.writeSync(constants.ZSTD_e_end, stored, 0, stored.length, output, 0, size + 1)
  if (context.hasFailed) {
    kept = undefined
    return null
  }
  const isRead = left[1] === 0
  // After any other frame the context may expect more of it, or hold memory for its window.
  if (!isRead || !isWholeSizedFrame(stored)) handle.reset()
  return isRead && left[0] === 1 && !context.hasFailed ? output.subarray(0, size) : null
}
