import type { Dirent } from 'node:fs'
import type { DatasetFiles } from '../file-system/dataset-files.ts'
import { look, NO_TRAIL, type TrailMaker } from '../fingerprint/fingerprint.ts'
import { advance, begin, isComplete, type Progress, type Segment } from './glob.ts'

/** Names that matched, below the folder that was walked, `/` between their parts, in no order. */
export interface Matches {
  readonly paths: readonly string[]
  /** Those that are symbolic links, to whatever. All others are regular files. */
  readonly links: ReadonlySet<string>
}

/** Folders read at the same time: hides the latency of a network file system. */
const FOLDERS = 16

interface Folder {
  readonly path: string
  readonly progress: Progress
}

/**
 * What matches a pattern below a folder. Links to folders are not entered: they may lead out of the root, or
 * round in circles. Folders that may not be read count as empty, as for a shell.
 */
export async function walk(
  files: DatasetFiles,
  location: string,
  pattern: readonly Segment[],
  signal: AbortSignal,
  trail: TrailMaker = NO_TRAIL,
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
      // Before: a change after that shows.
      await look(files, path, trail)
      for await (const entry of await files.entries(path)) visit(folder, entry)
    } catch (error) {
      if (!isOutOfReach(error)) throw error
    }
  }

  while (pending.length > 0) await Promise.all(pending.splice(-FOLDERS).map(read))
  return { paths, links }
}

/** Forbidden, or gone since its parent was read. */
function isOutOfReach(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'EACCES' || code === 'EPERM' || code === 'ENOENT' || code === 'ENOTDIR'
}
