import type { BigIntStats } from 'node:fs'
import { ServiceError } from '../../../plan/errors.ts'
import { cannotOpen, isMissing } from '../file-errors.ts'
import type { FingerprintRecorder } from '../fingerprint/fingerprint.ts'
import { type DatasetRoot, isInside } from '../root.ts'

/** What is at a path. */
export interface Located {
  /** Absolute, without symbolic links. */
  readonly location: string
  readonly stats: BigIntStats
  /** Adds the stats to the fingerprint. */
  record(): void
}

/** What a path leads to, symbolic links followed. Null: there is nothing. Rejects with `invalid_path` outside of the root. */
export async function locate(
  root: DatasetRoot,
  names: readonly string[],
  fingerprint: FingerprintRecorder,
): Promise<Located | null> {
  const path = names.join('/')
  const written = `${root.location}/${path}`
  let isHidden = false
  try {
    const location = await root.files.realpath(written)
    fingerprint.recordRealpath(written, location)
    isHidden = root.files.isHidden(location)
    if (isInside(root, location)) {
      const requestedAt = Date.now()
      const stats = await root.files.lstat(location)
      return { location, stats, record: () => fingerprint.recordStat(location, stats, requestedAt) }
    }
  } catch (error) {
    if (!isMissing(error)) throw cannotOpen(path, error)
    fingerprint.recordRealpath(written, null)
    return null
  }
  throw new ServiceError(
    'invalid_path',
    isHidden
      ? `${path} is in a folder of the service itself, which holds no datasets.`
      : `${path} is a link that leads out of the dataset root.`,
  )
}
