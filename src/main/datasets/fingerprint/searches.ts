import type { FormatStorage } from '../../../plan/format/format-row.ts'
import { createLru } from '../../../plan/lru.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { resolveFiles } from '../resolve.ts'
import { resolveStores } from '../resolve-stores.ts'
import type { DatasetRoot } from '../root.ts'
import {
  createFingerprint,
  type Fingerprint,
  type FingerprintRecorder,
  NO_FINGERPRINT,
} from './fingerprint.ts'
import { createSharedChecks } from './shared-checks.ts'

/**
 * `resolveFiles`, or `resolveStores` for formats whose datasets are folders, with a cache: the result of a search is given again while its
 * fingerprint is unchanged.
 */
export type Search = (
  paths: readonly string[],
  signal: AbortSignal,
  fingerprint?: FingerprintRecorder,
  storage?: FormatStorage,
) => Promise<readonly FileRef[]>

interface KeptSearch {
  readonly files: readonly FileRef[]
  readonly fingerprint: Fingerprint
}

/** The most paths and versions in the fingerprints of all kept searches together, about 500 bytes each. */
const CAPACITY = 65_536

const OBJECT: FormatStorage = Object.freeze({ kind: 'object' })

/** `markers`: the names of the files that mark folders as datasets, of all formats. */
export function createSearch(root: DatasetRoot, markers: readonly string[] = []): Search {
  const searches = createLru<KeptSearch>(
    CAPACITY,
    ({ fingerprint }) => 1 + fingerprint.realpaths.size + fingerprint.versions.size,
  )
  const isUnchanged = createSharedChecks(root.files)
  const resolve = (
    paths: readonly string[],
    storage: FormatStorage,
    signal: AbortSignal,
    fingerprint: FingerprintRecorder,
  ): Promise<readonly FileRef[]> =>
    storage.kind === 'folder'
      ? resolveStores(root, paths, { own: storage.markers, all: markers }, signal, fingerprint)
      : resolveFiles(root, paths, signal, fingerprint, markers)
  return async (paths, signal, fingerprint = NO_FINGERPRINT, storage = OBJECT) => {
    const key = JSON.stringify(storage.kind === 'folder' ? [storage.markers, paths] : paths)
    const known = searches.get(key)
    if (known !== undefined && (await isUnchanged(known.fingerprint))) {
      signal.throwIfAborted()
      fingerprint.include(known.fingerprint)
      return known.files
    }
    const own = createFingerprint()
    try {
      const files = await resolve(paths, storage, signal, own)
      if (own.isVerifiable) searches.put(key, { files, fingerprint: own })
      return files
    } finally {
      fingerprint.include(own)
    }
  }
}
