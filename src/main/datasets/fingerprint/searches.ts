import type { FormatStorage } from '../../../plan/format/format-row.ts'
import { createLru } from '../../../plan/lru.ts'
import { markersOf } from '../find/find-stores.ts'
import type { Level } from '../partitions/level.ts'
import type { PartitionFilter } from '../partitions/partition-filter.ts'
import { type ResolvedFiles, resolveFiles, resolvePassing } from '../resolve.ts'
import { resolveStores } from '../resolve-stores.ts'
import type { DatasetRoot } from '../root.ts'
import type { FingerprintRecorder } from './fingerprint.ts'
import { createKeptSearches } from './kept-searches.ts'

/**
 * `resolveFiles`, or `resolveStores` for formats whose datasets are folders, with a cache: the result of a search is given again while its
 * fingerprint is unchanged. With a filter, files may be left out as by `resolvePassing`. They need not be; all of them are there if
 * none would be left. Nobody has decided yet whether what is found may be read: `createSearch` does.
 */
export type UndecidedSearch = (
  paths: readonly string[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  storage: FormatStorage,
  filter: PartitionFilter | null,
) => Promise<ResolvedFiles>

/** What is remembered of the levels of paths. It only says which kept search to look at. */
interface LastLevels {
  /** Empty: no filter applies to folders. */
  readonly levels: readonly Level[]
  /** Keys of tests that left out nothing. */
  readonly passing: Set<string>
}

/** The most names of folders in the levels that are remembered. */
const LEVEL_CAPACITY = 65_536

/** The most keys of tests that are remembered for one list of paths. */
const MOST_TESTS = 64

export const OBJECT: FormatStorage = Object.freeze({ kind: 'object' })

/** `markers`: the names of the files that mark folders as datasets, of all formats. */
export function createUndecidedSearch(root: DatasetRoot, markers: readonly string[]): UndecidedSearch {
  const cachedSearches = createKeptSearches<ResolvedFiles>(root.files, (result, files) =>
    Object.freeze({ ...result, files }),
  )
  /** The levels that paths had the last time. By them a kept search with the same test is found, whose fingerprint is checked. */
  const lastLevels = createLru<LastLevels>(LEVEL_CAPACITY, ({ levels }) =>
    levels.reduce((sum, { names }) => sum + names.size, MOST_TESTS),
  )

  /** Searches, and keeps what is found. */
  function searchAndKeep<T extends ResolvedFiles | null>(
    key: string,
    search: (recorder: FingerprintRecorder) => Promise<T>,
    fingerprint: FingerprintRecorder,
  ): Promise<T> {
    return cachedSearches.make(search, ({ testKey }) => keyWith(key, testKey), fingerprint)
  }

  /** A search with a filter, if that may leave out files. */
  async function searchWithFilter(
    key: string,
    paths: readonly string[],
    filter: PartitionFilter,
    signal: AbortSignal,
    fingerprint: FingerprintRecorder,
  ): Promise<ResolvedFiles | null> {
    const last = lastLevels.get(key)
    if (last?.levels.length === 0) return null
    const test = last?.levels && filter.on(last.levels)
    if (test !== undefined) {
      if (test.key === null || last?.passing.has(test.key)) return null
      const cachedFiles = await cachedSearches.find(keyWith(key, test.key), signal, fingerprint)
      if (cachedFiles !== null) return cachedFiles
    }
    const result = await searchAndKeep(
      key,
      (recorder) => resolvePassing(root, paths, signal, recorder, markers, filter),
      fingerprint,
    )
    const passing = new Set(last?.passing)
    const tested = result?.levels && filter.on(result.levels).key
    if (result?.testKey === null && tested && passing.size < MOST_TESTS) passing.add(tested)
    if (result?.levels) lastLevels.put(key, { levels: result.levels, passing })
    return result
  }

  return async (paths, signal, fingerprint, storage, filter) => {
    if (storage.kind === 'folder') {
      const key = JSON.stringify([storage.markers, paths])
      const storeMarkers = markersOf(storage, markers)
      return (
        (await cachedSearches.find(key, signal, fingerprint)) ??
        (await searchAndKeep(
          key,
          (recorder) => resolveStores(root, paths, storeMarkers, signal, recorder),
          fingerprint,
        ))
      )
    }
    const key = JSON.stringify(paths)
    const passing = filter && (await searchWithFilter(key, paths, filter, signal, fingerprint))
    if (passing) return passing
    const cachedFiles = await cachedSearches.find(key, signal, fingerprint)
    if (cachedFiles !== null) return cachedFiles
    const result = await searchAndKeep(
      key,
      (recorder) => resolveFiles(root, paths, signal, recorder, markers),
      fingerprint,
    )
    lastLevels.put(key, { levels: result.levels ?? [], passing: new Set(lastLevels.get(key)?.passing) })
    return result
  }
}

/** The key of a search with a test. */
function keyWith(key: string, testKey: string | null): string {
  return testKey === null ? key : `${key} ${testKey}`
}
