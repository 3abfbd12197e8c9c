import type { Core } from '../../../wasm/core/core.ts'
import { fault } from '../fault.ts'

/** How many bytes a filter undone gives. */
export interface DecodedSize {
  readonly bytes: number
  /** Whether it gives exactly as many. Else it may give fewer. */
  readonly isExact: boolean
}

/**
 * Decodes bytes that a filter has encoded. `values` are those of the filter in the file. The result may be a part of `stored`. Throws `unreadable_file`; it
 * may return more or fewer bytes than `size`, which the caller checks, but takes no more memory than that.
 */
export type DecodeFilter = (
  stored: Uint8Array,
  size: DecodedSize,
  values: readonly number[],
  core: Core,
) => Uint8Array

/** Throws `unreadable_file` if undoing a filter would give too many or too few bytes, as far as the stored ones tell. */
export type CheckStored = (stored: Uint8Array, size: DecodedSize, values: readonly number[]) => void

/** Throws `unreadable_file` if bytes that the library has made of the stored ones are not those that were stored, as far as that is known. */
export type CheckDecoded = (stored: Uint8Array, decoded: Uint8Array) => void

/** The error for compressed data that are cut short, too long, or refer to what is not there. `why` is the end of its message. */
export function damaged(codec: string, why?: string): Error {
  return fault(`data compressed by ${codec} are damaged${why === undefined ? '' : `: ${why}`}`)
}

/** A compressor may add this to data that do not compress. */
export function mostCompressed(bytes: number): number {
  return bytes + Math.ceil(bytes / 8) + (64 << 10)
}
