import type { FileRef } from '../../plan/source/file.ts'

/**
 * The bytes of one open file. Reads are synchronous and complete: fewer bytes than asked for is an error that
 * names the file, and so is a range outside the file.
 */
export interface ByteSource {
  readonly file: FileRef
  /** Bytes. */
  readonly size: number
  /** A copy of `length` bytes at `offset`. */
  read(offset: number, length: number): Uint8Array
  /** Fills `target` with the bytes from `offset` on. */
  readInto(offset: number, target: Uint8Array): void
  /** Takes back what was read, which nobody may look at any more: see `discard`. */
  release(bytes: Uint8Array): void
  /** Throws `file_changed` unless the file is still the version that was planned. */
  verify(): void
}
