import { sortByBytesInSteps } from '../../plan/byte-order.ts'
import { isServiceError } from '../../plan/errors.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import { createSlice, runInSlices } from '../../plan/steps.ts'
import { pathRightsOf } from '../auth/rights/path-rights.ts'
import type { Rights } from '../auth/rights/rights.ts'
import { type FoundFile, findListed } from './find/find.ts'
import { inSlices } from './find/slices.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from './fingerprint/fingerprint.ts'
import { isInFolderDataset } from './folder-datasets.ts'
import { decideText, mayReadDataset } from './refusals/decide-found.ts'
import { hideUnderRules } from './refusals/refusal.ts'
import type { NamedDataset } from './resolve.ts'
import type { DatasetRoot } from './root.ts'
import { statFiles } from './stat.ts'

/** A dataset: a file, or a folder that is one dataset and is listed by its marker file. */
export interface Dataset {
  readonly file: FoundFile
  /** The id of its group of formats. */
  readonly format: string
  /** The name of the marker. Null: the dataset is one file. */
  readonly marker: string | null
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

/** The datasets of the root that a caller may read, as one request sees them. What they depend on is recorded in its fingerprint. */
export interface Listing {
  /** Those that a pattern matches, in the order of listings. */
  find(pattern: string): Promise<readonly Dataset[]>
  describe(datasets: readonly Dataset[]): Promise<readonly DatasetEntry[]>
}

export type OpenListing = (rights: Rights, signal: AbortSignal, fingerprint?: FingerprintRecorder) => Listing

export function createListing(root: DatasetRoot, formats: Formats): OpenListing {
  return (rights, signal, fingerprint) => ({
    find: (pattern) => findDatasets(root, formats, pattern, rights, signal, fingerprint),
    describe: (datasets) => describeDatasets(root, datasets, signal, fingerprint),
  })
}

/**
 * The datasets that a pattern matches and that may be read by these rights, grouped by format, in byte order within a group. Rejects with
 * `invalid_path`. Under rules it does so for the text of a pattern alone, and not for what is there.
 */
export async function findDatasets(
  root: DatasetRoot,
  formats: Formats,
  pattern: string,
  rights: Rights,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder = NO_FINGERPRINT,
): Promise<readonly Dataset[]> {
  if (rights.isEverything) {
    const { datasets } = await findAll(root, formats, pattern, signal, fingerprint)
    return datasets
  }
  const { isRefused, isGranted } = decideText(pattern, rights, formats.markers)
  if (isRefused) return []
  try {
    const findings = await findAll(root, formats, pattern, signal, fingerprint)
    return isGranted ? findings.datasets : await readable(findings, rights, root)
  } catch (error) {
    const reported = hideUnderRules(error, [pattern], isGranted)
    if (isServiceError(reported) && reported.code === 'permission_denied') return []
    throw reported
  }
}

interface FoundDatasets {
  readonly datasets: readonly Dataset[]
  /** Where links lead, by the links. Absolute, without symbolic links. */
  readonly targets: ReadonlyMap<FoundFile, string>
}

/** The datasets that may be read. */
async function readable(
  { datasets, targets }: FoundDatasets,
  rights: Rights,
  root: DatasetRoot,
): Promise<readonly Dataset[]> {
  const decider = pathRightsOf(rights).decider()
  const slice = createSlice()
  const allowed: Dataset[] = []
  for (const dataset of datasets) {
    if (slice.isOver()) await slice.next()
    if (mayReadDataset(namedDataset(dataset, targets), decider, root)) allowed.push(dataset)
  }
  return allowed
}

/** What rules are applied to: of a dataset that is a folder, the folder. */
function namedDataset({ file, marker }: Dataset, targets: ReadonlyMap<FoundFile, string>): NamedDataset {
  const location = targets.get(file) ?? file.location
  if (marker === null) return { path: file.path, location }
  return { path: withoutName(file.path), location: withoutName(location), folder: { marker } }
}

/** The path of the folder that something is in. */
function withoutName(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** All datasets that a pattern matches. */
async function findAll(
  root: DatasetRoot,
  formats: Formats,
  pattern: string,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
): Promise<FoundDatasets> {
  if (await isInFolderDataset(root, formats.markers, pattern, fingerprint))
    return { datasets: [], targets: new Map() }
  const { files, markers } = await findListed(root, pattern, signal, fingerprint, formats.markers)
  const groups = new Map<string, Dataset[]>(formats.groups.map(({ id }) => [id, []]))
  const links: FoundFile[] = []
  for await (const slice of inSlices(await inByteOrder(files, markers), signal, NAMES_IN_TURN))
    for (const file of slice) {
      const match = formats.matchName(file.path)
      if (match === null) continue
      const { marker, group, row } = match
      // A dataset that is a folder is listed by its marker, and not by an extension. A link is no marker.
      const isDataset = marker === null ? row.storage.kind === 'object' : !file.isLink
      if (isDataset) groups.get(group.id)?.push({ file, format: group.id, marker })
      if (isDataset && file.isLink) links.push(file)
    }
  const none: readonly Dataset[] = []
  // As `flat`, in a tenth of its time.
  return withoutBadLinks(root, none.concat(...groups.values()), links, signal, fingerprint)
}

/** So many names are matched with the formats in 2 ms. */
const NAMES_IN_TURN = 1024

/** The files and the markers that a pattern matches, in one list in byte order. */
async function inByteOrder(
  files: readonly FoundFile[],
  markers: readonly FoundFile[],
): Promise<readonly FoundFile[]> {
  if (markers.length === 0) return files
  const byPath = new Map<string, FoundFile>()
  const slice = createSlice()
  for (const list of [files, markers])
    for (const file of list) {
      if (slice.isOver()) await slice.next()
      byPath.set(file.path, file)
    }
  const inOrder: FoundFile[] = []
  for (const path of await runInSlices(sortByBytesInSteps([...byPath.keys()]))) {
    if (slice.isOver()) await slice.next()
    const file = byPath.get(path)
    if (file !== undefined) inOrder.push(file)
  }
  return inOrder
}

/** The entries of some datasets. A dataset that was removed meanwhile has neither size nor time. */
export async function describeDatasets(
  root: DatasetRoot,
  datasets: readonly Dataset[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder = NO_FINGERPRINT,
): Promise<DatasetEntry[]> {
  const described = await statFiles(
    root,
    datasets.map(({ file }) => file),
    signal,
    fingerprint,
  )
  const entries: DatasetEntry[] = []
  const slice = createSlice()
  for (const [index, { file, format }] of datasets.entries()) {
    if (slice.isOver()) await slice.next()
    const version = described[index]?.version
    entries.push({
      file_path: file.path,
      format,
      can_inspect: false,
      can_partial_explore: false,
      size: version ? Number(version.size) : null,
      last_modified: version ? toRfc3339(version.mtimeNs) : null,
    })
  }
  return entries
}

/**
 * Leaves out those of `links` that lead nowhere, to no regular file, or out of the root. Only links are checked here. The stats of all
 * other files are taken later, for the requested page of the listing alone.
 */
async function withoutBadLinks(
  root: DatasetRoot,
  datasets: readonly Dataset[],
  links: readonly FoundFile[],
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
): Promise<FoundDatasets> {
  if (links.length === 0) return { datasets, targets: new Map() }
  const linkTargets = await statFiles(root, links, signal, fingerprint)
  const targets = new Map(
    links.flatMap((file, index): [FoundFile, string][] => {
      const target = linkTargets[index]
      return target ? [[file, target.location]] : []
    }),
  )
  return { datasets: datasets.filter(({ file }) => !file.isLink || targets.has(file)), targets }
}

const SECOND = 1_000_000_000n

/** Writes a time with `+00:00`, and with 3, 6 or 9 digits of fraction if it has one. Null: beyond the range of `Date`. */
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
