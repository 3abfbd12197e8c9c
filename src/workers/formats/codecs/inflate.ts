import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { inflateZstdInto } from '../../../wasm/zstd-context.ts'
import { fault } from '../fault.ts'
import { inflateGzipInto, inflateZlibInto } from '../zlib-context.ts'
import { type DecodedSize, damaged } from './filter.ts'

const INFLATORS = Object.freeze({ deflate: inflateSync, gzip: gunzipSync, zstd: zstdDecompressSync })

type Codec = keyof typeof INFLATORS

interface InflateOptions {
  readonly chunkSize: number
  readonly maxOutputLength: number
}

/** One buffer for all of the output. It has a byte to spare, because zlib allocates another buffer once one is full. */
function optionsFor(bytes: number): InflateOptions {
  return { chunkSize: Math.max(64, bytes + 1), maxOutputLength: Math.max(1, bytes) }
}

const CONTEXTS = Object.freeze({ deflate: inflateZlibInto, gzip: inflateGzipInto, zstd: inflateZstdInto })

/**
 * What a context that is kept inflates to exactly so many bytes. Node's functions make a stream for each call, which takes as long as inflating
 * 20 kB. Null: the data hold more or less, or are damaged, which the functions say.
 */
function byContext(codec: Codec, stored: Uint8Array, bytes: number): Uint8Array | null {
  // A byte to spare shows whether the data hold more.
  const room = new Uint8Array(Buffer.allocUnsafeSlow(bytes + 1).buffer)
  return CONTEXTS[codec](stored, room) === bytes ? room.subarray(0, bytes) : null
}

function cannotInflate(codec: Codec, bytes: number, cause: unknown): Error {
  return fault(`data compressed by ${codec} cannot be inflated to ${bytes} bytes`, { cause })
}

function createInflate(codec: Codec): (stored: Uint8Array, size: DecodedSize) => Uint8Array {
  const inflate = INFLATORS[codec]
  return (stored, { bytes, isExact }) => {
    const inflated = isExact ? byContext(codec, stored, bytes) : null
    if (inflated !== null) return inflated
    try {
      return inflate(stored, optionsFor(bytes))
    } catch (cause) {
      throw cannotInflate(codec, bytes, cause)
    }
  }
}

/** Filter 1. */
export const decodeDeflate = createInflate('deflate')

/** Filter 32015. */
export const decodeZstd = createInflate('zstd')

/** The most bytes of the first buffer for output whose size is not known. zlib takes further ones of the same size. */
const MOST_AT_FIRST = 1 << 20

/** The same for stored bytes that end with the compressed data. Throws `unreadable_file` if there are bytes behind them. */
export function inflateAll(codec: Codec, stored: Uint8Array, { bytes, isExact }: DecodedSize): Uint8Array {
  // That of deflate does not tell whether bytes follow the data.
  const inflated = isExact && codec !== 'deflate' ? byContext(codec, stored, bytes) : null
  if (inflated !== null) return inflated
  const options = optionsFor(bytes)
  const chunkSize = isExact ? options.chunkSize : Math.min(options.chunkSize, MOST_AT_FIRST)
  const { buffer, used } = inflate(codec, stored, { ...options, chunkSize })
  if (used !== stored.length) throw damaged(codec, `${stored.length - used} bytes follow them`)
  return buffer
}

function inflate(
  codec: Codec,
  stored: Uint8Array,
  options: InflateOptions,
): { buffer: Uint8Array; used: number } {
  try {
    // The types do not say that with `info` there is an object.
    const result: unknown = INFLATORS[codec](stored, { ...options, info: true })
    const { buffer, engine } = result as { buffer: Uint8Array; engine: { bytesWritten: number } }
    return { buffer, used: engine.bytesWritten }
  } catch (cause) {
    throw cannotInflate(codec, options.maxOutputLength, cause)
  }
}

/** Decoders take up to so many bytes more than the chunk has. */
const SPARE_BYTES = 64

/** A buffer that begins with the bytes, and has hardly any others. */
export function toOwnBuffer({ buffer, byteOffset, length }: Uint8Array): ArrayBuffer {
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength <= length + SPARE_BYTES
  return isOwn ? buffer : (buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer)
}
