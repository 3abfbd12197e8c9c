import type { BigIntStats } from 'node:fs'
import { ServiceError } from '../../../plan/errors.ts'
import { cannotOpen, isMissing } from '../file-errors.ts'
import { look, NO_TRAIL, type TrailMaker } from '../fingerprint/fingerprint.ts'
import { type DatasetRoot, isInside } from '../root.ts'
import { sortedByBytes } from './byte-order.ts'
import { GLOBSTAR, hasWildcard, parseSegment, type Segment } from './glob.ts'
import { parsePath } from './path.ts'
import { inSlices } from './slices.ts'
import { walk } from './walk.ts'

/** What a path names: one file as written, or what it matches, in UTF-8 byte order. */
export interface Found {
  readonly isAsWritten: boolean
  readonly files: readonly FoundFile[]
}

export interface FoundFile {
  /** Relative to the root, as the user knows it. */
  readonly path: string
  /** Absolute. Free of links but for the last name. */
  readonly location: string
  readonly isLink: boolean
  /** Known where the path was looked at as written. */
  readonly stats: BigIntStats | null
}

/**
 * A path that exists as written is that file, or all files below that folder; any other is a pattern. Throws
 * `invalid_path` for a path that leads out of the root, or to something that is neither file nor folder.
 */
export async function findFiles(
  root: DatasetRoot,
  path: string,
  signal: AbortSignal,
  trail: TrailMaker = NO_TRAIL,
): Promise<Found> {
  const { names, isFolder } = parsePath(path)
  const target = await locate(root, names, trail)
  if (target?.stats.isDirectory()) return matching(root, target.location, names, [GLOBSTAR], signal, trail)
  if (target !== null && !isFolder) {
    if (!target.stats.isFile()) throw new ServiceError('invalid_path', `${path} is not a regular file.`)
    return {
      isAsWritten: true,
      files: [{ path: names.join('/'), location: target.location, isLink: false, stats: target.stats }],
    }
  }
  const fixed = names.findIndex(hasWildcard)
  if (fixed < 0) return NOTHING
  const base = await locate(root, names.slice(0, fixed), trail)
  if (!base?.stats.isDirectory()) return NOTHING
  const pattern = names.slice(fixed).map(parseSegment)
  const whole: readonly Segment[] = isFolder ? [...pattern, GLOBSTAR] : pattern
  return matching(root, base.location, names.slice(0, fixed), whole, signal, trail)
}

const NOTHING: Found = { isAsWritten: false, files: [] }

async function matching(
  { files: access }: DatasetRoot,
  location: string,
  base: readonly string[],
  pattern: readonly Segment[],
  signal: AbortSignal,
  trail: TrailMaker,
): Promise<Found> {
  const { paths, links } = await walk(access, location, pattern, signal, trail)
  const prefix = base.map((name) => `${name}/`).join('')
  const files: FoundFile[] = []
  for await (const slice of inSlices(sortedByBytes(paths), signal))
    for (const path of slice)
      files.push({
        path: prefix + path,
        location: `${location}/${path}`,
        isLink: links.has(path),
        stats: null,
      })
  return { isAsWritten: false, files }
}

/** Where a path leads, links followed; null when nowhere. */
async function locate(
  root: DatasetRoot,
  names: readonly string[],
  trail: TrailMaker,
): Promise<{ location: string; stats: BigIntStats } | null> {
  const path = names.join('/')
  const written = `${root.location}/${path}`
  try {
    const location = await root.files.realpath(written)
    trail.place(written, location)
    if (isInside(root, location)) return { location, stats: await look(root.files, location, trail) }
  } catch (error) {
    if (!isMissing(error)) throw cannotOpen(path, error)
    trail.place(written, null)
    return null
  }
  throw new ServiceError('invalid_path', `${path} is a link that leads out of the dataset root.`)
}
