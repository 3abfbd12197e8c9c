import type { Core } from '../../../../../wasm/core/core.ts'
import type { ByteRange } from '../../../arrays/stored-bytes.ts'
import { fault } from '../../../fault.ts'
import type { ChunkDecoder, ShardLayout } from '../chunk-decoder.ts'
import { ENTRY_BYTES } from './shard-layout.ts'

/** Where the chunks of a shard are. */
export interface ShardIndex {
  readonly bytes: Uint8Array
  /**
   * The bytes of a chunk by its number in C order, counted from the begin of the shard. Null: it was never written. Throws
   * `unreadable_file` if they are not in the shard.
   */
  rangeOf(chunk: number): ByteRange | null
}

/** Both numbers of a chunk that was never written. */
const ABSENT = 0xffff_ffff_ffff_ffffn

/** Where the index of a shard of `shardBytes` bytes is. Throws `unreadable_file`. */
export function rangeOfIndex({ index }: ShardLayout, shardBytes: number): ByteRange {
  const { storedBytes: length, isAtStart } = index
  if (length > shardBytes) throw fault(`it has ${shardBytes} bytes, and the index of its chunks ${length}`)
  return { from: isAtStart ? 0 : shardBytes - length, length }
}

/** Reads an index, out of the bytes that are stored of it. Throws `unreadable_file`. */
export function readShardIndex(
  stored: Uint8Array,
  { index }: ShardLayout,
  shardBytes: number,
  core: Core,
): ShardIndex {
  const bytes = decode(stored, index.decoder, core)
  const { isBigEndian } = index.decoder
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    bytes,
    rangeOf(chunk) {
      const from = view.getBigUint64(chunk * ENTRY_BYTES, !isBigEndian)
      const length = view.getBigUint64(chunk * ENTRY_BYTES + 8, !isBigEndian)
      if (from === ABSENT && length === ABSENT) return null
      if (from + length > shardBytes)
        throw fault(`its index refers to ${length} bytes at ${from}, and it has ${shardBytes} bytes`)
      return { from: Number(from), length: Number(length) }
    },
  }
}

/** A copy, which may be kept. */
function decode(stored: Uint8Array, decoder: ChunkDecoder, core: Core): Uint8Array {
  try {
    return decoder.decode(stored, stored.length, core).slice()
  } catch (cause) {
    throw fault(`the index of its chunks is damaged: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
}
