import type { BigIntStats } from 'node:fs'
import { type FileVersion, versionOf } from '../../plan/source/version.ts'
import { createSlice } from '../../plan/steps.ts'
import { cannotOpen, isMissing } from './file-errors.ts'
import type { FoundFile } from './find/find.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from './fingerprint/fingerprint.ts'
import { type DatasetRoot, isInside } from './root.ts'

/** A regular file inside the root. It has no stats: those of one take 900 bytes, and a search has many at once. */
export interface RegularFile {
  readonly path: string
  /** Absolute, without symbolic links. */
  readonly location: string
  readonly version: FileVersion
}

/** Files of one call whose stats are asked for at the same time. */
const CONCURRENT_STATS = 64

/**
 * The most milliseconds for which so many files are asked for by synchronous calls, of which one takes 2 µs. It takes longer if the disk has to
 * be read: then calls in the thread pool, of which one takes 9 µs, overlap, and the event loop goes on.
 */
const MOST_SYNC_MS = 1

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
  const slice = createSlice()
  /** The device of the last file of an asynchronous call, which notices file systems that were mounted lately. */
  let device: bigint | null = null
  for (let i = 0; i < files.length; i += CONCURRENT_STATS) {
    signal.throwIfAborted()
    const until = performance.now() + MOST_SYNC_MS
    const waiting: Promise<void>[] = []
    for (const file of files.slice(i, i + CONCURRENT_STATS)) {
      if (slice.isOver()) await slice.next()
      const index = regularFiles.length
      const now =
        device === null || performance.now() >= until ? null : statNow(root, file, device, fingerprint)
      regularFiles.push(now?.file ?? null)
      if (now !== null) continue
      const later = statFile(root, file, fingerprint).then((regularFile) => {
        regularFiles[index] = regularFile
        if (regularFile !== null) device = regularFile.version.device
      })
      waiting.push(later)
      // Awaited with all others. Until then a rejection must not count as unhandled.
      later.catch(() => {})
      // The others find out by it on which device they are.
      if (device === null && waiting.length === 1) await later
    }
    await Promise.all(waiting)
  }
  return regularFiles
}

/**
 * The same by a synchronous call, for a file of a local file system that is no link. Null: it is on another device, or there is an error, so that it has
 * to be asked for asynchronously.
 */
function statNow(
  root: DatasetRoot,
  { path, location, isLink, stats: listedStats }: FoundFile,
  device: bigint,
  fingerprint: FingerprintRecorder,
): { readonly file: RegularFile | null } | null {
  if (isLink || listedStats !== null || !root.files.isLocal(location, location)) return null
  if (!isInside(root, location)) return null
  const requestedAt = Date.now()
  let stats: BigIntStats | undefined
  try {
    stats = root.files.lstatSync(location)
  } catch {
    return null
  }
  if (stats?.dev !== device) return null
  const version = fingerprint.recordStat(location, stats, requestedAt)
  return { file: stats.isFile() ? { path, location, version } : null }
}

/** One file of `statFiles`. */
export async function statFile(
  root: DatasetRoot,
  file: FoundFile,
  fingerprint: FingerprintRecorder,
): Promise<RegularFile | null> {
  const { path, stats: listedStats } = file
  if (listedStats !== null) return { path, location: file.location, version: versionOf(listedStats) }
  try {
    const location = file.isLink ? await root.files.realpath(file.location) : file.location
    if (file.isLink) fingerprint.recordRealpath(file.location, location)
    if (!isInside(root, location)) return null
    const requestedAt = Date.now()
    const stats = await root.files.lstat(location)
    const version = fingerprint.recordStat(location, stats, requestedAt)
    return stats.isFile() ? { path, location, version } : null
  } catch (error) {
    fingerprint.invalidate()
    if (isMissing(error)) return null
    throw cannotOpen(path, error)
  }
}
