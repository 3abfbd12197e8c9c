import { constants, createGunzip, createInflate } from 'node:zlib'
import { type Context, contextOf } from '../../wasm/zstd-context.ts'

/** The context of this thread. Undefined: not yet made, or the last one has failed. Null: this Node has none. */
let threadContext: Context | null | undefined

/** That for gzip. */
let gzipContext: Context | null | undefined

/** Room for the byte behind those that are wanted. */
const NEXT = new Uint8Array(1)

/**
 * Inflates the beginning of a zlib stream into `room`, until that is full. Of noise, which compresses little, this takes 0.8
 * times as long as in the core. What follows the stream is ignored. Returns the number of bytes, or null: the stream is damaged or cut off
 * before `room` is full, its checksum is wrong where it ends with `room`, or it cannot be done this way.
 */
export function inflateZlibInto(stored: Uint8Array, room: Uint8Array): number | null {
  if (threadContext === undefined) threadContext = contextOf(createInflate({ chunkSize: 64 }))
  const context = threadContext
  if (context === null) return null
  const { handle, writeState } = context
  handle.writeSync(constants.Z_FINISH, stored, 0, stored.length, room, 0, room.length)
  const [unfilled = 0, unread = 0] = writeState
  // zlib stops as soon as the room is full: before the checksum, which is behind the last byte.
  if (unfilled === 0 && !context.hasFailed)
    handle.writeSync(constants.Z_FINISH, stored, stored.length - unread, unread, NEXT, 0, 1)
  if (context.hasFailed) {
    threadContext = undefined
    return null
  }
  handle.reset()
  return room.length - unfilled
}

/**
 * Inflates all of a gzip file into the beginning of `room`, which must have more bytes than it holds. Returns their number, or null: it is
 * damaged or cut off, bytes follow it, there is too little room, or it cannot be done this way.
 */
export function inflateGzipInto(stored: Uint8Array, room: Uint8Array): number | null {
  if (gzipContext === undefined) gzipContext = contextOf(createGunzip({ chunkSize: 64 }))
  const context = gzipContext
  if (context === null) return null
  const { handle, writeState } = context
  handle.writeSync(constants.Z_FINISH, stored, 0, stored.length, room, 0, room.length)
  const [unfilled = 0, unread = 0] = writeState
  if (context.hasFailed) {
    gzipContext = undefined
    return null
  }
  handle.reset()
  return unfilled === 0 || unread > 0 ? null : room.length - unfilled
}
