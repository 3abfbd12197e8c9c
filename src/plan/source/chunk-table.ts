/**
 * Statistics of chunks in memory that all threads share: the main thread alone writes, and any thread reads. A record lies in one of
 * the places of the bucket that its digest names, and takes that of the oldest there. So the memory is bounded, whatever is read.
 */
export interface ChunkTable {
  /** Copies the record of a digest to `record`. Returns its flags; 0: there is none. */
  find(digest: ChunkDigest, record: Int32Array): number
  /** Adds records, which follow each other in `bytes`. To be called by the main thread only. */
  add(bytes: Uint8Array): void
}

/** What names a chunk: two 32-bit words. The lowest 4 bits of the second one are 0. */
export interface ChunkDigest {
  readonly low: number
  readonly high: number
}

/** Flags of a record, in the lowest bits of its second word. Where this one is not set, there is no record. */
export const HAS_RECORD = 1
export const HAS_NULLS = 2
export const ARE_NULLS = 4
export const HAS_NAN = 8
export const FLAGS = 15

/** A record: a digest with flags, and the bits of the least and the greatest value. */
export const RECORD_BYTES = 24
const WORDS = RECORD_BYTES / 4

/** The records of a bucket. */
const PLACES = 8

/** The bytes of the service's table: a million chunks. Where nothing was written, the system gives no memory. */
export const CHUNK_TABLE_BYTES = RECORD_BYTES << 20

/** A table over memory that has been 0, of at least `8 * RECORD_BYTES` bytes. */
export function createChunkTable(memory: SharedArrayBuffer): ChunkTable {
  const words = new Int32Array(memory)
  const buckets = Math.floor(words.length / (WORDS * PLACES))
  /** The place in each bucket that is written next. Only the thread that writes needs it. */
  let next: Uint8Array | null = null

  const bucketOf = (low: number): number => (low >>> 0) % buckets

  /** The first word of the record with a digest. -1: there is none. */
  function firstWord(low: number, high: number): number {
    const bucket = bucketOf(low) * WORDS * PLACES
    for (let place = 0; place < PLACES; place++) {
      const first = bucket + place * WORDS
      const second = Atomics.load(words, first + 1)
      const isThere = (second & HAS_RECORD) !== 0 && (second & ~FLAGS) === high
      if (isThere && Atomics.load(words, first) === low) return first
    }
    return -1
  }

  return {
    find({ low, high }, record) {
      const first = firstWord(low, high)
      if (first < 0) return 0
      const second = Atomics.load(words, first + 1)
      for (let word = 0; word < WORDS; word++) record[word] = Atomics.load(words, first + word)
      // While another record is written here, the second word is 0, and afterwards it is the other one's.
      const isWhole = Atomics.load(words, first + 1) === second && record[0] === low
      return isWhole && (second & ~FLAGS) === high ? second & FLAGS : 0
    },
    add(bytes) {
      next ??= new Uint8Array(buckets)
      const given = new Int32Array(bytes.slice().buffer)
      for (let from = 0; from + WORDS <= given.length; from += WORDS) {
        const low = given[from] ?? 0
        const second = given[from + 1] ?? 0
        if ((second & HAS_RECORD) === 0 || firstWord(low, second & ~FLAGS) >= 0) continue
        const bucket = bucketOf(low)
        const place = next[bucket] ?? 0
        next[bucket] = (place + 1) % PLACES
        const first = (bucket * PLACES + place) * WORDS
        Atomics.store(words, first + 1, 0)
        for (let word = 0; word < WORDS; word++)
          if (word !== 1) Atomics.store(words, first + word, given[from + word] ?? 0)
        Atomics.store(words, first + 1, second)
      }
    },
  }
}
