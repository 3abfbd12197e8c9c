import type { BigIntStats } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import type { FileRef } from '../../plan/source/file.ts'
import { versionOf } from '../../plan/source/version.ts'
import { NO_TRAIL, type TrailMaker } from './fingerprint/fingerprint.ts'
import { inspectAll } from './inspect.ts'
import { findFiles } from './patterns/find.ts'
import type { DatasetRoot } from './root.ts'
import { settle } from './settle.ts'

/**
 * The files of a query with their versions: arguments in order, byte order within each, a file that is named twice (by
 * a link, too) once. What tools leave beside their data is left out of patterns and folders. Throws `no_files` for an
 * argument that gives none, `invalid_path`, `unreadable_file`, `file_changed`, or the reason of the signal. The trail of a
 * search that fails is lost. Folders that hold one of `markers` are datasets of other formats, and not searched.
 */
export async function resolveFiles(
  root: DatasetRoot,
  paths: readonly string[],
  signal: AbortSignal,
  trail: TrailMaker = NO_TRAIL,
  markers: readonly string[] = [],
): Promise<readonly FileRef[]> {
  try {
    return await resolveAll(root, paths, signal, trail, markers)
  } catch (error) {
    trail.lose()
    throw error
  }
}

async function resolveAll(
  root: DatasetRoot,
  paths: readonly string[],
  signal: AbortSignal,
  trail: TrailMaker,
  markers: readonly string[],
): Promise<readonly FileRef[]> {
  const refs = new Map<string, FileRef>()
  for (const path of paths) {
    const found = await findFiles(root, path, signal, trail, markers)
    let count = 0
    const inspected = await inspectAll(root, found.files, signal, trail)
    for (const file of await settle(root, inspected, signal, trail)) {
      if (file === null || (!found.isAsWritten && isBesideData(file.path, file.stats))) continue
      count++
      if (!refs.has(file.location))
        refs.set(
          file.location,
          Object.freeze({ path: file.path, location: file.location, version: versionOf(file.stats) }),
        )
    }
    if (count === 0) throw new ServiceError('no_files', `No file matched ${JSON.stringify(path)}.`)
  }
  return Object.freeze([...refs.values()])
}

/** Empty marks (`_SUCCESS`), and the footers of other files (`_metadata`), which hold no rows. */
function isBesideData(path: string, stats: BigIntStats): boolean {
  return stats.size === 0n || /(?:^|\/)_(?:common_)?metadata$/.test(path)
}
