import type { FileFormat } from '../../../plan/format/file-format.ts'
import { createRecent } from '../../../plan/recent.ts'
import { type FileRef, type FolderRef, isFileSettled } from '../../../plan/source/file.ts'
import { documentedFolder } from '../../../plan/source/object.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { versionKey } from '../../../plan/source/version.ts'
import type { InspectAnswer } from '../../../plan/task/task.ts'
import { type Trail, trailOf } from '../../datasets/fingerprint/fingerprint.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { CacheFigures } from '../../metrics/cache-figures.ts'
import type { OnAnswer } from './on-answer.ts'

/** What is known of a dataset that is a folder, and the folder as it is planned: with the documents on which that rests. */
export interface PlannedFolder {
  readonly file: FileRef
  readonly summary: FileSummary
}

/** As `Summaries` of folders, which are kept as long as the marker and each document are the same. */
export interface FolderSummaries {
  /** `folder` is that of the file. One that is planned already keeps its documents, or the worker answers `file_changed`. */
  of(
    format: FileFormat,
    file: FileRef,
    folder: FolderRef,
    statistics: readonly string[],
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<PlannedFolder>
  figures(): CacheFigures
}

interface Known {
  readonly summary: FileSummary
  readonly folder: FolderRef
  readonly documents: Trail
}

export interface FolderSummariesOptions {
  /** What all that is kept may weigh, and what a summary does. */
  readonly capacity: number
  weightOf(summary: FileSummary): number
  /** Whether the statistics of a column are part of a summary, as far as there can be any. */
  covers(summary: FileSummary, column: string): boolean
  /** The time of the file system. */
  now(): Promise<bigint>
  /** Whether all documents are what they were. */
  isUnchanged(documents: Trail): Promise<boolean>
}

export function createFolderSummaries(options: FolderSummariesOptions): FolderSummaries {
  const { covers, isUnchanged, now } = options
  const summaries = createRecent<Known>(
    options.capacity,
    ({ summary, documents }) => options.weightOf(summary) + documents.places.size + documents.versions.size,
  )
  let hits = 0
  let misses = 0

  async function knownOf(key: string, { documents, key: planned }: FolderRef): Promise<Known | undefined> {
    const known = summaries.get(key)
    if (known === undefined) return undefined
    const isRight = documents === null ? await isUnchanged(known.documents) : known.folder.key === planned
    return isRight ? known : undefined
  }

  return {
    async of(format, file, folder, statistics, ticket, onAnswer) {
      const plannedAt = folder.plannedAt ?? (await now())
      const { caching, cancel } = ticket
      const key = `${format.key}:${versionKey(file.version)}:${file.location}`
      const known = caching ? await knownOf(key, folder) : undefined
      if (known !== undefined && statistics.every((name) => covers(known.summary, name))) {
        hits++
        return { file: { ...file, folder: { ...known.folder, plannedAt } }, summary: known.summary }
      }
      if (caching) misses++
      const asked = known === undefined ? file : { ...file, folder: known.folder }
      const task = { kind: 'inspect', format, file: asked, statistics, caching, cancel } as const
      const { answer, queueMs } = await ticket.run<InspectAnswer>(task)
      onAnswer(answer, queueMs)
      const { documents = [] } = answer.summary
      const inspected = documentedFolder(file.location, folder.marker, file.version, documents)
      const summary = {
        ...answer.summary,
        statistics: { ...known?.summary.statistics, ...answer.summary.statistics },
      }
      const inspectedFile = { ...file, folder: inspected }
      if (caching && isFileSettled(inspectedFile))
        summaries.put(key, { summary, folder: inspected, documents: trailOf(documents) })
      return { file: { ...file, folder: { ...inspected, plannedAt } }, summary }
    },
    figures: () => ({
      hits,
      misses,
      evictions: summaries.evictions,
      entries: summaries.size,
      bytes: summaries.weight,
    }),
  }
}
