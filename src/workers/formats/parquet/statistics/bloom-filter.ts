import type { ByteSource } from '../../../store/byte-source.ts'
import type { Range } from '../../read-ranges.ts'
import type { Input } from '../decode/compact.ts'
import { bloomFilterHeader } from '../metadata/metadata.ts'
import { xxhash64 } from './xxhash64.ts'

/** Which values a chunk does not hold (BloomFilter.md of apache/parquet-format): split blocks, hashed by xxHash64. */
export interface BloomFilter {
  /** False only if no value of the chunk has these bytes, PLAIN and without a length. */
  mayHold(value: Uint8Array): boolean
}

/** Of a block: 8 words of 32 bits. */
const BLOCK_BYTES = 32

/** More than any writer makes: parquet-mr stops there (`UPPER_BOUND_BYTES`). */
const MAX_BYTES = 128 << 20

/** A header has about 15 bytes. */
const HEADER_BYTES = 64

/** A filter up to this size is read as a whole; of a larger one its header and the blocks that are looked at. */
const SMALL_BYTES = 64 << 10

/**
 * The filter that lies at `range` (a length of 0: not known), or null when what lies there is none that can be relied on.
 */
export function readBloomFilter({ offset, length }: Range, source: ByteSource): BloomFilter | null {
  const room = source.size - offset
  if (!(offset >= 0 && length >= 0 && length <= room)) return null
  const isSmall = length > 0 && length <= SMALL_BYTES
  const head = source.read(offset, Math.min(room, isSmall ? length : HEADER_BYTES))
  const input: Input = { bytes: head, at: 0 }
  const { bytes, algorithm, hash, compression } = bloomFilterHeader.read(input)
  const blocks = bytes / BLOCK_BYTES
  const isKnown = algorithm.block && hash.xxHash && compression.uncompressed
  if (!isKnown || !Number.isInteger(blocks) || blocks < 1 || bytes > MAX_BYTES) return null
  if (length > 0 ? input.at + bytes !== length : bytes > room - input.at) return null
  const blockAt = (index: number): Uint8Array => {
    const at = input.at + index * BLOCK_BYTES
    return at + BLOCK_BYTES <= head.length
      ? head.subarray(at, at + BLOCK_BYTES)
      : source.read(offset + at, BLOCK_BYTES)
  }
  return {
    mayHold(value) {
      const hashed = xxhash64(value)
      const block = blockAt(Number(((hashed >> 32n) * BigInt(blocks)) >> 32n))
      const words = new DataView(block.buffer, block.byteOffset, BLOCK_BYTES)
      const key = Number(BigInt.asUintN(32, hashed))
      return SALT.every((salt, i) => {
        const bit = Math.imul(key, salt) >>> 27
        return ((words.getUint32(4 * i, true) >>> bit) & 1) === 1
      })
    },
  }
}

const SALT: readonly number[] = Object.freeze([
  0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
])
