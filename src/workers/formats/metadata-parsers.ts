import type { Store } from '../store/store.ts'
import { describeHdf5, describeHdf5Contents } from './hdf5/metadata/describe.ts'

/**
 * Parses the metadata of a file, and returns them as `FileRef.metadata`. `check` throws if the query was cancelled. It runs in the
 * annex, which is ended if it takes too long. It may load libraries when it is first called, which no other thread does.
 * With `areContentsWanted` they also have what the file holds, for `Provider.structure` alone.
 */
type MetadataParser = (
  store: Store,
  check: () => void,
  areContentsWanted: boolean,
) => Promise<SharedArrayBuffer>

/** By the ids of formats. */
export type MetadataParsers = Readonly<Record<string, MetadataParser>>

function parserOf(areGroupsWanted: boolean): MetadataParser {
  return (store, check, areContentsWanted) =>
    (areContentsWanted ? describeHdf5Contents : describeHdf5)(store, areGroupsWanted, check)
}

export const METADATA_PARSERS: MetadataParsers = Object.freeze({
  netcdf: parserOf(false),
  hdf5: parserOf(true),
})
