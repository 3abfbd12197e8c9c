import type { Store } from '../store/store.ts'
import { describeHdf5 } from './hdf5/metadata/describe.ts'

/**
 * Parses the metadata of a file, and returns them as `FileRef.metadata`. `check` throws if the query was cancelled. It runs in the
 * annex, which is ended if it takes too long. It may load libraries when it is first called, which no other thread does.
 */
export type MetadataParser = (store: Store, check: () => void) => Promise<SharedArrayBuffer>

/** By the ids of formats. */
export type MetadataParsers = Readonly<Record<string, MetadataParser>>

export const METADATA_PARSERS: MetadataParsers = Object.freeze({
  netcdf: (store: Store, check: () => void) => describeHdf5(store, false, check),
  hdf5: (store: Store, check: () => void) => describeHdf5(store, true, check),
})
