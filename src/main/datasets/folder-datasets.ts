import { isServiceError } from '../../plan/errors.ts'
import { hasWildcard } from '../patterns/glob.ts'
import { parsePath } from '../patterns/path.ts'
import type { FingerprintRecorder } from './fingerprint/fingerprint.ts'
import type { DatasetRoot } from './root.ts'

/** Whether all that a pattern can match is in a folder dataset. Then the files belong to that, and there may be millions. */
export async function isInFolderDataset(
  root: DatasetRoot,
  markers: readonly string[],
  pattern: string,
  fingerprint: FingerprintRecorder,
): Promise<boolean> {
  const { names } = parsePath(pattern)
  const wildcard = names.findIndex(hasWildcard)
  const fixed = wildcard < 0 ? names : names.slice(0, wildcard)
  const base = markers.includes(fixed.at(-1) ?? '') ? fixed.slice(0, -1) : fixed
  for (const depth of base.keys())
    for (const marker of markers)
      if (await exists(root, [root.location, ...base.slice(0, depth), marker].join('/'), fingerprint))
        return true
  return false
}

async function exists(
  { files }: DatasetRoot,
  path: string,
  fingerprint: FingerprintRecorder,
): Promise<boolean> {
  try {
    fingerprint.recordRealpath(path, await files.realpath(path))
    return true
  } catch (error) {
    if (isServiceError(error)) throw error
    fingerprint.recordRealpath(path, null)
    return false
  }
}
