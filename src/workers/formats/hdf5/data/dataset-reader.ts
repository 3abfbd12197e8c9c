import { memoize } from '../../../../plan/memoize.ts'
import { isFileSettled } from '../../../../plan/source/file.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import type { Box, Slab } from '../../arrays/array-file.ts'
import { locateErrors } from '../../error-location.ts'
import type { ReadContext } from '../../provider.ts'
import { type DatasetArray, slabsOfBox } from './slabs.ts'
import { type DatasetStorage, readDatasetStorage } from './structures/dataset.ts'
import { createStructureCache, createStructures, type StructureCache } from './structures/structures.ts'
import { readSuperblock, type Superblock } from './structures/superblock.ts'

/** Reads the elements of the datasets of one version of a file. */
export interface DatasetReader {
  /** The elements of a box, as `ArrayFile.slabs`. The name of the array is put in front of messages. */
  slabs(
    store: Store,
    array: DatasetArray & { readonly name: string },
    box: Box,
    context: ReadContext,
    exclusiveBox?: Box | null,
  ): Iterable<Slab>
}

/** What was read of a file. */
interface Known {
  readonly headers: KnownHeaders
  /** Nodes of indexes among them, which tell where the values of one file are. */
  readonly cache: StructureCache
}

/** What headers say: the metadata of the file. */
interface KnownHeaders {
  superblock: Superblock | null
  /** By the addresses of object headers. */
  readonly datasets: Map<number, DatasetStorage>
}

function createState(headers: KnownHeaders = { superblock: null, datasets: new Map() }): Known {
  return { headers, cache: createStructureCache() }
}

export interface DatasetReaderOptions {
  /** Whether it reads all files that have the same bytes as metadata. Default: one file. */
  readonly areFilesMany?: boolean
}

/** It holds no descriptor, and keeps headers and nodes of indexes in memory of bounded size, as long as it is kept. */
export function createDatasetReader({ areFilesMany = false }: DatasetReaderOptions = {}): DatasetReader {
  const fileState = createState()
  // A file that may still change under the same version is read again by each task.
  const stateOf = memoize((store: Store): Known => {
    const isSettled = isFileSettled(store.file)
    return isSettled && !areFilesMany ? fileState : createState(isSettled ? fileState.headers : undefined)
  })

  return {
    *slabs(store, array, box, context, exclusiveBox = null) {
      const location = `"${array.name}"`
      const slabs = locateErrors(location, () => {
        const { headers, cache } = stateOf(store)
        headers.superblock ??= readSuperblock(onlyObject(store))
        const structures = createStructures(onlyObject(store), headers.superblock, cache)
        const storage = headers.datasets.get(array.address) ?? readDatasetStorage(structures, array.address)
        headers.datasets.set(array.address, storage)
        return slabsOfBox({ store, structures, storage, array, exclusiveBox }, box, context)
      })
      try {
        for (;;) {
          const next = locateErrors(location, () => slabs.next())
          if (next.done === true) return
          yield next.value
        }
      } finally {
        slabs.return(undefined)
      }
    },
  }
}
