import { ServiceError } from '../../../../plan/errors.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import { unreadable } from '../../error-location.ts'
import { createStructureCache, createStructures } from '../data/structures/structures.ts'
import { readSuperblock } from '../data/structures/superblock.ts'
import { encodePlain, type Hdf5Metadata } from '../hdf5-metadata.ts'
import { createLibrary, type Library } from '../library/library.ts'
import { createObjectHeaders } from './headers.ts'
import { libraryReader } from './library-reader.ts'
import { metadataOf } from './metadata-of.ts'
import { type FileObjects, findObjects } from './objects.ts'
import { contentsOf, type Hdf5Contents } from './structure.ts'

/** The most bytes of a file's metadata in memory. */
const MAX_METADATA_BYTES = 32 << 20

let library: Library | null = null

/**
 * Parses the metadata of an HDF5 file with the HDF5 library, which this thread then keeps: 40 MB. `areGroupsWanted`: all groups
 * rather than the root alone. Throws `unreadable_file`, or `file_changed` if it is not the planned version.
 */
export async function describeHdf5(
  store: Store,
  areGroupsWanted: boolean,
  check: () => void,
): Promise<SharedArrayBuffer> {
  return described(store, areGroupsWanted, check, (objects) => metadataOf(objects, areGroupsWanted))
}

/** The same, with what all groups hold. The result is for `decodeContents`. */
export async function describeHdf5Contents(
  store: Store,
  areGroupsWanted: boolean,
  check: () => void,
): Promise<SharedArrayBuffer> {
  return described(store, true, check, (objects) => contentsOf(objects, areGroupsWanted))
}

async function described(
  store: Store,
  areGroupsWanted: boolean,
  check: () => void,
  make: (objects: FileObjects) => Hdf5Metadata | Hdf5Contents,
): Promise<SharedArrayBuffer> {
  library ??= createLibrary()
  try {
    const source = onlyObject(store)
    const metadata = await library.use(source, check, (file) => {
      const headers = createObjectHeaders(
        createStructures(source, readSuperblock(source), createStructureCache()),
      )
      return make(findObjects(libraryReader(file, headers), headers, areGroupsWanted, check))
    })
    store.verify()
    return bounded(encodePlain(metadata))
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'unreadable_file') throw error
    store.verify()
    throw new ServiceError(error.code, `${unreadable(store.file.path, 'HDF5')}: ${error.message}.`, {
      cause: error,
    })
  }
}

function bounded(metadata: SharedArrayBuffer): SharedArrayBuffer {
  const { byteLength } = metadata
  if (byteLength <= MAX_METADATA_BYTES) return metadata
  throw new ServiceError(
    'unreadable_file',
    `its metadata take ${byteLength} bytes; at most ${MAX_METADATA_BYTES} are read`,
  )
}
