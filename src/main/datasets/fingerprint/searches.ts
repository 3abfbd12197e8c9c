import { createRecent } from '../../../plan/recent.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { resolveFiles } from '../resolve.ts'
import type { DatasetRoot } from '../root.ts'
import {
  createFingerprint,
  type Fingerprint,
  type FingerprintRecorder,
  NO_FINGERPRINT,
} from './fingerprint.ts'
import { createSharedChecks } from './shared-checks.ts'

/** `resolveFiles` with a cache: the result of a search is given again while its fingerprint is unchanged. */
export type Search = (
  paths: readonly string[],
  signal: AbortSignal,
  fingerprint?: FingerprintRecorder,
) => Promise<readonly FileRef[]>

interface KeptSearch {
  readonly files: readonly FileRef[]
  readonly fingerprint: Fingerprint
}

/** The most paths and versions in the fingerprints of all kept searches together, about 500 bytes each. */
const CAPACITY = 65_536

export function createSearch(root: DatasetRoot): Search {
  const searches = createRecent<KeptSearch>(
    CAPACITY,
    ({ fingerprint }) => 1 + fingerprint.realpaths.size + fingerprint.versions.size,
  )
  const isUnchanged = createSharedChecks(root.files)
  return async (paths, signal, fingerprint = NO_FINGERPRINT) => {
    const key = JSON.stringify(paths)
    const known = searches.get(key)
    if (known !== undefined && (await isUnchanged(known.fingerprint))) {
      signal.throwIfAborted()
      fingerprint.include(known.fingerprint)
      return known.files
    }
    const own = createFingerprint()
    try {
      const files = await resolveFiles(root, paths, signal, own)
      if (own.isVerifiable) searches.put(key, { files, fingerprint: own })
      return files
    } finally {
      fingerprint.include(own)
    }
  }
}
