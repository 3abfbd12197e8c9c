import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { ServiceError } from '../../plan/errors.ts'

const INFLATORS = Object.freeze({
  brotli: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
})

/**
 * The `size` bytes that were compressed. Node's zlib takes untrusted input; that it stops at `size` and that the whole
 * of it came is checked here, because zstd and brotli say nothing of what is left over. Errors: `unreadable_file`.
 */
export function inflate(codec: keyof typeof INFLATORS, stored: Uint8Array, size: number): Uint8Array {
  if (size === 0) return new Uint8Array(0)
  let bytes: Uint8Array
  try {
    // One output buffer (pieces of 16 KiB, the default, take 1.2 times as long); a full one would get a successor.
    bytes = INFLATORS[codec](stored, { chunkSize: Math.max(64, size + 1), maxOutputLength: size })
  } catch (cause) {
    throw new ServiceError('unreadable_file', `compressed data cannot be inflated (${codec})`, { cause })
  }
  if (bytes.length !== size)
    throw new ServiceError('unreadable_file', `compressed data of ${size} bytes inflate to ${bytes.length}`)
  return bytes
}
