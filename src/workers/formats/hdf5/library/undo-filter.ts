import type { FilteredBytes } from '../../../../plan/task/filtered-bytes.ts'
import { fault } from '../../fault.ts'
import { isUndoneByLibrary } from '../data/filters/filters.ts'
import { type CleanMemory, keepClean, POISONS } from './clean-memory.ts'
import { createLibrary, type OpenedFile } from './library.ts'
import { ONLY_DATASET, oneChunkFile } from './one-chunk-file.ts'
import { PLUGIN_FILES, PLUGIN_FILTERS } from './plugins.ts'

/** How many last bytes of a result are compared with what free memory was filled with. */
const LAST_BYTES = 16

/** That of the instance which was started last. Others are not used any more. */
let memory: CleanMemory | null = null

/** With all plugins, so that its memory after its start is that of all filters. */
const library = createLibrary({
  plugins: PLUGIN_FILES,
  started(library, open) {
    // A filter that fails has been loaded.
    for (const id of PLUGIN_FILTERS)
      open(oneChunkFile(new Uint8Array(64), { id, values: [] }, 8), (file) => read(file, 8))
    memory = keepClean(library)
  },
})

/**
 * Decodes a chunk with the HDF5 library, which this thread then keeps: 70 MB. It begins with the same memory each time, so it has nothing of
 * chunks before. Throws `unreadable_file` if the library finds an error, or gives fewer bytes.
 */
export async function undoFilter(filtered: FilteredBytes): Promise<ArrayBuffer> {
  if (!isUndoneByLibrary(filtered.filter))
    throw new TypeError('the library is asked for a filter that is undone without it')
  const bytes = await undone(filtered, 0)
  if (!bytes.subarray(-LAST_BYTES).includes(POISONS[0])) return bytes.buffer
  // If the filter has not written some of these bytes, they are others the next time.
  const again = await undone(filtered, 1)
  if (Buffer.compare(bytes, again) !== 0)
    throw fault(`the HDF5 library makes fewer bytes of it than ${bytes.length}`)
  return bytes.buffer
}

function undone({ stored, filter, bytes }: FilteredBytes, poison: number): Promise<Uint8Array<ArrayBuffer>> {
  return library.use(
    oneChunkFile(new Uint8Array(stored), filter, bytes),
    (file) => {
      const elements = read(file, bytes)
      if (elements === null) throw new Error('the HDF5 library cannot undo it')
      return elements
    },
    () => memory?.restore(poison),
  )
}

/** The elements of the only dataset. Null: the library finds an error. */
function read({ library, id }: OpenedFile, bytes: number): Uint8Array<ArrayBuffer> | null {
  const pointer = library._malloc(Math.max(1, bytes))
  if (pointer === 0) throw new Error('the HDF5 library has no memory left')
  try {
    const status = library.get_dataset_data(id, ONLY_DATASET, null, null, null, BigInt(pointer))
    return status < 0 ? null : (library.HEAPU8.slice(pointer, pointer + bytes) as Uint8Array<ArrayBuffer>)
  } finally {
    library._free(pointer)
  }
}
