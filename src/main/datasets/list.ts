import { dirname } from 'node:path'
import { isServiceError } from '../../plan/errors.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import { NO_TRAIL, type TrailMaker } from './fingerprint/fingerprint.ts'
import { inspectAll } from './inspect.ts'
import { sortedByBytes } from './patterns/byte-order.ts'
import { type FoundFile, findFiles } from './patterns/find.ts'
import { hasWildcard } from './patterns/glob.ts'
import { parsePath } from './patterns/path.ts'
import { inSlices } from './patterns/slices.ts'
import type { DatasetRoot } from './root.ts'

/** A file, or the marker of a folder that is one dataset. */
export interface Dataset {
  readonly file: FoundFile
  /** Id of its group. */
  readonly format: string
}

/** An entry of `GET /api/list-datasets`. */
export interface DatasetEntry {
  readonly file_path: string
  readonly format: string
  readonly can_inspect: false
  readonly can_partial_explore: false
  /** Bytes. */
  readonly size: number | null
  readonly last_modified: string | null
}

/** The datasets there are, for one who asks. What is looked at is noted in the trail. */
export interface Listing {
  /** All that a pattern matches, in the order of listings. */
  find(pattern: string): Promise<readonly Dataset[]>
  describe(datasets: readonly Dataset[]): Promise<readonly DatasetEntry[]>
}

export type OpenListing = (signal: AbortSignal, trail?: TrailMaker) => Listing

export function createListing(root: DatasetRoot, formats: Formats): OpenListing {
  return (signal, trail) => ({
    find: (pattern) => findDatasets(root, formats, pattern, signal, trail),
    describe: (datasets) => describeDatasets(root, datasets, signal, trail),
  })
}

/** All datasets that a pattern matches, grouped by format, in byte order within a group. */
export async function findDatasets(
  root: DatasetRoot,
  formats: Formats,
  pattern: string,
  signal: AbortSignal,
  trail: TrailMaker = NO_TRAIL,
): Promise<Dataset[]> {
  if (await isInFolderDataset(root, formats.markers, pattern, trail)) return []
  const { files, markers } = await findFiles(root, pattern, signal, trail, formats.markers)
  const groups = new Map<string, Dataset[]>(formats.groups.map(({ id }) => [id, []]))
  const folders = createTopFolders(root, trail)
  for await (const slice of inSlices(inByteOrder(files, markers), signal))
    for (const file of slice) {
      const found = formats.placeOf(file.path)
      if (found === null) continue
      const { marker, group, row } = found
      // Of a dataset that is a folder, its marker is listed.
      const isDataset =
        marker === null ? row.storage.kind === 'object' : await folders.isTop(file.path, marker)
      if (isDataset) groups.get(group.id)?.push({ file, format: group.id })
    }
  return withoutBadLinks(root, [...groups.values()].flat(), signal, trail)
}

/** Files and markers that a pattern matches, both in byte order. */
function inByteOrder(files: readonly FoundFile[], markers: readonly FoundFile[]): readonly FoundFile[] {
  if (markers.length === 0) return files
  const byPath = new Map([...files, ...markers].map((file) => [file.path, file]))
  return sortedByBytes([...byPath.keys()]).flatMap((path) => byPath.get(path) ?? [])
}

/** The entries of some datasets. One that has just gone has no size and no time. */
export async function describeDatasets(
  root: DatasetRoot,
  datasets: readonly Dataset[],
  signal: AbortSignal,
  trail: TrailMaker = NO_TRAIL,
): Promise<DatasetEntry[]> {
  const inspected = await inspectAll(
    root,
    datasets.map(({ file }) => file),
    signal,
    trail,
  )
  return datasets.map(({ file, format }, index) => {
    const stats = inspected[index]?.stats
    return {
      file_path: file.path,
      format,
      can_inspect: false,
      can_partial_explore: false,
      size: stats ? Number(stats.size) : null,
      last_modified: stats ? toRfc3339(stats.mtimeNs) : null,
    }
  })
}

/**
 * Whether what a pattern can match lies in a folder that is one dataset: what is in there is its own, and may be millions
 * of objects.
 */
async function isInFolderDataset(
  root: DatasetRoot,
  markers: readonly string[],
  pattern: string,
  trail: TrailMaker,
): Promise<boolean> {
  const { names } = parsePath(pattern)
  const wildcard = names.findIndex(hasWildcard)
  const fixed = wildcard < 0 ? names : names.slice(0, wildcard)
  const base = markers.includes(fixed.at(-1) ?? '') ? fixed.slice(0, -1) : fixed
  for (const depth of base.keys())
    for (const marker of markers)
      if (await exists(root, [root.location, ...base.slice(0, depth), marker].join('/'), trail)) return true
  return false
}

/** Tells folders that are datasets from those inside of one: groups and arrays inside a store are no datasets of their own. */
function createTopFolders(root: DatasetRoot, trail: TrailMaker) {
  const known = new Map<string, Promise<boolean>>()
  /** Whether the folder or one above it has a file of this name. */
  function isInStore(folder: string, marker: string): Promise<boolean> {
    const key = `${marker}/${folder}`
    const answer = known.get(key) ?? lookUp(folder, marker)
    known.set(key, answer)
    return answer
  }
  async function lookUp(folder: string, marker: string): Promise<boolean> {
    if (await exists(root, `${root.location}/${folder}/${marker}`, trail)) return true
    return folder === '.' ? false : isInStore(dirname(folder), marker)
  }
  return {
    /** Whether no folder above that of a marker has one too. */
    async isTop(path: string, marker: string): Promise<boolean> {
      const store = dirname(path)
      return store === '.' || !(await isInStore(dirname(store), marker))
    },
  }
}

async function exists({ files }: DatasetRoot, path: string, trail: TrailMaker): Promise<boolean> {
  try {
    trail.place(path, await files.realpath(path))
    return true
  } catch (error) {
    if (isServiceError(error)) throw error
    trail.place(path, null)
    return false
  }
}

/** Links are few, so they alone are followed before it is known which entries are wanted. */
async function withoutBadLinks(
  root: DatasetRoot,
  datasets: readonly Dataset[],
  signal: AbortSignal,
  trail: TrailMaker,
): Promise<Dataset[]> {
  const links = datasets.map(({ file }) => file).filter((file) => file.isLink)
  const inspected = await inspectAll(root, links, signal, trail)
  const bad = new Set(links.filter((_, index) => inspected[index] === null))
  return datasets.filter(({ file }) => !bad.has(file))
}

const SECOND = 1_000_000_000n

/** With `+00:00`, and 3, 6 or 9 digits of fraction where the time has one. Null for a time that no date can hold. */
function toRfc3339(nanoseconds: bigint): string | null {
  const fraction = ((nanoseconds % SECOND) + SECOND) % SECOND
  const date = new Date(Number((nanoseconds - fraction) / SECOND) * 1000)
  if (Number.isNaN(date.getTime())) return null
  const digits = fraction
    .toString()
    .padStart(9, '0')
    .replace(/(?:000)+$/, '')
  return `${date.toISOString().replace('.000Z', '')}${digits === '' ? '' : `.${digits}`}+00:00`
}
