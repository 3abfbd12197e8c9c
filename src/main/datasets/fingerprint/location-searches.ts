import { isServiceError } from '../../../plan/errors.ts'
import type { FormatStorage } from '../../../plan/format/format-row.ts'
import type { EveryRight } from '../../auth/rights/rights.ts'
import { markersOf } from '../find/find-stores.ts'
import type { Location, LocationTest } from '../partitions/find-located.ts'
import { type LocatedFiles, resolveLocation } from '../resolve.ts'
import { resolveStores } from '../resolve-stores.ts'
import type { DatasetRoot } from '../root.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from './fingerprint.ts'
import { createKeptSearches } from './kept-searches.ts'

/** What folders are left out by. */
export interface KeyedTest {
  /** A key that is equal for tests that give equal results. */
  readonly key: string
  readonly passes: LocationTest
}

/**
 * Finds the files of a location, of which there may be none, with a cache: what was found is given again while the fingerprint of the
 * search is unchanged. A test of null leaves out nothing, as it does for datasets that are folders. Locations are those of registered
 * tables, to whose files rules on paths do not apply: who asks has the right to the table.
 */
export type SearchLocation = (
  location: Location,
  test: KeyedTest | null,
  rights: EveryRight,
  signal: AbortSignal,
  fingerprint?: FingerprintRecorder,
  storage?: FormatStorage,
) => Promise<LocatedFiles>

const OBJECT: FormatStorage = Object.freeze({ kind: 'object' })
const NOTHING: LocatedFiles = Object.freeze({ files: Object.freeze([]), leftOut: 0 })

/** `markers`: the names of the files that mark folders as datasets, of all formats. */
export function createLocationSearch(root: DatasetRoot, markers: readonly string[] = []): SearchLocation {
  const cachedSearches = createKeptSearches<LocatedFiles>(root.files, (result, files) =>
    Object.freeze({ ...result, files }),
  )
  return async (location, test, _rights, signal, fingerprint = NO_FINGERPRINT, storage = OBJECT) => {
    const { path, extensions, keys } = location
    const key = JSON.stringify([path, extensions, keys, storage, test?.key ?? null])
    const cachedFiles = await cachedSearches.find(key, signal, fingerprint)
    if (cachedFiles !== null) return cachedFiles
    const search = (recorder: FingerprintRecorder): Promise<LocatedFiles> =>
      storage.kind === 'folder'
        ? storesOf(root, path, markersOf(storage, markers), signal, recorder)
        : resolveLocation(root, location, test?.passes ?? all, signal, recorder, markers)
    return cachedSearches.make(search, () => key, fingerprint)
  }
}

const all: LocationTest = () => true

/** The datasets that are folders. */
async function storesOf(
  root: DatasetRoot,
  path: string,
  markers: Parameters<typeof resolveStores>[2],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
): Promise<LocatedFiles> {
  try {
    const { files } = await resolveStores(root, [path], markers, signal, fingerprint)
    return Object.freeze({ files, leftOut: 0 })
  } catch (error) {
    if (isServiceError(error) && error.code === 'no_files') return NOTHING
    throw error
  }
}
