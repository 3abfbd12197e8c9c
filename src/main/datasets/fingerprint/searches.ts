import type { FormatStorage } from '../../../plan/format/format-row.ts'
import { createRecent } from '../../../plan/recent.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { resolveFiles } from '../resolve.ts'
import { resolveStores } from '../resolve-stores.ts'
import type { DatasetRoot } from '../root.ts'
import { createTrail, NO_TRAIL, type Trail, type TrailMaker } from './fingerprint.ts'
import { createLooks } from './shared-checks.ts'

/**
 * As `resolveFiles`, or `resolveStores` where datasets are stored as folders; a search is not made again while everything
 * that it saw is as it was.
 */
export type Search = (
  paths: readonly string[],
  signal: AbortSignal,
  trail?: TrailMaker,
  storage?: FormatStorage,
) => Promise<readonly FileRef[]>

interface Found {
  readonly files: readonly FileRef[]
  readonly trail: Trail
}

/** Files and folders of all trails together, about 500 bytes each. */
const CAPACITY = 65_536

const OBJECT: FormatStorage = Object.freeze({ kind: 'object' })

/** `markers`: those of all formats whose datasets are folders. */
export function createSearch(root: DatasetRoot, markers: readonly string[] = []): Search {
  const searches = createRecent<Found>(CAPACITY, ({ trail }) => 1 + trail.places.size + trail.versions.size)
  const isUnchanged = createLooks(root.files)
  const resolve = (
    paths: readonly string[],
    storage: FormatStorage,
    signal: AbortSignal,
    trail: TrailMaker,
  ): Promise<readonly FileRef[]> =>
    storage.kind === 'folder'
      ? resolveStores(root, paths, storage.markers, markers, signal, trail)
      : resolveFiles(root, paths, signal, trail, markers)
  return async (paths, signal, trail = NO_TRAIL, storage = OBJECT) => {
    const key = JSON.stringify(storage.kind === 'folder' ? [storage.markers, paths] : paths)
    const known = searches.get(key)
    if (known !== undefined && (await isUnchanged(known.trail))) {
      signal.throwIfAborted()
      trail.follow(known.trail)
      return known.files
    }
    const own = createTrail()
    try {
      const files = await resolve(paths, storage, signal, own)
      if (own.isWhole) searches.put(key, { files, trail: own })
      return files
    } finally {
      trail.follow(own)
    }
  }
}
