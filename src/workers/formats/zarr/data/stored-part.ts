import type { ByteSource } from '../../../store/byte-source.ts'
import type { Store } from '../../../store/store.ts'
import type { Box } from '../../arrays/array-file.ts'
import type { ByteRange } from '../../arrays/stored-bytes.ts'
import type { ReadContext } from '../../provider.ts'
import type { ZarrArray } from '../stored-zarr.ts'
import type { ChunkDecoder } from './chunk-decoder.ts'

/** What elements of an object are read with. */
export interface ObjectReading {
  readonly store: Store
  readonly array: ZarrArray
  readonly key: string
  readonly source: ByteSource
  readonly context: ReadContext
  /** As in `ArrayFile.slabs`. */
  readonly exclusiveBox: Box | null
}

/** Some bytes of an object: a chunk, or a shard. */
export interface StoredPart {
  readonly range: ByteRange
  readonly decoder: ChunkDecoder
  /** The box of all of its elements, which may reach beyond the array. */
  readonly whole: Box
}

/** The same, of whose elements some are asked for. */
export interface AskedPart extends StoredPart {
  /** The box of these. It lies in `whole`, and in the array. */
  readonly asked: Box
}
