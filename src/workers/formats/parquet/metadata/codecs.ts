import { ServiceError } from '../../../../plan/errors.ts'
import type { Allocate } from '../../../../wasm/zstd-context.ts'
import { inflate as inflateBy } from '../../inflate.ts'
import { Codec } from './metadata.ts'

/**
 * The most bytes that one page may inflate to. DuckDB writes the largest pages, of up to 100 MB. A page beyond this limit
 * would not fit into the memory of a unit.
 */
export const MAX_PAGE_BYTES = 256 << 20

const CODEC_NAMES = new Map<number, string>(Object.entries(Codec).map(([name, id]) => [id, name]))

/** Whether pages of this codec are inflated by Node's zlib. Those of other codecs are inflated by the core or parquet-wasm. */
export function isInflated(codec: number): boolean {
  return codec === Codec.zstd || codec === Codec.gzip || codec === Codec.brotli
}

/** Throws `unreadable_file` for a codec that is not supported. */
export function checkCodec(codec: number): void {
  if (codec === Codec.lzo || !CODEC_NAMES.has(codec))
    throw new ServiceError(
      'unreadable_file',
      `it is compressed with ${CODEC_NAMES.get(codec)?.toUpperCase() ?? `codec number ${codec}`}, which is not supported`,
    )
}

/** Inflates a page to its `size` bytes, for a codec that `isInflated`. Throws `unreadable_file`. */
export function inflate(codec: number, stored: Uint8Array, size: number, allocate?: Allocate): Uint8Array {
  return inflateBy(
    codec === Codec.zstd ? 'zstd' : codec === Codec.gzip ? 'gzip' : 'brotli',
    stored,
    size,
    allocate,
  )
}
