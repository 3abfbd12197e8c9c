import type { BigIntStats } from 'node:fs'
import { cannotOpen, isMissing } from './file-errors.ts'
import type { FoundFile } from './find/find.ts'
import { type FingerprintRecorder, NO_FINGERPRINT, recordedStat } from './fingerprint/fingerprint.ts'
import { type DatasetRoot, isInside } from './root.ts'

/** A regular file inside the root. */
export interface RegularFile {
  readonly path: string
  /** Absolute, without symbolic links. */
  readonly location: string
  readonly stats: BigIntStats
}

/** Files of one call whose stats are asked for at the same time. */
const CONCURRENT_STATS = 64

/**
 * The stats of files, in their order. Null: the file is gone, is no regular file, or is a link out of the root. Rejects with
 * `unreadable_file`, `path_unavailable`, or the reason of the signal.
 */
export async function statFiles(
  root: DatasetRoot,
  files: readonly FoundFile[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder = NO_FINGERPRINT,
): Promise<(RegularFile | null)[]> {
  const regularFiles: (RegularFile | null)[] = []
  for (let i = 0; i < files.length; i += CONCURRENT_STATS) {
    signal.throwIfAborted()
    const some = files.slice(i, i + CONCURRENT_STATS)
    regularFiles.push(...(await Promise.all(some.map((file) => statFile(root, file, fingerprint)))))
  }
  return regularFiles
}

/** One file of `statFiles`. */
export async function statFile(
  root: DatasetRoot,
  file: FoundFile,
  fingerprint: FingerprintRecorder,
): Promise<RegularFile | null> {
  const { path, stats: listedStats } = file
  if (listedStats !== null) return { path, location: file.location, stats: listedStats }
  try {
    const location = file.isLink ? await root.files.realpath(file.location) : file.location
    if (file.isLink) fingerprint.recordRealpath(file.location, location)
    if (!isInside(root, location)) return null
    const stats = await recordedStat(root.files, location, fingerprint)
    return stats.isFile() ? { path, location, stats } : null
  } catch (error) {
    fingerprint.invalidate()
    if (isMissing(error)) return null
    throw cannotOpen(path, error)
  }
}
