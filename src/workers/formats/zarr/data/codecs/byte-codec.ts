import type { InflatedBytes } from '../../../../../wasm/core/boxes/box-column.ts'
import type { Core } from '../../../../../wasm/core/core.ts'
import type { DecodedSize } from '../../../codecs/filter.ts'

/** A codec that makes bytes of bytes. Its configuration has been checked. */
export interface ByteCodec {
  /** How many bytes more than before there are once it was applied. Null: it compresses, so that is not known. */
  readonly added: number | null
  /**
   * The bytes that it was applied to, which may be a part of `stored`. Throws `unreadable_file`; it may return more or fewer bytes than
   * `before`, which the caller checks, but takes no more memory than that.
   */
  decode(stored: Uint8Array, before: DecodedSize, core: Core): Uint8Array
  /**
   * The same in the core's memory, where elements are needed; those of `elementBytes` bytes may stay shuffled, of 0 none do. Null: the data are
   * damaged or have another size, which `decode` says, or it cannot be done. Absent: it is not done. Throws `unreadable_file`.
   */
  inflate?(core: Core, stored: Uint8Array, bytes: number, elementBytes: number): InflatedBytes | null
  /** `inflate` takes bytes that lie in `Core.storedRoom`. Absent: it calls the core before it has read them. */
  readonly takesStoredRoom?: true
  /** It does nothing but shuffle elements of so many bytes. Absent: it does something else. */
  readonly shuffledBytes?: number
}
