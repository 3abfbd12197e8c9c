import type { BigIntStats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { alternatives } from '../../../plan/alternatives.ts'
import { sortedByBytes } from '../../../plan/byte-order.ts'
import { ServiceError } from '../../../plan/errors.ts'
import type { FolderStorage } from '../../../plan/format/format-row.ts'
import { versionOf } from '../../../plan/source/version.ts'
import { GLOBSTAR, hasWildcard, parseSegment } from '../../patterns/glob.ts'
import { parsePath } from '../../patterns/path.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from '../fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../root.ts'
import type { RegularFile } from '../stat.ts'
import { locate } from './locate.ts'
import { findMarker, walk } from './walk.ts'

/** A folder that is one dataset, because it has a marker file. */
export interface FoundStore {
  /** The path of the folder relative to the root, as the user knows it. The root itself is `.`. */
  readonly path: string
  /** The absolute path of the folder, without symbolic links. */
  readonly location: string
  /** The name of the marker. */
  readonly marker: string
  /** The marker itself. */
  readonly document: RegularFile
}

/** Names of files that mark folders as datasets. */
export interface Markers {
  /** Those of the format that is searched for. The first one that a folder has is its marker. */
  readonly ofFormat: readonly string[]
  /** Those of all formats. Folders that have one are not searched. */
  readonly all: readonly string[]
  /** As in `FolderStorage`. */
  readonly notFound?: string
}

export function markersOf({ markers, notFound }: FolderStorage, all: readonly string[]): Markers {
  return { ofFormat: markers, all, ...(notFound !== undefined && { notFound }) }
}

/** A message about a path that leads to no dataset: the sentence of the format, if it has one, and what is missing. */
export function noStore({ notFound }: Markers, what: string): string {
  return notFound === undefined ? what : `${notFound}. ${what}`
}

/**
 * Finds the folders with a marker that a path names, in UTF-8 byte order. A path may name such a folder or a marker in it, another
 * folder, for all of them below it, or be a pattern that matches them or their markers. Their contents are not read; folders in them are
 * found if the path names the outer one and goes on: `one.zarr/winter-*`. Rejects with `invalid_path` as `findFiles` does, and for a file
 * that is no marker.
 */
export async function findStores(
  root: DatasetRoot,
  path: string,
  markers: Markers,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
): Promise<readonly FoundStore[]> {
  const { names, isFolder } = parsePath(path)
  const target = await locate(root, names, fingerprint)
  if (target?.stats.isDirectory()) {
    const match = await findMarker(root.files, target.location, markers.ofFormat, fingerprint)
    if (match !== null) return [storeAt(names, target.location, match.marker, match.stats)]
    return findMatching(names, target.location, [GLOBSTAR])
  }
  if (target !== null && !isFolder) {
    target.record()
    const folder = dirname(target.location)
    const isMarker = markers.ofFormat.includes(basename(target.location)) && target.stats.isFile()
    const parentMatch = isMarker ? await findMarker(root.files, folder, markers.ofFormat, fingerprint) : null
    if (parentMatch === null)
      throw new ServiceError(
        'invalid_path',
        noStore(markers, `${path} is no folder that holds ${alternatives(markers.ofFormat)}.`),
        { about: path },
      )
    return [storeAt(names.slice(0, -1), folder, parentMatch.marker, parentMatch.stats)]
  }
  const fixed = names.findIndex(hasWildcard)
  const base = fixed < 0 ? null : await locate(root, names.slice(0, fixed), fingerprint)
  if (!base?.stats.isDirectory()) return []
  const pattern = names.slice(fixed).map(parseSegment)
  return findMatching(names.slice(0, fixed), base.location, isFolder ? [...pattern, GLOBSTAR] : pattern)

  async function findMatching(
    above: readonly string[],
    location: string,
    pattern: Parameters<typeof walk>[2],
  ): Promise<readonly FoundStore[]> {
    const all = [...new Set([...markers.ofFormat, ...markers.all])]
    const isNamed = !pattern.includes(GLOBSTAR)
    const { stores } = await walk(root.files, location, pattern, signal, fingerprint, all, isNamed)
    const storesByPath = new Map(
      stores.flatMap((store) =>
        markers.ofFormat.includes(store.marker) && (store.isMatched || store.isMarkerMatched)
          ? [[store.path, store] as const]
          : [],
      ),
    )
    return sortedByBytes([...storesByPath.keys()]).flatMap((below) => {
      const store = storesByPath.get(below)
      if (store === undefined) return []
      const at = below === '' ? location : `${location}/${below}`
      return [storeAt(below === '' ? above : [...above, below], at, store.marker, store.stats)]
    })
  }
}

/** A folder that is one dataset, and the names of the path that leads to it. */
export interface MarkedFolder {
  readonly names: readonly string[]
  /** Absolute, without symbolic links. */
  readonly location: string
  readonly marker: string
}

/** The folder with a marker that a path names. Null: it names none. Rejects with `invalid_path` as `findFiles` does. */
export async function findMarkedFolder(
  root: DatasetRoot,
  path: string,
  markers: readonly string[],
): Promise<MarkedFolder | null> {
  const { names } = parsePath(path)
  const target = await locate(root, names, NO_FINGERPRINT)
  if (!target?.stats.isDirectory()) return null
  const { location } = target
  const match = await findMarker(root.files, location, markers, NO_FINGERPRINT)
  return match && { names, location, marker: match.marker }
}

function storeAt(names: readonly string[], location: string, marker: string, stats: BigIntStats): FoundStore {
  const path = names.join('/') || '.'
  const document = { path: `${path}/${marker}`, location: `${location}/${marker}`, version: versionOf(stats) }
  return { path, location, marker, document }
}
