import type { FetchedBytes } from '../../plan/source/fetched-bytes.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { descriptorPath } from './descriptor-path.ts'
import { openFileStore } from './file-store.ts'
import { memoryStore } from './memory-store.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { FileStore } from './store.ts'

/** The store of bytes that another service has sent. */
export function openFetchedStore(file: FileRef, fetched: FetchedBytes, stopwatch: Stopwatch): FileStore {
  // Readers decode text, which is not possible in shared memory.
  if (fetched.kind === 'memory') return memoryStore(new Uint8Array(fetched.bytes).slice(), file)
  const { descriptor, version } = fetched.temp
  const { path } = file
  const stored = openFileStore({ path, location: descriptorPath(descriptor), version }, stopwatch)
  const store: FileStore = { ...stored, file, open: (key) => (key === '' ? store : null) }
  return store
}
