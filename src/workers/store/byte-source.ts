import type { FileVersion } from '../../plan/source/version.ts'

/**
 * The bytes of an object of a store. Reads are synchronous and return all bytes that were asked for, or throw an error that
 * names the object. A range outside of the object is an error too.
 */
export interface ByteSource {
  readonly version: FileVersion
  /** Bytes. */
  readonly size: number
  /** A copy of `length` bytes at `offset`. */
  read(offset: number, length: number): Uint8Array
  /** Fills `target` with the bytes from `offset` on. */
  readInto(offset: number, target: Uint8Array): void
  /** The bytes at `offset` without a copy. They must not be changed, nor used once the store is closed. Absent: they are not in memory. */
  view?(offset: number, length: number): Uint8Array
  /** Frees the memory of bytes that `read` returned. They must not be used any more. */
  release(bytes: Uint8Array): void
}
