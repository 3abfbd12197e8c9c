import { createLru } from '../../../plan/lru.ts'
import type { DatasetFiles } from '../file-system/dataset-files.ts'
import { createFingerprint, type Fingerprint, type FingerprintRecorder } from './fingerprint.ts'
import { createSharedChecks } from './shared-checks.ts'

/** Keeps what searches have found. It is given again while the fingerprint of the search is unchanged. */
export interface KeptSearches<T> {
  /** What the search of this key has found. Null: it is not known, or no longer true. */
  find(key: string, signal: AbortSignal, fingerprint: FingerprintRecorder): Promise<T | null>
  /** Searches, and keeps what is found. `keyOf` gives its key. Null is not kept. */
  make<R extends T | null>(
    search: (recorder: FingerprintRecorder) => Promise<R>,
    keyOf: (result: T) => string,
    fingerprint: FingerprintRecorder,
  ): Promise<R>
}

/** The most paths and versions in the fingerprints of all kept searches together, about 500 bytes each. A folder of 100 000 files fits. */
export const MOST_KEPT = 1 << 17

export function createKeptSearches<T>(files: DatasetFiles): KeptSearches<T> {
  const searches = createLru<{ readonly result: T; readonly fingerprint: Fingerprint }>(
    MOST_KEPT,
    ({ fingerprint }) => 1 + fingerprint.realpaths.size + fingerprint.versions.size,
  )
  const isUnchanged = createSharedChecks(files)
  return {
    async find(key, signal, fingerprint) {
      const cachedSearch = searches.get(key)
      if (cachedSearch === undefined || !(await isUnchanged(cachedSearch.fingerprint))) return null
      signal.throwIfAborted()
      fingerprint.include(cachedSearch.fingerprint)
      return cachedSearch.result
    },
    async make(search, keyOf, fingerprint) {
      const recorder = createFingerprint(MOST_KEPT)
      try {
        const result = await search(recorder)
        if (result !== null && recorder.isVerifiable)
          searches.put(keyOf(result), { result, fingerprint: recorder })
        return result
      } finally {
        fingerprint.include(recorder)
      }
    },
  }
}
