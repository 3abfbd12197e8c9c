import { isFileSettled } from '../../../../plan/source/file.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import type { Box, Slab } from '../../arrays/array-file.ts'
import { locatingErrors } from '../../error-location.ts'
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
    own?: Box | null,
  ): Iterable<Slab>
}

/** What was read of a file. */
interface Known {
  superblock: Superblock | null
  readonly cache: StructureCache
  /** By the addresses of object headers. */
  readonly datasets: Map<number, DatasetStorage>
}

function nothingKnown(): Known {
  return { superblock: null, cache: createStructureCache(), datasets: new Map() }
}

/** It holds no descriptor, and keeps headers and nodes of indexes in memory of bounded size, as long as it is kept. */
export function createDatasetReader(): DatasetReader {
  const kept = nothingKnown()
  // A file that may still change under the same version is read again by each task.
  const ofStores = new WeakMap<Store, Known>()

  function knownOf(store: Store): Known {
    if (isFileSettled(store.file)) return kept
    const known = ofStores.get(store) ?? nothingKnown()
    ofStores.set(store, known)
    return known
  }

  return {
    *slabs(store, array, box, context, own = null) {
      const location = `"${array.name}"`
      const slabs = locatingErrors(location, () => {
        const known = knownOf(store)
        known.superblock ??= readSuperblock(onlyObject(store))
        const structures = createStructures(onlyObject(store), known.superblock, known.cache)
        const storage = known.datasets.get(array.address) ?? readDatasetStorage(structures, array.address)
        known.datasets.set(array.address, storage)
        return slabsOfBox({ store, structures, storage, array, own }, box, context)
      })
      try {
        for (;;) {
          const next = locatingErrors(location, () => slabs.next())
          if (next.done === true) return
          yield next.value
        }
      } finally {
        slabs.return(undefined)
      }
    },
  }
}
