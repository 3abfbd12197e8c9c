import { instantiateCodecs } from './instance.ts'

/** A stream that is being inflated. */
export interface InflatingStream {
  /** The next `wanted` inflated bytes, fewer at the end only. They are valid until the next call. */
  next(wanted: number): Uint8Array
}

/** The compressors of which the module inflates streams, by its numbers. */
const CODECS = Object.freeze({ xz: 0, bzip2: 1 })

export type StreamCodec = keyof typeof CODECS

/** The largest dictionary of a file, in bytes. `xz -9` has 64 MiB, and Node's zstd has the same limit for windows. */
const MAX_DICTIONARY_BYTES = 128 << 20

/** What an instance has besides a dictionary: its stack, its data, and buffers of at most some megabytes. */
const OTHER_BYTES = 24 << 20

/**
 * Inflates what `read` hands over, as `instantiateCodecs` says, with an instance of its own, whose memory is free when the stream is no
 * longer used. All members of the data count.
 */
export function openInflatingStream(
  codec: StreamCodec,
  read: (target: Uint8Array) => number,
): InflatingStream {
  const instance = instantiateCodecs(MAX_DICTIONARY_BYTES + OTHER_BYTES, read)
  instance.call('stream_open', CODECS[codec], (MAX_DICTIONARY_BYTES >> 10) + 1024)
  return {
    next(wanted) {
      const count = instance.call('stream_next', wanted)
      return instance.bytes(instance.result(0), count)
    },
  }
}
