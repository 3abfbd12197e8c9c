import { constants, createInflate } from 'node:zlib'
import { type Context, contextOf } from './zstd-context.ts'

/** The context of this thread. Undefined: not yet made, or the last one has failed. Null: this Node has none. */
let threadContext: Context | null | undefined

/**
 * Inflates a zlib stream into `room`, which has a byte more than the stream should hold. Of noise, which compresses little, this takes 0.8
 * times as long as in the core. What follows the stream is ignored. False: it holds more or less, or is damaged, or it cannot be done
 * this way.
 */
export function inflateZlibInto(stored: Uint8Array, room: Uint8Array): boolean {
  if (threadContext === undefined) threadContext = contextOf(createInflate({ chunkSize: 64 }))
  const context = threadContext
  if (context === null) return false
  const { handle, writeState } = context
  handle.writeSync(constants.Z_FINISH, stored, 0, stored.length, room, 0, room.length)
  if (context.hasFailed) {
    threadContext = undefined
    return false
  }
  handle.reset()
  return writeState[0] === 1
}
