import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DATASET_FORMATS, type DatasetFormat, datasetFormat } from './formats.ts'
import { inspectAll } from './inspect.ts'
import { type FoundFile, findFiles } from './patterns/find.ts'
import { inSlices } from './patterns/slices.ts'
import type { DatasetRoot } from './root.ts'

/** A file, or the marker of a Zarr group. */
export interface Dataset {
  readonly file: FoundFile
  readonly format: DatasetFormat
}

/** An entry of `GET /api/list-datasets` (http-api.md §6.4). */
export interface DatasetEntry {
  readonly file_path: string
  readonly format: DatasetFormat
  readonly can_inspect: false
  readonly can_partial_explore: false
  /** Bytes. */
  readonly size: number | null
  readonly last_modified: string | null
}

/** All datasets that a pattern matches, grouped by format, in byte order within a group. */
export async function findDatasets(
  root: DatasetRoot,
  pattern: string,
  signal: AbortSignal,
): Promise<Dataset[]> {
  const { files } = await findFiles(root, pattern, signal)
  const groups = new Map<DatasetFormat, FoundFile[]>(DATASET_FORMATS.map((format) => [format, []]))
  for await (const slice of inSlices(files, signal))
    for (const file of slice) {
      const format = datasetFormat(file.path)
      if (format !== null) groups.get(format)?.push(file)
    }
  groups.set('zarr', await topMarkers(root, groups.get('zarr') ?? []))
  const datasets = [...groups].flatMap(([format, members]) => members.map((file) => ({ file, format })))
  return withoutBadLinks(root, datasets, signal)
}

/** The entries of some datasets. One that has just gone has no size and no time. */
export async function describeDatasets(
  root: DatasetRoot,
  datasets: readonly Dataset[],
  signal: AbortSignal,
): Promise<DatasetEntry[]> {
  const inspected = await inspectAll(
    root,
    datasets.map(({ file }) => file),
    signal,
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

/** Markers without another one in a folder above: groups and arrays inside a store are no datasets of their own. */
async function topMarkers(root: DatasetRoot, markers: readonly FoundFile[]): Promise<FoundFile[]> {
  const known = new Map<string, Promise<boolean>>()
  /** Whether the folder or one above it has a marker. */
  function isInStore(folder: string): Promise<boolean> {
    const answer = known.get(folder) ?? lookUp(folder)
    known.set(folder, answer)
    return answer
  }
  async function lookUp(folder: string): Promise<boolean> {
    if (await exists(`${root.location}/${folder}/zarr.json`)) return true
    return folder === '.' ? false : isInStore(dirname(folder))
  }
  const top: FoundFile[] = []
  for (const marker of markers) {
    const store = dirname(marker.path)
    if (store === '.' || !(await isInStore(dirname(store)))) top.push(marker)
  }
  return top
}

async function exists(location: string): Promise<boolean> {
  try {
    await access(location)
    return true
  } catch {
    return false
  }
}

/** Links are few, so they alone are followed before it is known which entries are wanted. */
async function withoutBadLinks(
  root: DatasetRoot,
  datasets: readonly Dataset[],
  signal: AbortSignal,
): Promise<Dataset[]> {
  const links = datasets.map(({ file }) => file).filter((file) => file.isLink)
  const inspected = await inspectAll(root, links, signal)
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
