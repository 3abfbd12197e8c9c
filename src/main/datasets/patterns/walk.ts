import type { BigIntStats, Dirent } from 'node:fs'
import { isMissing } from '../file-errors.ts'
import type { DatasetFiles } from '../file-system/dataset-files.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from '../fingerprint/fingerprint.ts'
import { advance, begin, isComplete, type Progress, type Segment } from './glob.ts'

/** Paths that match a pattern. */
export interface Matches {
  /** Relative to the folder that was walked, in no order. */
  readonly paths: readonly string[]
  /** The paths that are symbolic links, whatever they lead to. All others are regular files. */
  readonly links: ReadonlySet<string>
  /** The folders that have a marker. Their other contents were not read. */
  readonly stores: readonly MatchedStore[]
}

/** A folder that is one dataset, because it has a marker file. */
export interface MatchedStore {
  /** Relative to the folder that was walked, for which it is ''. */
  readonly path: string
  readonly marker: string
  /** The stats of the marker. */
  readonly stats: BigIntStats
  /** Whether the pattern matches the folder, and whether it matches the marker in it. */
  readonly isMatched: boolean
  readonly isMarkerMatched: boolean
}

/** Folders read at the same time, which hides the latency of a network file system. */
const CONCURRENT_FOLDERS = 16

interface Folder {
  readonly path: string
  readonly progress: Progress
}

/**
 * Finds what matches a pattern below a folder. Links to folders are not followed: they may lead out of the root or back to a
 * folder above. A folder that the service may not read counts as empty, as in a shell. A folder with one of the markers is not
 * read, because it may have millions of objects. Rejects with `path_unavailable`, the error of the system, or the reason of the
 * signal.
 */
export async function walk(
  files: DatasetFiles,
  location: string,
  pattern: readonly Segment[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder = NO_FINGERPRINT,
  markers: readonly string[] = [],
): Promise<Matches> {
  const paths: string[] = []
  const links = new Set<string>()
  const stores: MatchedStore[] = []
  const pending: Folder[] = [{ path: '', progress: begin(pattern) }]

  function visit(folder: Folder, entry: Dirent): void {
    signal.throwIfAborted()
    const progress = advance(pattern, folder.progress, entry.name)
    if (progress.length === 0) return
    const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`
    if (entry.isDirectory()) pending.push({ path, progress })
    else if (isComplete(pattern, progress) && (entry.isFile() || entry.isSymbolicLink())) {
      paths.push(path)
      if (entry.isSymbolicLink()) links.add(path)
    }
  }

  async function read(folder: Folder): Promise<void> {
    const path = folder.path === '' ? location : `${location}/${folder.path}`
    try {
      // The version is taken before the entries are read, so that a change during the reading is detected later.
      const requestedAt = Date.now()
      const stats = await files.lstat(path)
      const found = await findMarker(files, path, markers, fingerprint)
      if (found !== null) {
        const isMatched = isComplete(pattern, folder.progress)
        const isMarkerMatched = isComplete(pattern, advance(pattern, folder.progress, found.marker))
        stores.push({ path: folder.path, ...found, isMatched, isMarkerMatched })
        return
      }
      fingerprint.recordStat(path, stats, requestedAt)
      for await (const entry of await files.entries(path)) visit(folder, entry)
    } catch (error) {
      if (!isUnreadable(error)) throw error
    }
  }

  while (pending.length > 0) await Promise.all(pending.splice(-CONCURRENT_FOLDERS).map(read))
  return { paths, links, stores }
}

/**
 * The first of the markers that is a regular file in a folder. Null: none is, as long as the folder keeps its version, which the
 * caller has to record.
 */
export async function findMarker(
  files: DatasetFiles,
  folder: string,
  markers: readonly string[],
  fingerprint: FingerprintRecorder,
): Promise<{ readonly marker: string; readonly stats: BigIntStats } | null> {
  const records: (() => void)[] = []
  for (const marker of markers) {
    const path = `${folder}/${marker}`
    const requestedAt = Date.now()
    const stats = await lstatIfThere(files, path)
    records.push(() => {
      if (stats === null) fingerprint.recordRealpath(path, null)
      else fingerprint.recordStat(path, stats, requestedAt)
    })
    if (!stats?.isFile()) continue
    for (const record of records) record()
    return { marker, stats }
  }
  return null
}

async function lstatIfThere(files: DatasetFiles, path: string): Promise<BigIntStats | null> {
  try {
    return await files.lstat(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Whether a folder is forbidden, or was removed after its parent was read. */
function isUnreadable(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'EACCES' || code === 'EPERM' || code === 'ENOENT' || code === 'ENOTDIR'
}
