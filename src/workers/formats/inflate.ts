import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { ServiceError } from '../../plan/errors.ts'
import { type Allocate, inflateByContext } from '../../wasm/zstd-context.ts'

const INFLATORS = Object.freeze({
  brotli: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
})

/**
 * Inflates compressed data to exactly `size` bytes, else throws `unreadable_file`. Node's zlib is safe with untrusted input,
 * but zstd and brotli do not report bytes that are left over or missing. So the length is checked here. The bytes lie in memory of
 * `allocate`, or in other memory.
 */
export function inflate(
  codec: keyof typeof INFLATORS,
  stored: Uint8Array,
  size: number,
  allocate: Allocate = Buffer.allocUnsafeSlow,
): Uint8Array {
  if (size === 0) return new Uint8Array(0)
  const inflated = codec === 'zstd' ? inflateByContext(stored, size, allocate) : null
  if (inflated !== null) return inflated
  let bytes: Uint8Array
  try {
    // One output buffer for all: buffers of 16 KiB, the default, take 1.2 times as long. It has a byte to spare, because zlib
    // allocates another buffer once one is full.
    bytes = INFLATORS[codec](stored, { chunkSize: Math.max(64, size + 1), maxOutputLength: size })
  } catch (cause) {
    throw new ServiceError('unreadable_file', `compressed data cannot be inflated (${codec})`, { cause })
  }
  if (bytes.length !== size)
    throw new ServiceError('unreadable_file', `compressed data of ${size} bytes inflate to ${bytes.length}`)
  return bytes
}
