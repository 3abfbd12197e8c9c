/** Writes an archive of rkyv 0.8. What a struct refers to is written before it, and the root last. Numbers are little-endian. */
export interface ArchiveWriter {
  /** Writes bytes, and returns where. */
  bytes(bytes: Uint8Array): number
  /** Writes zeros up to a multiple of 8, and what `fill` puts into as many zero bytes. Returns where. */
  struct(size: number, fill: (at: number) => void): number
  /** These write members of a struct that was made room for. */
  byte(at: number, value: number): void
  number(at: number, value: number): void
  pointer(at: number, target: number, base?: number): void
  vector(at: number, target: number, count: number): void
  /** A text, whose bytes `long` has written before if it has more than 16. */
  text(at: number, text: Uint8Array, long: number | null): void
  finish(): Uint8Array
}

export function createArchiveWriter(): ArchiveWriter {
  let buffer = Buffer.alloc(1 << 12)
  let length = 0

  function room(size: number): number {
    while (length + size > buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(buffer.length)])
    length += size
    return length - size
  }

  const writer: ArchiveWriter = {
    bytes(bytes) {
      const at = room(bytes.length)
      buffer.set(bytes, at)
      return at
    },
    struct(size, fill) {
      room((8 - (length % 8)) % 8)
      const at = room(size)
      fill(at)
      return at
    },
    byte: (at, value) => void buffer.writeUInt8(value, at),
    number: (at, value) => void buffer.writeBigUInt64LE(BigInt(value), at),
    pointer: (at, target, base = at) => void buffer.writeBigInt64LE(BigInt(target - base), at),
    vector(at, target, count) {
      writer.pointer(at, count === 0 ? at + 1 : target)
      writer.number(at + 8, count)
    },
    text(at, text, long) {
      if (long === null) {
        buffer.fill(0xff, at, at + 16)
        buffer.set(text, at)
        return
      }
      const { length: bytes } = text
      buffer.writeBigUInt64LE(BigInt(bytes & 0x3f) | 0x80n | (BigInt(bytes - (bytes & 0x3f)) << 2n), at)
      writer.pointer(at + 8, long, at)
    },
    finish: () => Uint8Array.from(buffer.subarray(0, length)),
  }
  return writer
}

const MASK = (1n << 64n) - 1n

/** The hash of a key in a map: that of the crate `fxhash`, over words of 8, 4, 2 and 1 bytes, and a last word. */
function hashOf(key: Uint8Array): bigint {
  let hash = 0n
  const add = (word: bigint): void => {
    hash = (((((hash << 5n) | (hash >> 59n)) & MASK) ^ word) * 0x517cc1b727220a95n) & MASK
  }
  let at = 0
  for (const width of [8, 4, 2, 1])
    while (key.length - at >= width) {
      let word = 0n
      for (let byte = width - 1; byte >= 0; byte--) word = (word << 8n) | BigInt(key[at + byte] ?? 0)
      add(word)
      at += width
      if (width < 8) break
    }
  add(0xffn)
  return hash
}

/** Writes the hash table of a map. Returns where its control bytes are, and the number of buckets. */
export function writeTable(
  writer: ArchiveWriter,
  keys: readonly Uint8Array[],
): { readonly at: number; readonly buckets: number } {
  const count = keys.length
  if (count === 0) return { at: 0, buckets: 0 }
  const buckets = Math.max(Math.floor((count * 8) / 7), count + 1)
  const probe = Math.ceil(buckets / 16) * 16
  const control = new Uint8Array(probe + 15).fill(0xff)
  const mask = 2 ** Math.ceil(Math.log2(control.length)) - 1
  const pairs = new Array<number>(buckets).fill(0)
  for (const [pair, key] of keys.entries()) {
    const hash = hashOf(key)
    let position = Number(hash % BigInt(buckets))
    for (let stride = 0; ; ) {
      const free = control.subarray(position, position + 16).indexOf(0xff)
      if (free >= 0) {
        const bucket = (position + free) % buckets
        control[bucket] = Number(hash >> 57n)
        if (bucket < control.length - buckets) control[buckets + bucket] = Number(hash >> 57n)
        pairs[bucket] = pair
        break
      }
      do {
        stride += 16
        position = (position + stride) & mask
      } while (position >= probe)
    }
  }
  const begin = writer.struct(8 * buckets, (at) => {
    for (const [bucket, pair] of pairs.entries()) writer.number(at + 8 * (buckets - 1 - bucket), pair)
  })
  writer.bytes(control)
  return { at: begin + 8 * buckets, buckets }
}
