import { dirname } from 'node:path'
import { isServiceError } from '../../plan/errors.ts'
import type { FingerprintRecorder } from './fingerprint/fingerprint.ts'
import { hasWildcard } from './patterns/glob.ts'
import { parsePath } from './patterns/path.ts'
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

/** Tells whether a folder is a dataset itself or lies in one: groups and arrays inside a store are no datasets of their own. */
export function createTopFolders(root: DatasetRoot, fingerprint: FingerprintRecorder) {
  const known = new Map<string, Promise<boolean>>()
  /** Whether the folder or one above it has a file of this name. */
  function isInStore(folder: string, marker: string): Promise<boolean> {
    const key = `${marker}/${folder}`
    const answer = known.get(key) ?? lookUp(folder, marker)
    known.set(key, answer)
    return answer
  }
  async function lookUp(folder: string, marker: string): Promise<boolean> {
    if (await exists(root, `${root.location}/${folder}/${marker}`, fingerprint)) return true
    return folder === '.' ? false : isInStore(dirname(folder), marker)
  }
  return {
    /** Whether a marker is that of the outermost folder: no folder above its own has one too. */
    async isTop(path: string, marker: string): Promise<boolean> {
      const store = dirname(path)
      return store === '.' || !(await isInStore(dirname(store), marker))
    },
  }
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
