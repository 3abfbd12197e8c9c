import type { BigIntStats } from 'node:fs'
import { cannotOpen, isMissing } from './file-errors.ts'
import { look, NO_TRAIL, type TrailMaker } from './fingerprint/fingerprint.ts'
import type { FoundFile } from './patterns/find.ts'
import { type DatasetRoot, isInside } from './root.ts'

/** A regular file inside the root. */
export interface InspectedFile {
  readonly path: string
  /** Absolute, free of links. */
  readonly location: string
  readonly stats: BigIntStats
}

/** Files looked at together. */
const TOGETHER = 64

/** In the order given; null for what is gone, is no regular file, or a link out of the root. */
export async function inspectAll(
  root: DatasetRoot,
  files: readonly FoundFile[],
  signal: AbortSignal,
  trail: TrailMaker = NO_TRAIL,
): Promise<(InspectedFile | null)[]> {
  const inspected: (InspectedFile | null)[] = []
  for (let i = 0; i < files.length; i += TOGETHER) {
    signal.throwIfAborted()
    inspected.push(
      ...(await Promise.all(files.slice(i, i + TOGETHER).map((file) => inspect(root, file, trail)))),
    )
  }
  return inspected
}

/** Null as above. */
export async function inspect(
  root: DatasetRoot,
  file: FoundFile,
  trail: TrailMaker,
): Promise<InspectedFile | null> {
  const { path, stats: known } = file
  if (known !== null) return { path, location: file.location, stats: known }
  try {
    const location = file.isLink ? await root.files.realpath(file.location) : file.location
    if (file.isLink) trail.place(file.location, location)
    if (!isInside(root, location)) return null
    const stats = await look(root.files, location, trail)
    return stats.isFile() ? { path, location, stats } : null
  } catch (error) {
    trail.lose()
    if (isMissing(error)) return null
    throw cannotOpen(path, error)
  }
}
