import type { Dirent } from 'node:fs'
import type { DatasetFiles } from '../file-system/dataset-files.ts'
import { type FingerprintRecorder, NO_FINGERPRINT, recordedStat } from '../fingerprint/fingerprint.ts'
import { advance, begin, isComplete, type Progress, type Segment } from './glob.ts'

/** Paths that match a pattern. */
export interface Matches {
  /** Relative to the folder that was walked, in no order. */
  readonly paths: readonly string[]
  /** The paths that are symbolic links, whatever they lead to. All others are regular files. */
  readonly links: ReadonlySet<string>
}

/** Folders read at the same time, which hides the latency of a network file system. */
const CONCURRENT_FOLDERS = 16

interface Folder {
  readonly path: string
  readonly progress: Progress
}

/**
 * Finds what matches a pattern below a folder. Links to folders are not followed: they may lead out of the root or back to a
 * folder above. A folder that the service may not read counts as empty, as in a shell. Rejects with `path_unavailable`, the
 * error of the system, or the reason of the signal.
 */
export async function walk(
  files: DatasetFiles,
  location: string,
  pattern: readonly Segment[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder = NO_FINGERPRINT,
): Promise<Matches> {
  const paths: string[] = []
  const links = new Set<string>()
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
      await recordedStat(files, path, fingerprint)
      for await (const entry of await files.entries(path)) visit(folder, entry)
    } catch (error) {
      if (!isUnreadable(error)) throw error
    }
  }

  while (pending.length > 0) await Promise.all(pending.splice(-CONCURRENT_FOLDERS).map(read))
  return { paths, links }
}

/** Whether a folder is forbidden, or was removed after its parent was read. */
function isUnreadable(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'EACCES' || code === 'EPERM' || code === 'ENOENT' || code === 'ENOTDIR'
}
