import { indices } from './cells-of-chunk.ts'

/** The offset and the length that say that a chunk was never written. */
const ABSENT = 2n ** 64n - 1n

/**
 * The bytes of a shard: its chunks, and an index of their offsets and lengths with a checksum. Null: it has no chunks. `encode`
 * makes a chunk by its index in the array; null: it is not written.
 */
export function shardOf(
  shard: readonly number[],
  perShard: number,
  encode: (chunk: readonly number[]) => Uint8Array | null,
  { indexLocation = 'end' }: { readonly indexLocation?: 'start' | 'end' },
): Uint8Array | null {
  const places = indices(shard.map(() => perShard))
  const chunks = places.map((place) =>
    encode(place.map((each, axis) => (shard[axis] ?? 0) * perShard + each)),
  )
  if (chunks.every((chunk) => chunk === null)) return null
  const index = Buffer.alloc(places.length * 16 + 4)
  let end = indexLocation === 'start' ? index.length : 0
  for (const [place, chunk] of chunks.entries()) {
    index.writeBigUInt64LE(chunk === null ? ABSENT : BigInt(end), place * 16)
    index.writeBigUInt64LE(chunk === null ? ABSENT : BigInt(chunk.length), place * 16 + 8)
    end += chunk?.length ?? 0
  }
  index.writeUInt32LE(crc32c(index.subarray(0, -4)), index.length - 4)
  const data = chunks.filter((chunk) => chunk !== null)
  return Buffer.concat(indexLocation === 'start' ? [index, ...data] : [...data, index])
}

/** The checksum of Castagnoli. */
export function crc32c(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0x82f63b78 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
