import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import type { Core } from '../../../../wasm/core/core.ts'
import type { DecodedSize } from '../../codecs/filter.ts'
import type { ArrayForm } from './array-form.ts'

/** How what is stored of a chunk, or of a shard, becomes elements. */
export interface ChunkDecoder {
  readonly form: ArrayForm
  /** Bytes of all elements. Null: texts of any length. */
  readonly chunkBytes: number | null
  readonly isBigEndian: boolean
  /** Whether elements are stored as they are, so that a part of them can be read. */
  readonly isPlain: boolean
  /** How chunks lie in the stored bytes. Null: they are no shard, or one that can only be decoded as a whole. */
  readonly shard: ShardLayout | null
  /** The most bytes that are stored for elements of at most `mostBytes` bytes, and whether there are always as many. */
  storedSize(mostBytes: number): DecodedSize
  /**
   * The elements in C order, at most `mostBytes` bytes, if `chunkBytes` does not say how many: texts are those of `vlen-utf8`. It may be a part of
   * `stored`. Throws `unreadable_file`.
   */
  decode(stored: Uint8Array, mostBytes: number, core: Core): Uint8Array
  /** Null: the codecs are not undone in the core. */
  readonly inflater: ChunkInflater | null
}

/** How the elements of a chunk are decoded in the core's memory, where a column is made of them. */
export interface ChunkInflater {
  /**
   * All elements, which may stay shuffled; `isPart`: of a part of them, for which that takes less time than to put all together first. Null: the data are
   * not sound, which `decode` says. Throws `unreadable_file`.
   */
  inflate(core: Core, stored: Uint8Array, isPart: boolean): InflatedBytes | null
  /** Whether `stored` may lie in `Core.storedRoom`. */
  readonly takesStoredRoom: boolean
}

/** How the chunks of a shard lie in its stored bytes. */
export interface ShardLayout {
  /** Elements of a chunk along each dimension. */
  readonly chunk: readonly number[]
  /** Chunks of the shard along each dimension. */
  readonly counts: readonly number[]
  readonly inner: ChunkDecoder
  readonly index: ShardIndexLayout
}

/** The index of a shard: of each chunk in C order the place and the number of its bytes, each in 64 bits. */
export interface ShardIndexLayout {
  /** Bytes of the index in the shard. */
  readonly storedBytes: number
  readonly isAtStart: boolean
  /** Of all chunks, after its codecs are undone. */
  readonly decoder: ChunkDecoder
}
