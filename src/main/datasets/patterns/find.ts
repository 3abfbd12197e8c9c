import type { BigIntStats } from 'node:fs'
import { ServiceError } from '../../../plan/errors.ts'
import { NO_TRAIL, type TrailMaker } from '../fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../root.ts'
import { sortedByBytes } from './byte-order.ts'
import { GLOBSTAR, hasWildcard, parseSegment, type Segment } from './glob.ts'
import { locate } from './locate.ts'
import { parsePath } from './path.ts'
import { inSlices } from './slices.ts'
import { walk } from './walk.ts'

/** What a path names: one file as written, or what it matches, in UTF-8 byte order. */
export interface Found {
  readonly isAsWritten: boolean
  readonly files: readonly FoundFile[]
  /** Markers of folders that are one dataset each: the pattern matches them, and what else is in these folders was not looked at. */
  readonly markers: readonly FoundFile[]
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
 * `invalid_path` for a path that leads out of the root, or to something that is neither file nor folder. Where it takes
 * in folders of any depth, those that hold one of `markers` are not read.
 */
export async function findFiles(
  root: DatasetRoot,
  path: string,
  signal: AbortSignal,
  trail: TrailMaker = NO_TRAIL,
  markers: readonly string[] = [],
): Promise<Found> {
  const { names, isFolder } = parsePath(path)
  const target = await locate(root, names, trail)
  target?.note()
  if (target?.stats.isDirectory())
    return matching(root, target.location, names, [GLOBSTAR], signal, trail, markers)
  if (target !== null && !isFolder) {
    if (!target.stats.isFile()) throw new ServiceError('invalid_path', `${path} is not a regular file.`)
    return {
      isAsWritten: true,
      files: [{ path: names.join('/'), location: target.location, isLink: false, stats: target.stats }],
      markers: [],
    }
  }
  const fixed = names.findIndex(hasWildcard)
  if (fixed < 0) return NOTHING
  const base = await locate(root, names.slice(0, fixed), trail)
  base?.note()
  if (!base?.stats.isDirectory()) return NOTHING
  const pattern = names.slice(fixed).map(parseSegment)
  const whole: readonly Segment[] = isFolder ? [...pattern, GLOBSTAR] : pattern
  return matching(root, base.location, names.slice(0, fixed), whole, signal, trail, markers)
}

const NOTHING: Found = { isAsWritten: false, files: [], markers: [] }

async function matching(
  { files: access }: DatasetRoot,
  location: string,
  base: readonly string[],
  pattern: readonly Segment[],
  signal: AbortSignal,
  trail: TrailMaker,
  markers: readonly string[],
): Promise<Found> {
  const known = pattern.includes(GLOBSTAR) ? markers : []
  const { paths, links, stores } = await walk(access, location, pattern, signal, trail, known)
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
  const found = stores.filter(({ isMarkerMatched }) => isMarkerMatched)
  return {
    isAsWritten: false,
    files,
    markers: found.map(({ path, marker, stats }) => {
      const below = path === '' ? marker : `${path}/${marker}`
      return { path: prefix + below, location: `${location}/${below}`, isLink: false, stats }
    }),
  }
}
