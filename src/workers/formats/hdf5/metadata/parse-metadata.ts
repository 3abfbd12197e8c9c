import { SMALL_FILE_BYTES } from '../../../../plan/limits.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { pagedReads } from '../../../store/paged-reads.ts'
import { createStructureCache, createStructures } from '../data/structures/structures.ts'
import { readSuperblock } from '../data/structures/superblock.ts'
import type { Hdf5Metadata } from '../hdf5-metadata.ts'
import { createObjectHeaders } from './headers.ts'
import { metadataOf } from './metadata-of.ts'
import { createObjectReader } from './object-reader.ts'
import { type FileObjects, findObjects } from './objects.ts'
import { contentsOf, type Hdf5Contents } from './structure.ts'

/**
 * Parses the metadata of an HDF5 file. `areGroupsWanted`: all groups rather than the root alone. Throws `unreadable_file` with the structure
 * and its place for what is damaged or not read, and what `check` and reading the file throw.
 */
export function parseMetadata(source: ByteSource, areGroupsWanted: boolean, check: () => void): Hdf5Metadata {
  return metadataOf(parseObjects(source, areGroupsWanted, check), areGroupsWanted)
}

/** The same, with what all groups hold. */
export function parseContents(source: ByteSource, areGroupsWanted: boolean, check: () => void): Hdf5Contents {
  return contentsOf(parseObjects(source, true, check), areGroupsWanted)
}

function parseObjects(file: ByteSource, areGroupsWanted: boolean, check: () => void): FileObjects {
  // Of a small file it is recorded which bytes were read (known-files.ts), and no page has more of them.
  const source = file.size <= SMALL_FILE_BYTES ? file : pagedReads(file)
  const superblock = readSuperblock(source)
  const structures = createStructures(source, superblock, createStructureCache())
  const headers = createObjectHeaders(structures)
  const reader = createObjectReader(source, superblock, structures, headers)
  return { ...findObjects(reader, headers, areGroupsWanted, check), base: superblock.base }
}
