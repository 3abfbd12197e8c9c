import { isServiceError } from '../../../../plan/errors.ts'
import { SMALL_FILE_BYTES } from '../../../../plan/limits.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { pagedReads } from '../../../store/paged-reads.ts'
import { isNotPlain } from '../data/structures/not-plain.ts'
import { createStructureCache, createStructures } from '../data/structures/structures.ts'
import { readSuperblock } from '../data/structures/superblock.ts'
import type { Hdf5Metadata } from '../hdf5-metadata.ts'
import { createObjectHeaders } from './headers.ts'
import { metadataOf } from './metadata-of.ts'
import { type FileObjects, findObjects } from './objects.ts'
import { plainReader } from './plain-reader.ts'
import { contentsOf, type Hdf5Contents } from './structure.ts'

/**
 * The metadata of an HDF5 file, parsed without the library: the same that `describeHdf5` finds. Null: they are left to the library,
 * because the file has something that is not read here, or is damaged. `areGroupsWanted`: all groups rather than the root alone.
 * Throws what `check` and reading the file throw.
 */
export function plainMetadata(
  source: ByteSource,
  areGroupsWanted: boolean,
  check: () => void,
): Hdf5Metadata | null {
  return ofPlainObjects(source, areGroupsWanted, check, (objects) => metadataOf(objects, areGroupsWanted))
}

/** The same, with what all groups hold. */
export function plainContents(
  source: ByteSource,
  areGroupsWanted: boolean,
  check: () => void,
): Hdf5Contents | null {
  return ofPlainObjects(source, true, check, (objects) => contentsOf(objects, areGroupsWanted))
}

function ofPlainObjects<T>(
  file: ByteSource,
  areGroupsWanted: boolean,
  check: () => void,
  make: (objects: FileObjects) => T,
): T | null {
  // Of a small file it is recorded which bytes were read (known-files.ts), and no page has more of them.
  const source = file.size <= SMALL_FILE_BYTES ? file : pagedReads(file)
  try {
    const superblock = readSuperblock(source)
    const structures = createStructures(source, superblock, createStructureCache())
    const headers = createObjectHeaders(structures)
    const reader = plainReader(source, superblock, structures, headers)
    return make(findObjects(reader, headers, areGroupsWanted, check))
  } catch (error) {
    if (isNotPlain(error) || (isServiceError(error) && error.code === 'unreadable_file')) return null
    throw error
  }
}
