import type { FileRef } from '../../plan/source/file.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { OpenStore, Store } from './store.ts'

/**
 * Opens the store of a small file all of whose bytes are in memory, which stays as it is until the store is closed. A store that cannot take
 * them as they are reads them there again.
 */
export function openHeld(
  openStore: OpenStore,
  file: FileRef,
  bytes: Uint8Array,
  stopwatch: Stopwatch,
): Store {
  const store = openStore(file, stopwatch)
  if (store.adopt !== undefined) store.adopt(bytes)
  else store.hold?.(bytes)
  return store
}
