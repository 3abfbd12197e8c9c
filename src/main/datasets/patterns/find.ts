import type { BigIntStats } from 'node:fs'
import { ServiceError } from '../../../plan/errors.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from '../fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../root.ts'
import { sortedByBytes } from './byte-order.ts'
import { GLOBSTAR, hasWildcard, parseSegment, type Segment } from './glob.ts'
import { locate } from './locate.ts'
import { parsePath } from './path.ts'
import { inSlices } from './slices.ts'
import { walk } from './walk.ts'

/** The files that a path names: the one file of that name, or all files that match it as a pattern, in UTF-8 byte order. */
export interface FoundFiles {
  readonly isAsWritten: boolean
  readonly files: readonly FoundFile[]
  /** Markers of folder datasets that the pattern matches, in no order. */
  readonly markers: readonly FoundFile[]
}

export interface FoundFile {
  /** Relative to the root, as the user knows it. */
  readonly path: string
  /** Absolute. Only its last name may be a symbolic link. */
  readonly location: string
  readonly isLink: boolean
  /** Null: not taken. They are known only of a file that was found as written. */
  readonly stats: BigIntStats | null
}

/**
 * Finds the files that a path names. A path that exists as written is that file, or all files below that folder. Any other
 * path is a pattern. Rejects with `invalid_path` for a path that leads out of the root, or to something that is neither a
 * regular file nor a folder. If the path includes folders of any depth, those with one of `markers` are not read.
 */
export async function findFiles(
  root: DatasetRoot,
  path: string,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder = NO_FINGERPRINT,
  markers: readonly string[] = [],
): Promise<FoundFiles> {
  const { names, isFolder } = parsePath(path)
  const target = await locate(root, names, fingerprint)
  target?.record()
  if (target?.stats.isDirectory())
    return matching(root, target.location, names, [GLOBSTAR], signal, fingerprint, markers)
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
  const base = await locate(root, names.slice(0, fixed), fingerprint)
  base?.record()
  if (!base?.stats.isDirectory()) return NOTHING
  const pattern = names.slice(fixed).map(parseSegment)
  const whole: readonly Segment[] = isFolder ? [...pattern, GLOBSTAR] : pattern
  return matching(root, base.location, names.slice(0, fixed), whole, signal, fingerprint, markers)
}

const NOTHING: FoundFiles = { isAsWritten: false, files: [], markers: [] }

async function matching(
  { files: access }: DatasetRoot,
  location: string,
  base: readonly string[],
  pattern: readonly Segment[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
): Promise<FoundFiles> {
  const known = pattern.includes(GLOBSTAR) ? markers : []
  const { paths, links, stores } = await walk(access, location, pattern, signal, fingerprint, known)
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
