import type { FileVersion } from '../../plan/source/version.ts'
import type { Store } from './store.ts'

/** Decoded chunks: units that share one decode it once. */
export interface Chunks {
  /**
   * The decoded bytes of a chunk, which nobody changes; made unless they are there. `chunk` names it in its store, and
   * `version` is that of the object in which it lies.
   */
  get(store: Store, chunk: string, version: FileVersion, make: () => ArrayBuffer): ArrayBuffer
}
