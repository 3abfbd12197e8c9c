import type { FileVersion } from '../../plan/source/version.ts'

/**
 * The bytes of one object of a store. Reads are synchronous and complete: fewer bytes than asked for is an error that
 * names the object, and so is a range outside of it.
 */
export interface ByteSource {
  readonly version: FileVersion
  /** Bytes. */
  readonly size: number
  /** A copy of `length` bytes at `offset`. */
  read(offset: number, length: number): Uint8Array
  /** Fills `target` with the bytes from `offset` on. */
  readInto(offset: number, target: Uint8Array): void
  /** Takes back what was read, which nobody may look at any more: see `discard`. */
  release(bytes: Uint8Array): void
}
