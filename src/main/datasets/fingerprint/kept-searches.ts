import { createLru } from '../../../plan/lru.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { sameVersion } from '../../../plan/source/version.ts'
import { createSlice, isTrueOfAll, runInSlices } from '../../../plan/steps.ts'
import type { DatasetFiles } from '../file-system/dataset-files.ts'
import { type FileRows, LEAST_ROWS, packFiles } from './file-rows.ts'
import { createFingerprint, type Fingerprint, type FingerprintRecorder } from './fingerprint.ts'
import { createSharedChecks } from './shared-checks.ts'

/** What a search has found. */
interface Findings {
  readonly files: readonly FileRef[]
}

/** Keeps what searches have found. It is given again while the fingerprint of the search is unchanged. */
export interface KeptSearches<T extends Findings> {
  /** What the search of this key has found. Null: it is not known, or no longer true. */
  find(key: string, signal: AbortSignal, fingerprint: FingerprintRecorder): Promise<T | null>
  /** Searches, and keeps what is found. `keyOf` gives its key. Null is not kept. */
  make<R extends T | null>(
    search: (recorder: FingerprintRecorder) => Promise<R>,
    keyOf: (result: T) => string,
    fingerprint: FingerprintRecorder,
  ): Promise<R>
}

/** The most paths and versions in the fingerprints of all kept searches together, up to 500 bytes each. A folder of 100 000 files fits. */
export const MOST_KEPT = 1 << 17

/** What is kept of a search. */
interface KeptSearch<T> {
  readonly fingerprint: Fingerprint
  /** What it has found: the same object as long as somebody has it. */
  result(): T | Promise<T>
}

/** `withFiles`: the same findings with these files. */
export function createKeptSearches<T extends Findings>(
  files: DatasetFiles,
  withFiles: (result: T, files: readonly FileRef[]) => T,
): KeptSearches<T> {
  const searches = createLru<KeptSearch<T>>(MOST_KEPT, ({ fingerprint }) => 1 + sizeOf(fingerprint))
  const isUnchanged = createSharedChecks(files)

  /** What is kept of a search, its files as rows if they are many. */
  async function pack(result: T, recorder: FingerprintRecorder): Promise<KeptSearch<T>> {
    const many = result.files.length >= LEAST_ROWS
    const areRecorded = many && (await areVersions(result.files, recorder.versions))
    const rows = areRecorded ? await runInSlices(packFiles(result.files)) : null
    if (rows === null) return keepAsItIs(result, recorder)
    await omitAll(result.files, recorder)
    const { realpaths } = recorder
    // A map keeps the room of what was deleted from it.
    const versions = new Map(recorder.versions)
    return {
      fingerprint: Object.freeze({ realpaths, versions, lists: [rows], isVerifiable: true }),
      result: giveAgain(new WeakRef(result), withFiles(result, NO_FILES), rows),
    }
  }

  /** Apart from its caller, since a closure holds all variables around it that another closure there uses. */
  function giveAgain(given: WeakRef<T>, withoutFiles: T, rows: FileRows): () => Promise<T> {
    let latest = given
    return async () => {
      const earlier = latest.deref()
      if (earlier !== undefined) return earlier
      const again = withFiles(withoutFiles, await rows.files())
      latest = new WeakRef(again)
      return again
    }
  }

  return {
    async find(key, signal, fingerprint) {
      const cachedSearch = searches.get(key)
      if (cachedSearch === undefined) return null
      const result = await cachedSearch.result()
      if (!(await isUnchanged(cachedSearch.fingerprint))) return null
      signal.throwIfAborted()
      fingerprint.include(cachedSearch.fingerprint)
      return result
    },
    async make(search, keyOf, fingerprint) {
      const recorder = createFingerprint(MOST_KEPT)
      let seen: Fingerprint = recorder
      try {
        const result = await search(recorder)
        if (result !== null && recorder.isVerifiable) {
          const keptSearch = await pack(result, recorder)
          seen = keptSearch.fingerprint
          searches.put(keyOf(result), keptSearch)
        }
        return result
      } finally {
        fingerprint.include(seen)
      }
    },
  }
}

function sizeOf({ realpaths, versions, lists }: Fingerprint): number {
  return lists.reduce((sum, { count }) => sum + count, realpaths.size + versions.size)
}

function keepAsItIs<T>(result: T, fingerprint: Fingerprint): KeptSearch<T> {
  return { fingerprint, result: () => result }
}

const NO_FILES: readonly FileRef[] = Object.freeze([])

/** Whether all files have the versions that were recorded. */
function areVersions(files: readonly FileRef[], recorded: Fingerprint['versions']): Promise<boolean> {
  return isTrueOfAll(files, ({ location, version }) => {
    const recordedVersion = recorded.get(location)
    return recordedVersion !== undefined && sameVersion(recordedVersion, version)
  })
}

async function omitAll(files: readonly FileRef[], recorder: FingerprintRecorder): Promise<void> {
  const slice = createSlice()
  for (const { location } of files) {
    if (slice.isOver()) await slice.next()
    recorder.omit(location)
  }
}
