import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { ServiceError } from '../../../plan/errors.ts'
import { Codec } from './metadata.ts'

/**
 * Bytes of one page once inflated. DuckDB, which makes the largest, cuts pages at 100 MB; a page beyond this limit
 * would not fit into a unit anyway.
 */
export const MAX_PAGE_BYTES = 256 << 20

const CODEC_NAMES = new Map<number, string>(Object.entries(Codec).map(([name, id]) => [id, name]))

/** Whether pages of this codec are inflated here; the others go to parquet-wasm as they are, which knows them. */
export function isInflated(codec: number): boolean {
  return codec === Codec.zstd || codec === Codec.gzip || codec === Codec.brotli
}

/** Throws `unreadable_file` for a codec that nobody here decodes. */
export function checkCodec(codec: number): void {
  if (codec === Codec.lzo || !CODEC_NAMES.has(codec))
    throw new ServiceError(
      'unreadable_file',
      `it is compressed with ${CODEC_NAMES.get(codec)?.toUpperCase() ?? `codec number ${codec}`}, which is not supported`,
    )
}

/**
 * The `size` bytes that were compressed. Node's zlib takes untrusted input; that it stops at `size` and that the whole
 * of it came is checked here, because zstd and brotli say nothing of what is left over.
 */
export function inflate(codec: number, stored: Uint8Array, size: number): Uint8Array {
  if (size === 0) return new Uint8Array(0)
  // One output buffer of the right size (the default of 16 KiB takes 1.2 times as long).
  const options = { chunkSize: Math.max(64, size), maxOutputLength: size }
  let bytes: Uint8Array
  try {
    bytes =
      codec === Codec.zstd
        ? zstdDecompressSync(stored, options)
        : codec === Codec.gzip
          ? gunzipSync(stored, options)
          : brotliDecompressSync(stored, options)
  } catch (cause) {
    throw new ServiceError('unreadable_file', `a page cannot be inflated (${CODEC_NAMES.get(codec)})`, {
      cause,
    })
  }
  if (bytes.length !== size)
    throw new ServiceError('unreadable_file', `a page of ${size} bytes inflates to ${bytes.length}`)
  return bytes
}
