import type { FileVersion } from '../../plan/source/version.ts'
import type { Store } from './store.ts'

/** Decoded chunks, cached so that a chunk that several units share is decoded once. */
export interface Chunks {
  /** The most bytes of a chunk that is decoded as a whole. */
  readonly maxChunkBytes: number
  /**
   * The decoded bytes of a chunk, which must not be changed, nor be used any more once another chunk is asked for. They are made by
   * `make` unless they are cached. `chunk` is a name of the chunk in its store, `version` that of the object that has the chunk.
   */
  get(store: Store, chunk: string, version: FileVersion, make: () => ArrayBuffer): ArrayBuffer
  /** Whether chunks of an object are cached for other queries too. */
  isShared(store: Store, version: FileVersion): boolean
}
