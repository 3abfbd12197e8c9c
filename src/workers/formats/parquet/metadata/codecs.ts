import { ServiceError } from '../../../../plan/errors.ts'
import { inflate as inflateBy } from '../../inflate.ts'
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

/** The `size` bytes of one page, of a codec that `isInflated`. */
export function inflate(codec: number, stored: Uint8Array, size: number): Uint8Array {
  return inflateBy(codec === Codec.zstd ? 'zstd' : codec === Codec.gzip ? 'gzip' : 'brotli', stored, size)
}
