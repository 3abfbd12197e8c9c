import type { FileFormat } from '../../../../plan/format/file-format.ts'
import { createLru } from '../../../../plan/lru.ts'
import { type FileRef, type FolderRef, isFileSettled } from '../../../../plan/source/file.ts'
import { documentedFolder, markedFolder, type ObjectVersion } from '../../../../plan/source/object.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import { versionKey } from '../../../../plan/source/version.ts'
import type { FoundGroups } from '../../../../plan/task/inspect.ts'
import { type Fingerprint, fingerprintOf } from '../../../datasets/fingerprint/fingerprint.ts'
import type { Ticket } from '../../../dispatch/ticket.ts'
import type { OnAnswer } from '../on-answer.ts'
import { inspectOne } from './ask-workers.ts'
import type { WantedOfFiles } from './wanted.ts'

/** Keeps the summaries of folders, as long as the marker and all documents that a summary was made from are the same versions. */
export interface FolderSummaries {
  /**
   * Finds the summary of a folder, and returns the folder with the documents that the summary was made from. A store with several
   * groups gives a file for each of them, in their order. `folder` is that of `file`. If it has been planned before, the documents of
   * that plan are among them; otherwise the worker fails with `file_changed`.
   */
  of(
    format: FileFormat,
    file: FileRef,
    folder: FolderRef,
    wanted: WantedOfFiles,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<PlannedFolder>
  figures(): {
    readonly hits: number
    readonly misses: number
    readonly evictions: number
    readonly entries: number
    readonly weight: number
  }
}

export interface PlannedFolder {
  readonly files: readonly FileRef[]
  /** In the order of the files. */
  readonly summaries: readonly FileSummary[]
  /** The documents that tell which groups there are. None: the folder is not divided into groups. */
  readonly documents: readonly ObjectVersion[]
}

/** What a worker found in a folder: its summary, or groups, each with a summary of its own. */
type FoundInFolder = { readonly summary: FileSummary } | Pick<FoundGroups, 'groups' | 'documents'>

interface KeptFolder {
  readonly content: FoundInFolder
  readonly folder: FolderRef
  /** The key of the folder when it was inspected. Null: none of its documents was known then. */
  readonly basis: string | null
  readonly documents: Fingerprint
}

export interface FolderSummariesOptions {
  /** The most that all kept summaries weigh together. A document weighs 1. */
  readonly capacity: number
  weightOf(summary: FileSummary): number
  /** Whether a summary has the statistics of a column, or the folder has none. */
  covers(summary: FileSummary, column: string): boolean
  /** How many groups of a store are inspected at the same time. */
  readonly concurrent: number
  /** The time of the file system; see `ChangeClock`. */
  now(): Promise<bigint>
  /** Whether all documents are still the same versions. */
  isUnchanged(documents: Fingerprint): Promise<boolean>
}

export function createFolderSummaries(options: FolderSummariesOptions): FolderSummaries {
  const { covers, isUnchanged, now } = options
  const folders = createLru<KeptFolder>(
    options.capacity,
    ({ content, documents }) =>
      ('summary' in content ? options.weightOf(content.summary) : content.groups.length) +
      documents.realpaths.size +
      documents.versions.size,
  )
  let hits = 0
  let misses = 0

  async function findKeptFolder(
    key: string,
    { documents, key: planned }: FolderRef,
  ): Promise<KeptFolder | null> {
    const earlier = folders.get(key)
    if (earlier === undefined) return null
    const { basis, folder } = earlier
    if (documents !== null && planned !== basis && planned !== folder.key) return null
    return (await isUnchanged(earlier.documents)) ? earlier : null
  }

  /** Finds what is in a folder, or in one group of it. `plannedAt` is that of the file which comes back. */
  async function inspect(
    format: FileFormat,
    file: FileRef,
    folder: FolderRef,
    { statistics, columns }: WantedOfFiles,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<{ readonly file: FileRef; readonly plannedAt: bigint; readonly content: FoundInFolder }> {
    const { caching } = ticket
    const { location, version } = file
    const { marker, group } = folder
    const plannedAt = folder.plannedAt ?? (await now())
    const rows = format.layout === 'grid' ? columns.toSorted().join('\0') : ''
    const key = `${format.key}:${versionKey(version)}:${location}\0${group ?? ''}\0${rows}`
    const earlier = caching ? await findKeptFolder(key, folder) : null
    const before = earlier !== null && 'summary' in earlier.content ? earlier.content.summary : null
    if (earlier !== null && (before === null || statistics.every((name) => covers(before, name)))) {
      hits++
      return {
        file: { ...file, folder: { ...earlier.folder, plannedAt } },
        plannedAt,
        content: earlier.content,
      }
    }
    if (caching) misses++
    const asked = earlier === null ? file : { ...file, folder: earlier.folder }
    const inspection = await inspectOne(format, asked, { statistics, columns }, ticket, onAnswer)
    const { documents = [] } = inspection.kind === 'summary' ? inspection.summary : inspection
    const documented = documentedFolder(location, marker, version, documents, group)
    const content =
      inspection.kind === 'summary' ? { summary: withStatistics(inspection.summary, before) } : inspection
    if (caching && isFileSettled({ ...file, folder: documented })) {
      const basis = folder.documents === null ? null : folder.key
      folders.put(key, { content, folder: documented, basis, documents: fingerprintOf(documents) })
    }
    return { file: { ...file, folder: { ...documented, plannedAt } }, plannedAt, content }
  }

  return {
    async of(format, file, folder, wanted, ticket, onAnswer) {
      const {
        file: planned,
        plannedAt,
        content,
      } = await inspect(format, file, folder, wanted, ticket, onAnswer)
      if ('summary' in content) return { files: [planned], summaries: [content.summary], documents: [] }
      const files: FileRef[] = new Array(content.groups.length)
      const summaries: FileSummary[] = new Array(content.groups.length)
      const missing = [...content.groups.entries()]
      const askNext = async (): Promise<void> => {
        for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
          const [index, group] = next
          // No group is read as it was changed after the groups were found.
          const inStore = { ...markedFolder(file.location, folder.marker, file.version, group), plannedAt }
          const groupFile = { ...file, path: `${file.path}/${group}`, folder: inStore }
          const inGroup = await inspect(format, groupFile, inStore, wanted, ticket, onAnswer)
          if (!('summary' in inGroup.content)) throw new TypeError(`the group ${groupFile.path} has groups`)
          files[index] = inGroup.file
          summaries[index] = inGroup.content.summary
        }
      }
      await Promise.all(Array.from({ length: Math.min(missing.length, options.concurrent) }, askNext))
      return { files, summaries, documents: content.documents }
    },
    figures: () => ({
      hits,
      misses,
      evictions: folders.evictions,
      entries: folders.size,
      weight: folders.weight,
    }),
  }
}

/** A summary with the statistics of an earlier one too. */
function withStatistics(summary: FileSummary, before: FileSummary | null): FileSummary {
  return { ...summary, statistics: { ...before?.statistics, ...summary.statistics } }
}
