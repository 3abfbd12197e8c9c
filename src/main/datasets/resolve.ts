import type { BigIntStats } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { versionOf } from '../../plan/source/version.ts'
import { createSlice } from '../../plan/steps.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from './fingerprint/fingerprint.ts'
import { findFiles } from './patterns/find.ts'
import { nearestPath } from './patterns/nearest-path.ts'
import type { DatasetRoot } from './root.ts'
import { settle } from './settle.ts'
import { statFiles } from './stat.ts'

/**
 * The files of a query with their versions, in the order of `paths`, and in byte order within each path. A file that is named
 * twice, or by a link as well, is there once. Patterns and folders leave out files without rows that tools write beside their
 * data. Rejects with `no_files` for a path that gives none, `invalid_path`, `unreadable_file`, `file_changed`,
 * `path_unavailable`, or the reason of the signal. The fingerprint of a search that fails is invalid. `markers` are names of files
 * that mark a folder as one dataset of another format. Such folders are not searched.
 */
export async function resolveFiles(
  root: DatasetRoot,
  paths: readonly string[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder = NO_FINGERPRINT,
  markers: readonly string[] = [],
): Promise<readonly FileRef[]> {
  try {
    return await resolveAll(root, paths, signal, fingerprint, markers)
  } catch (error) {
    fingerprint.invalidate()
    throw error
  }
}

async function resolveAll(
  root: DatasetRoot,
  paths: readonly string[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
): Promise<readonly FileRef[]> {
  const refs = new Map<string, FileRef>()
  const slice = createSlice()
  for (const path of paths) {
    const found = await findFiles(root, path, signal, fingerprint, markers)
    let count = 0
    const files = await statFiles(root, found.files, signal, fingerprint)
    for (const file of await settle(root, files, signal, fingerprint)) {
      if (slice.isOver()) await slice.next()
      if (file === null || (!found.isAsWritten && isBesideData(file.path, file.stats))) continue
      count++
      if (!refs.has(file.location))
        refs.set(
          file.location,
          Object.freeze({ path: file.path, location: file.location, version: versionOf(file.stats) }),
        )
    }
    if (count === 0)
      throw new ServiceError(
        'no_files',
        `No file matched ${JSON.stringify(path)}${await nearestPath(root, path, signal)}`,
        { about: path },
      )
  }
  return Object.freeze([...refs.values()])
}

/** Whether a file has no rows: empty marker files (`_SUCCESS`), and collected footers of other files (`_metadata`). */
function isBesideData(path: string, stats: BigIntStats): boolean {
  return stats.size === 0n || /(?:^|\/)_(?:common_)?metadata$/.test(path)
}
