import type { FileFormat } from '../../../plan/format/file-format.ts'
import { createLru } from '../../../plan/lru.ts'
import { type FileRef, type FolderRef, isFileSettled } from '../../../plan/source/file.ts'
import { documentedFolder } from '../../../plan/source/object.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { versionKey } from '../../../plan/source/version.ts'
import type { InspectAnswer } from '../../../plan/task/task.ts'
import { type Fingerprint, fingerprintOf } from '../../datasets/fingerprint/fingerprint.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { OnAnswer } from './on-answer.ts'
import type { WantedOfFiles } from './wanted.ts'

/** Keeps the summaries of folders, as long as the marker and all documents that a summary was made from are the same versions. */
export interface FolderSummaries {
  /**
   * Finds the summary of a folder, and returns the folder with the documents that the summary was made from. `folder` is that of
   * `file`. If it has been planned before, the documents of that plan are among them; otherwise the worker fails with
   * `file_changed`.
   */
  of(
    format: FileFormat,
    file: FileRef,
    folder: FolderRef,
    wanted: WantedOfFiles,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<{ readonly file: FileRef; readonly summary: FileSummary }>
  figures(): {
    readonly hits: number
    readonly misses: number
    readonly evictions: number
    readonly entries: number
    readonly weight: number
  }
}

interface KeptSummary {
  readonly summary: FileSummary
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
  /** The time of the file system; see `ChangeClock`. */
  now(): Promise<bigint>
  /** Whether all documents are still the same versions. */
  isUnchanged(documents: Fingerprint): Promise<boolean>
}

export function createFolderSummaries(options: FolderSummariesOptions): FolderSummaries {
  const { covers, isUnchanged, now } = options
  const summaries = createLru<KeptSummary>(
    options.capacity,
    ({ summary, documents }) =>
      options.weightOf(summary) + documents.realpaths.size + documents.versions.size,
  )
  let hits = 0
  let misses = 0

  async function keptFor(key: string, { documents, key: planned }: FolderRef): Promise<KeptSummary | null> {
    const kept = summaries.get(key)
    if (kept === undefined) return null
    const { basis, folder } = kept
    if (documents !== null && planned !== basis && planned !== folder.key) return null
    return (await isUnchanged(kept.documents)) ? kept : null
  }

  return {
    async of(format, file, folder, { statistics, columns }, ticket, onAnswer) {
      const { caching, cancel } = ticket
      const plannedAt = folder.plannedAt ?? (await now())
      const rows = format.layout === 'grid' ? columns.toSorted().join('\0') : ''
      const key = `${format.key}:${versionKey(file.version)}:${file.location}\0${rows}`
      const kept = caching ? await keptFor(key, folder) : null
      if (kept !== null && statistics.every((name) => covers(kept.summary, name))) {
        hits++
        return { file: { ...file, folder: { ...kept.folder, plannedAt } }, summary: kept.summary }
      }
      if (caching) misses++
      const asked = kept === null ? file : { ...file, folder: kept.folder }
      const task = { kind: 'inspect', format, file: asked, statistics, columns, caching, cancel } as const
      const { answer, queueMs } = await ticket.run<InspectAnswer>(task)
      onAnswer(answer, queueMs)
      const { documents = [] } = answer.summary
      const inspected = documentedFolder(file.location, folder.marker, file.version, documents)
      const summary = {
        ...answer.summary,
        statistics: { ...kept?.summary.statistics, ...answer.summary.statistics },
      }
      if (caching && isFileSettled({ ...file, folder: inspected })) {
        const basis = folder.documents === null ? null : folder.key
        summaries.put(key, { summary, folder: inspected, basis, documents: fingerprintOf(documents) })
      }
      return { file: { ...file, folder: { ...inspected, plannedAt } }, summary }
    },
    figures: () => ({
      hits,
      misses,
      evictions: summaries.evictions,
      entries: summaries.size,
      weight: summaries.weight,
    }),
  }
}
