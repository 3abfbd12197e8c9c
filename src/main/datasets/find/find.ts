import type { BigIntStats } from 'node:fs'
import { sortByBytesInSteps } from '../../../plan/byte-order.ts'
import { ServiceError } from '../../../plan/errors.ts'
import { runInSlices } from '../../../plan/steps.ts'
import { GLOBSTAR, hasWildcard, parseSegment, type Segment } from '../../patterns/glob.ts'
import { parsePath } from '../../patterns/path.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from '../fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../root.ts'
import { locate } from './locate.ts'
import { inSlices } from './slices.ts'
import { createFolderReader, type FolderReader, walk } from './walk.ts'

/** The files that a path names: the one file of that name, or all files that match it as a pattern, in UTF-8 byte order. */
export interface FoundFiles {
  readonly isAsWritten: boolean
  readonly files: readonly FoundFile[]
  /** Markers of folder datasets that the pattern matches, in no order. */
  readonly markers: readonly FoundFile[]
  /** Folders with a `=` in their names that the pattern leads into, relative to the root. */
  readonly partitions: readonly string[]
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

/** Where a search for the files of a path begins. */
export type SearchStart =
  /** The path is that of a file, as it is written. */
  | { readonly kind: 'file'; readonly file: FoundFile }
  /** Files are searched for below a folder. */
  | FolderStart

export interface FolderStart {
  readonly kind: 'folder'
  /** The absolute path of the folder, without symbolic links. */
  readonly location: string
  /** The names of the folder's path as the user knows it, relative to the root. */
  readonly base: readonly string[]
  readonly pattern: readonly Segment[]
  /** Whether the path names folders, and so all files below them. */
  readonly isOfFolders: boolean
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
  const start = await searchStart(root, path, fingerprint)
  if (start === null) return NOTHING
  if (start.kind === 'file') return { ...NOTHING, isAsWritten: true, files: [start.file] }
  return findMatching(root, start, signal, fingerprint, markersFor(start, markers))
}

/** `findFiles` for listings: a folder with one of `markers` is read by no pattern, since files in it are no datasets. */
export async function findListed(
  root: DatasetRoot,
  path: string,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
): Promise<FoundFiles> {
  const start = await searchStart(root, path, fingerprint)
  if (start === null) return NOTHING
  if (start.kind === 'file') return { ...NOTHING, isAsWritten: true, files: [start.file] }
  return findMatching(root, start, signal, fingerprint, markers)
}

const NOTHING: FoundFiles = Object.freeze({ isAsWritten: false, files: [], markers: [], partitions: [] })

/** Where the search for a path begins. Null: nothing can match. Rejects with `invalid_path` as `findFiles` does. */
export async function searchStart(
  root: DatasetRoot,
  path: string,
  fingerprint: FingerprintRecorder,
): Promise<SearchStart | null> {
  const { names, isFolder } = parsePath(path)
  const target = await locate(root, names, fingerprint)
  target?.record()
  if (target?.stats.isDirectory())
    return { kind: 'folder', location: target.location, base: names, pattern: [GLOBSTAR], isOfFolders: true }
  if (target !== null && !isFolder) {
    const { location, stats } = target
    if (!stats.isFile()) throw new ServiceError('invalid_path', `${path} is not a regular file.`)
    return { kind: 'file', file: { path: names.join('/'), location, isLink: false, stats } }
  }
  const fixed = names.findIndex(hasWildcard)
  if (fixed < 0) return null
  const base = await locate(root, names.slice(0, fixed), fingerprint)
  base?.record()
  if (!base?.stats.isDirectory()) return null
  const pattern = names.slice(fixed).map(parseSegment)
  const whole: readonly Segment[] = isFolder ? [...pattern, GLOBSTAR] : pattern
  return {
    kind: 'folder',
    location: base.location,
    base: names.slice(0, fixed),
    pattern: whole,
    isOfFolders: isFolder,
  }
}

/** Reads the folders of a search one by one. */
export function folderReader(
  { files }: DatasetRoot,
  start: FolderStart,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
): FolderReader {
  const startMarkers = markersFor(start, markers)
  return createFolderReader(files, start.location, start.pattern, signal, fingerprint, startMarkers)
}

/** The markers of folders that a search below a folder does not read. */
function markersFor({ pattern }: FolderStart, markers: readonly string[]): readonly string[] {
  return pattern.includes(GLOBSTAR) ? markers : []
}

async function findMatching(
  { files: access }: DatasetRoot,
  start: FolderStart,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
): Promise<FoundFiles> {
  const { location, pattern } = start
  const { paths, links, stores, partitions } = await walk(
    access,
    location,
    pattern,
    signal,
    fingerprint,
    markers,
  )
  const prefix = prefixOf(start)
  const matchedStores = stores.filter(({ isMatched, isMarkerMatched }) => isMatched || isMarkerMatched)
  return {
    isAsWritten: false,
    files: await filesBelow(start, paths, links, signal),
    markers: matchedStores.map(({ path, marker, stats }) => {
      const below = path === '' ? marker : `${path}/${marker}`
      return { path: prefix + below, location: `${location}/${below}`, isLink: false, stats }
    }),
    partitions: partitions.map((path) => prefix + path),
  }
}

/** The files with these paths below a folder, in UTF-8 byte order. */
export async function filesBelow(
  start: FolderStart,
  paths: readonly string[],
  links: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const prefix = prefixOf(start)
  const files: FoundFile[] = []
  for await (const slice of inSlices(await runInSlices(sortByBytesInSteps(paths)), signal))
    for (const path of slice)
      files.push({
        path: prefix + path,
        location: `${start.location}/${path}`,
        isLink: links.has(path),
        stats: null,
      })
  return files
}

function prefixOf({ base }: FolderStart): string {
  return base.map((name) => `${name}/`).join('')
}
