import {
  createStructureCache,
  createStructures,
} from '../../../src/workers/formats/hdf5/data/structures/structures.ts'
import { readSuperblock } from '../../../src/workers/formats/hdf5/data/structures/superblock.ts'
import type { Hdf5Metadata } from '../../../src/workers/formats/hdf5/hdf5-metadata.ts'
import { createLibrary } from '../../../src/workers/formats/hdf5/library/library.ts'
import { createObjectHeaders } from '../../../src/workers/formats/hdf5/metadata/headers.ts'
import { metadataOf } from '../../../src/workers/formats/hdf5/metadata/metadata-of.ts'
import { findObjects } from '../../../src/workers/formats/hdf5/metadata/objects.ts'
import { onlyObject, type Store } from '../../../src/workers/store/store.ts'
import { libraryReader } from './library-reader.ts'

const library = createLibrary()

/**
 * The metadata of a sound HDF5 file, whose links and attributes the HDF5 library has read. The types of datasets, and how they are stored,
 * are those of our own parser: the library does not tell all of them.
 */
export async function describeByLibrary(store: Store, areGroupsWanted: boolean): Promise<Hdf5Metadata> {
  const source = onlyObject(store)
  return library.use(source.read(0, source.size), (file) => {
    const superblock = readSuperblock(source)
    const structures = createStructures(source, superblock, createStructureCache())
    const headers = createObjectHeaders(structures)
    const reader = libraryReader(file, headers, structures)
    const objects = findObjects(reader, headers, areGroupsWanted, () => {})
    return metadataOf({ ...objects, base: superblock.base }, areGroupsWanted)
  })
}
