import type { BigIntStats } from 'node:fs'
import { ServiceError } from '../../../plan/errors.ts'
import { cannotOpen, isMissing } from '../file-errors.ts'
import type { TrailMaker } from '../fingerprint/fingerprint.ts'
import { type DatasetRoot, isInside } from '../root.ts'

/** What is at a path. */
export interface Located {
  /** Absolute, free of links. */
  readonly location: string
  readonly stats: BigIntStats
  /** Notes that this was seen. */
  note(): void
}

/** Where a path leads, links followed; null when nowhere. Throws `invalid_path` if that is out of the root. */
export async function locate(
  root: DatasetRoot,
  names: readonly string[],
  trail: TrailMaker,
): Promise<Located | null> {
  const path = names.join('/')
  const written = `${root.location}/${path}`
  try {
    const location = await root.files.realpath(written)
    trail.place(written, location)
    if (isInside(root, location)) {
      const lookedAt = Date.now()
      const stats = await root.files.lstat(location)
      return { location, stats, note: () => trail.saw(location, stats, lookedAt) }
    }
  } catch (error) {
    if (!isMissing(error)) throw cannotOpen(path, error)
    trail.place(written, null)
    return null
  }
  throw new ServiceError('invalid_path', `${path} is a link that leads out of the dataset root.`)
}
