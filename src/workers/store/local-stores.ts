import { createLru } from '../../plan/lru.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { decodeObjects } from '../../plan/source/object.ts'
import type { FileVersion } from '../../plan/source/version.ts'
import { openFetchedStore } from './fetched-store.ts'
import { openFileStore } from './file-store.ts'
import { openFolderStore } from './folder-store.ts'
import type { OpenStore } from './store.ts'

/** How many documents of folders are cached, which take about 300 bytes each. */
const MAX_DOCUMENTS = 16_384

const NONE: ReadonlyMap<string, FileVersion | null> = new Map()

/** Opens the stores of files and folders of this machine. */
export function createLocalStores(): OpenStore {
  /** The decoded documents of a folder, by its location and version: all tasks of a query bring the same. */
  const cachedDocuments = createLru<ReadonlyMap<string, FileVersion | null>>(
    MAX_DOCUMENTS,
    ({ size }) => 1 + size,
  )

  function documentsOf({ location, folder }: FileRef): ReadonlyMap<string, FileVersion | null> {
    if (folder === undefined || folder.documents === null) return NONE
    const key = `${location} ${folder.key}`
    const cached = cachedDocuments.get(key)
    if (cached !== undefined) return cached
    const documents = new Map(decodeObjects(folder.documents).map((each) => [each.location, each.version]))
    cachedDocuments.put(key, documents)
    return documents
  }

  return (file, stopwatch) => {
    if (file.fetched !== undefined) return openFetchedStore(file, file.fetched, stopwatch)
    return file.folder === undefined
      ? openFileStore(file, stopwatch)
      : openFolderStore(file, file.folder, documentsOf(file), stopwatch)
  }
}
