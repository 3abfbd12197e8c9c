import type { ByteSource } from '../../../store/byte-source.ts'
import type { Range } from '../../read-ranges.ts'
import type { Input } from '../metadata/compact.ts'
import { bloomFilterHeader } from '../metadata/metadata.ts'
import { xxhash64 } from './xxhash64.ts'

/** The split-block bloom filter of a chunk, which rules out values that it does not hold (BloomFilter.md of parquet-format). */
export interface BloomFilter {
  /** False only if no value of the chunk has these bytes, in PLAIN encoding and without a length. */
  mayHold(value: Uint8Array): boolean
}

/** The size of a block: 8 words of 32 bits. */
const BLOCK_BYTES = 32

/** The largest filter that is read, which is also the largest that parquet-mr writes (`UPPER_BOUND_BYTES`). */
const MAX_BYTES = 128 << 20

/** How much is read to find a header, which has about 15 bytes. */
const HEADER_BYTES = 64

/** A filter up to this size is read as a whole. Of a larger one the header is read, and each block that is needed. */
const SMALL_BYTES = 64 << 10

/**
 * Reads the header of the filter at `range`, whose length is 0 if it is not known. Null: its kind is not known, or it is
 * inconsistent.
 */
export function readBloomFilter({ offset, length }: Range, source: ByteSource): BloomFilter | null {
  const available = source.size - offset
  if (!(offset >= 0 && length >= 0 && length <= available)) return null
  const isSmall = length > 0 && length <= SMALL_BYTES
  const head = source.read(offset, Math.min(available, isSmall ? length : HEADER_BYTES))
  const input: Input = { bytes: head, at: 0 }
  const { bytes, algorithm, hash, compression } = bloomFilterHeader.read(input)
  const blocks = bytes / BLOCK_BYTES
  const isKnown = algorithm.block && hash.xxHash && compression.uncompressed
  if (!isKnown || !Number.isInteger(blocks) || blocks < 1 || bytes > MAX_BYTES) return null
  if (length > 0 ? input.at + bytes !== length : bytes > available - input.at) return null
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
