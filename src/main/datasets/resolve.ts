import { ServiceError } from '../../plan/errors.ts'
import type { FileRef, FolderRef } from '../../plan/source/file.ts'
import { createSlice, runInSlices } from '../../plan/steps.ts'
import { isBesideData } from './beside-data.ts'
import { findFiles } from './find/find.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from './fingerprint/fingerprint.ts'
import { findLocated, type Location, type LocationTest } from './partitions/find-located.ts'
import { type FoundPath, findPassing } from './partitions/find-passing.ts'
import { type Levels, levelsOf } from './partitions/level.ts'
import type { PartitionFilter } from './partitions/partition-filter.ts'
import type { DatasetRoot } from './root.ts'
import { settle } from './settle.ts'
import { statFiles } from './stat.ts'

/** A name of a dataset that a search has found, as rules are applied to it. */
export interface NamedDataset extends Pick<FileRef, 'path' | 'location'> {
  /** Absent: the dataset is one file. */
  readonly folder?: Pick<FolderRef, 'marker'>
}

/** The datasets that a search has found. */
export interface ResolvedFiles {
  readonly files: readonly FileRef[]
  /** What was named as well, and is no file of its own: other names of files, and datasets in other ones, which have their rows. */
  readonly others: readonly NamedDataset[]
  /** The levels of folders `key=value` in their paths. */
  readonly levels: Levels
  /** The key of the test by which files were left out. Null: all files are there. */
  readonly testKey: string | null
}

/**
 * The files of a query with their versions, in the order of `paths`, and in byte order within each path. A file that is named
 * twice, or by a link as well, is there once. Patterns and folders leave out files without rows that tools write beside their
 * data. Rejects with `no_files` for a path that gives none, `invalid_path`, `unreadable_file`, `file_changed`,
 * `path_unavailable`, or the reason of the signal. The fingerprint of a search that fails is invalid. `markers` are names of files
 * that mark a folder as one dataset of another format. Such folders are not searched. Who asks has to decide whether all of it may be read.
 */
export async function resolveFiles(
  root: DatasetRoot,
  paths: readonly string[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder = NO_FINGERPRINT,
  markers: readonly string[] = [],
): Promise<ResolvedFiles> {
  return invalidateOnError(fingerprint, async () => {
    const foundPaths: FoundPath[] = []
    const folders: string[] = []
    for (const path of paths) {
      const { isAsWritten, files, partitions } = await findFiles(root, path, signal, fingerprint, markers)
      foundPaths.push({ path, isAsWritten, files, isCut: false })
      folders.push(...partitions)
    }
    const { files, others } = await refsOf(root, foundPaths, signal, fingerprint)
    const levels = await runInSlices(levelsOf(files, folders))
    return Object.freeze({ files, others, levels, testKey: null })
  })
}

/**
 * `resolveFiles` without the files below folders `key=value` that do not pass the filter, which are not listed. Null: the filter
 * leaves no files, or cannot be applied to folders.
 */
export async function resolvePassing(
  root: DatasetRoot,
  paths: readonly string[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
  filter: PartitionFilter,
): Promise<ResolvedFiles | null> {
  return invalidateOnError(fingerprint, async () => {
    const passing = await findPassing(root, paths, signal, fingerprint, markers, filter)
    if (passing === null) return null
    const { foundPaths, levels, testKey } = passing
    const { files, others } = await refsOf(root, foundPaths, signal, fingerprint)
    return files.length === 0 ? null : Object.freeze({ files, others, levels, testKey })
  })
}

/** The files of a location. */
export interface LocatedFiles {
  readonly files: readonly FileRef[]
  /** How many folders `key=value`, or files, the test has left out. */
  readonly leftOut: number
}

/**
 * The files of a location, as `resolveFiles` gives those of a path. There may be none. What does not pass the test is left out, and nothing
 * below it is listed.
 */
export async function resolveLocation(
  root: DatasetRoot,
  location: Location,
  test: LocationTest,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
): Promise<LocatedFiles> {
  return invalidateOnError(fingerprint, async () => {
    const { leftOut, ...located } = await findLocated(root, location, test, signal, fingerprint, markers)
    const named = [{ ...located, path: location.path, isCut: true }]
    const { files } = await refsOf(root, named, signal, fingerprint)
    return Object.freeze({ files, leftOut })
  })
}

async function invalidateOnError<T>(fingerprint: FingerprintRecorder, search: () => Promise<T>): Promise<T> {
  try {
    return await search()
  } catch (error) {
    fingerprint.invalidate()
    throw error
  }
}

async function refsOf(
  root: DatasetRoot,
  foundPaths: readonly FoundPath[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
): Promise<Pick<ResolvedFiles, 'files' | 'others'>> {
  const refs = new Map<string, FileRef>()
  const others: NamedDataset[] = []
  const slice = createSlice()
  for (const { path, isAsWritten, files: named, isCut } of foundPaths) {
    let count = 0
    const files = await statFiles(root, named, signal, fingerprint)
    for (const file of await settle(root, files, signal, fingerprint)) {
      if (slice.isOver()) await slice.next()
      if (file === null || (!isAsWritten && isBesideData(file))) continue
      count++
      const { path: name, location, version } = file
      const existingRef = refs.get(location)
      if (existingRef === undefined) refs.set(location, Object.freeze({ path: name, location, version }))
      else if (existingRef.path !== name) others.push({ path: name, location })
    }
    if (count === 0 && !isCut)
      throw new ServiceError('no_files', `No file matched ${JSON.stringify(path)}`, { about: path })
  }
  return { files: Object.freeze([...refs.values()]), others: Object.freeze(others) }
}
