import type { BigIntStats, Dirent } from 'node:fs'
import { isMissing } from '../file-errors.ts'
import type { DatasetFiles } from '../file-system/dataset-files.ts'
import { NO_TRAIL, type TrailMaker } from '../fingerprint/fingerprint.ts'
import { advance, begin, isComplete, type Progress, type Segment } from './glob.ts'

/** What matched, below the folder that was walked, `/` between the parts of a path, in no order. */
export interface Matches {
  readonly paths: readonly string[]
  /** Those that are symbolic links, to whatever. All others are regular files. */
  readonly links: ReadonlySet<string>
  /** Folders that hold a marker, which are walked no further. */
  readonly stores: readonly MatchedStore[]
}

/** A folder that is one dataset. */
export interface MatchedStore {
  /** '' for the folder that was walked. */
  readonly path: string
  readonly marker: string
  /** Of the marker. */
  readonly stats: BigIntStats
  /** Whether the pattern matches the folder, and whether it matches the marker in it. */
  readonly isMatched: boolean
  readonly isMarkerMatched: boolean
}

/** Folders read at the same time: hides the latency of a network file system. */
const FOLDERS = 16

interface Folder {
  readonly path: string
  readonly progress: Progress
}

/**
 * What matches a pattern below a folder. Links to folders are not entered: they may lead out of the root, or
 * round in circles. Folders that may not be read count as empty, as for a shell. A folder that holds one of the markers is
 * not read: it may have millions of objects.
 */
export async function walk(
  files: DatasetFiles,
  location: string,
  pattern: readonly Segment[],
  signal: AbortSignal,
  trail: TrailMaker = NO_TRAIL,
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
      // Before: a change after that shows.
      const lookedAt = Date.now()
      const stats = await files.lstat(path)
      const found = await findMarker(files, path, markers, trail)
      if (found !== null) {
        const isMatched = isComplete(pattern, folder.progress)
        const isMarkerMatched = isComplete(pattern, advance(pattern, folder.progress, found.marker))
        stores.push({ path: folder.path, ...found, isMatched, isMarkerMatched })
        return
      }
      trail.saw(path, stats, lookedAt)
      for await (const entry of await files.entries(path)) visit(folder, entry)
    } catch (error) {
      if (!isOutOfReach(error)) throw error
    }
  }

  while (pending.length > 0) await Promise.all(pending.splice(-FOLDERS).map(read))
  return { paths, links, stores }
}

/** The first of the markers that is in a folder, a regular file; null: none, as long as the folder is the same version. */
export async function findMarker(
  files: DatasetFiles,
  folder: string,
  markers: readonly string[],
  trail: TrailMaker,
): Promise<{ readonly marker: string; readonly stats: BigIntStats } | null> {
  const seen: (() => void)[] = []
  for (const marker of markers) {
    const path = `${folder}/${marker}`
    const lookedAt = Date.now()
    const stats = await lstatIfThere(files, path)
    seen.push(() => (stats === null ? trail.place(path, null) : trail.saw(path, stats, lookedAt)))
    if (!stats?.isFile()) continue
    for (const note of seen) note()
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

/** Forbidden, or gone since its parent was read. */
function isOutOfReach(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'EACCES' || code === 'EPERM' || code === 'ENOENT' || code === 'ENOTDIR'
}
