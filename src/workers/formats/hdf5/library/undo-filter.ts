import type { FilteredBytes } from '../../../../plan/task/filtered-bytes.ts'
import { memoryStore } from '../../../store/memory-store.ts'
import { fault } from '../data/fault.ts'
import { isUndoneByLibrary } from '../data/filters/filters.ts'
import { HDF5_LIBRARY } from './hdf5-library.ts'
import type { Hdf5Module } from './module.ts'
import { ONLY_DATASET, oneChunkFile } from './one-chunk-file.ts'
import { pluginOf } from './plugins.ts'

/** What free memory is filled with before filters are undone, one after the other. */
const POISONS = [0xa5, 0x5a] as const

/** The version of a file that exists nowhere. */
const NO_VERSION = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }

/**
 * Undoes a filter with the HDF5 library, which this thread then keeps: 40 MB. Throws `unreadable_file` if the library finds an error, or
 * gives fewer bytes.
 */
export async function undoFilter(filtered: FilteredBytes): Promise<ArrayBuffer> {
  if (!isUndoneByLibrary(filtered.filter))
    throw new TypeError('the library is asked for a filter that is undone without it')
  const [poison, other] = POISONS
  const bytes = await undone(filtered, poison)
  if (bytes.at(-1) !== poison) return bytes.buffer
  // The last byte is what memory was filled with. If the filter has not written it, it is another one the next time.
  const again = await undone(filtered, other)
  if (Buffer.compare(bytes, again) !== 0)
    throw fault(`the HDF5 library makes fewer bytes of it than ${bytes.length}`)
  return bytes.buffer
}

async function undone(
  { stored, filter, bytes }: FilteredBytes,
  poison: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = oneChunkFile(new Uint8Array(stored), filter, bytes)
  const source = memoryStore(file, { path: '', location: '', version: NO_VERSION })
  const plugin = pluginOf(filter.id)
  return HDF5_LIBRARY.use(
    source,
    () => {},
    ({ library, id }) => {
      fillFreeMemory(library, 2 * (bytes + stored.byteLength), poison)
      const pointer = allocated(library, bytes)
      try {
        library.HEAPU8.fill(poison, pointer, pointer + bytes)
        const status = library.get_dataset_data(id, ONLY_DATASET, null, null, null, BigInt(pointer))
        if (status < 0) throw new Error('the HDF5 library cannot undo it')
        return library.HEAPU8.slice(pointer, pointer + bytes) as Uint8Array<ArrayBuffer>
      } finally {
        library._free(pointer)
      }
    },
    plugin === undefined ? [] : [plugin],
  )
}

/**
 * Filters that give too little, or read behind their input, then give what is written here, and not what memory has of another file.
 */
function fillFreeMemory(library: Hdf5Module, bytes: number, poison: number): void {
  const pointer = allocated(library, bytes)
  library.HEAPU8.fill(poison, pointer, pointer + bytes)
  library._free(pointer)
}

function allocated(library: Hdf5Module, bytes: number): number {
  const pointer = library._malloc(Math.max(1, bytes))
  if (pointer === 0) throw new Error('the HDF5 library has no memory left')
  return pointer
}
