import { ServiceError } from '../../../../plan/errors.ts'
import type { Omitted } from '../../../../plan/source/omitted.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import type { Attribute } from '../../arrays/array-file.ts'
import { unreadable } from '../../error-location.ts'
import { encodeMetadata, type Hdf5Array, type Hdf5Metadata } from '../hdf5-metadata.ts'
import { createLibrary, type Library } from '../library/library.ts'
import { arrayName, arraysOf, attributesOf } from './arrays.ts'
import { nameDimensions } from './dimensions.ts'
import { createObjectHeaders } from './headers.ts'
import { type FileObjects, findObjects } from './objects.ts'

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
  library ??= createLibrary()
  try {
    const source = onlyObject(store)
    const metadata = await library.use(source, check, (file) => {
      const objects = findObjects(file, createObjectHeaders(source), areGroupsWanted, check)
      return metadataOf(objects, areGroupsWanted)
    })
    store.verify()
    return bounded(encodeMetadata(metadata))
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'unreadable_file') throw error
    store.verify()
    throw new ServiceError(error.code, `${unreadable(store.file.path, 'HDF5')}: ${error.message}.`, {
      cause: error,
    })
  }
}

/** Makes the arrays of a file from its objects. */
function metadataOf({ groups, datasets }: FileObjects, areMembersWanted: boolean): Hdf5Metadata {
  const dimensions = nameDimensions(datasets)
  const arrays = new Map<string, Hdf5Array>()
  const attributes: Attribute[] = []
  const omitted: Omitted[] = []
  const add = (prefix: string, of: Parameters<typeof attributesOf>[0]): void => {
    for (const { name, value } of attributesOf(of)) attributes.push({ name: `${prefix}.${name}`, value })
  }
  for (const group of groups) add(group.path === '' ? '' : `${group.path}/`, group)
  for (const dataset of datasets) {
    const made = arraysOf(dataset, dimensions, areMembersWanted)
    omitted.push(...made.omitted)
    for (const array of made.arrays) if (!arrays.has(array.name)) arrays.set(array.name, array)
    const hasOwn = made.arrays.some(({ name }) => name === arrayName(dataset))
    if (!hasOwn && !dimensions.isOnlyDimension(dataset)) add(arrayName(dataset), dataset)
  }
  const sorted = [...arrays.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  const used = new Set(sorted.flatMap((array) => array.dimensions.map(({ name }) => name)))
  const otherDimensions = dimensions.named.filter(({ name }) => !used.has(name))
  return { arrays: sorted, attributes, otherDimensions, omitted }
}

function bounded(metadata: SharedArrayBuffer): SharedArrayBuffer {
  const { byteLength } = metadata
  if (byteLength <= MAX_METADATA_BYTES) return metadata
  throw new ServiceError(
    'unreadable_file',
    `its metadata take ${byteLength} bytes; at most ${MAX_METADATA_BYTES} are read`,
  )
}
