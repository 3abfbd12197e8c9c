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
    search: (own: FingerprintRecorder) => Promise<R>,
    keyOf: (result: T) => string,
    fingerprint: FingerprintRecorder,
  ): Promise<R>
}

/** `capacity`: the most paths and versions in the fingerprints of all kept searches together, about 500 bytes each. */
export function createKeptSearches<T>(files: DatasetFiles, capacity: number): KeptSearches<T> {
  const searches = createLru<{ readonly result: T; readonly fingerprint: Fingerprint }>(
    capacity,
    ({ fingerprint }) => 1 + fingerprint.realpaths.size + fingerprint.versions.size,
  )
  const isUnchanged = createSharedChecks(files)
  return {
    async find(key, signal, fingerprint) {
      const known = searches.get(key)
      if (known === undefined || !(await isUnchanged(known.fingerprint))) return null
      signal.throwIfAborted()
      fingerprint.include(known.fingerprint)
      return known.result
    },
    async make(search, keyOf, fingerprint) {
      const own = createFingerprint()
      try {
        const result = await search(own)
        if (result !== null && own.isVerifiable) searches.put(keyOf(result), { result, fingerprint: own })
        return result
      } finally {
        fingerprint.include(own)
      }
    },
  }
}
