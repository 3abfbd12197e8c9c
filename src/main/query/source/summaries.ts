import type { FileFormat } from '../../../plan/format/file-format.ts'
import { createRecent } from '../../../plan/recent.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { InspectAnswer } from '../../../plan/task/task.ts'
import { placesOf } from '../../../plan/types/schema.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { CacheFigures } from '../../metrics/cache-figures.ts'
import { createFolderSummaries, type FolderSummariesOptions } from './folder-summaries.ts'
import type { OnAnswer } from './on-answer.ts'

/** What is known of files without reading rows, kept between queries by the file's version. */
export interface Summaries {
  /**
   * The files and their summaries in their order, with the statistics of the named columns. Workers read what is not known.
   * Files that are folders come as they are planned from then on; others are the ones that were given.
   * Rejects with the error of the first file that cannot be read.
   */
  of(
    format: FileFormat,
    files: readonly FileRef[],
    statistics: readonly string[],
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<SummarizedFiles>
  figures(): CacheFigures
}

export interface SummarizedFiles {
  readonly files: readonly FileRef[]
  readonly summaries: readonly FileSummary[]
}

export type FolderLooks = Pick<FolderSummariesOptions, 'now' | 'isUnchanged'>

const NO_FOLDERS: FolderLooks = Object.freeze({
  now: async () => BigInt(Date.now()) * 1_000_000n,
  isUnchanged: async () => false,
})

/** Numbers kept in all summaries together: segments × columns. */
const CAPACITY = 2_000_000

/** The same of folders, and their documents. */
const FOLDER_CAPACITY = 500_000

/** What a number of a summary takes in memory, about. */
const NUMBER_BYTES = 50

/** Files asked about at once, per worker: enough to keep it busy while answers travel. */
const ASKED_PER_WORKER = 4

/** `looks`: how folders are looked at, where there are any. */
export function createSummaries(workers: number, looks: FolderLooks = NO_FOLDERS): Summaries {
  const folders = createFolderSummaries({ capacity: FOLDER_CAPACITY, weightOf, covers, ...looks })
  const known = createRecent<FileSummary>(CAPACITY, weightOf)
  let hits = 0
  let misses = 0

  return {
    async of(format, files, statistics, ticket, onAnswer) {
      const found: FileSummary[] = new Array(files.length)
      const missing: number[] = []
      const planned = files.some(({ folder }) => folder !== undefined) ? [...files] : null
      files.forEach((file, index) => {
        const key = keyOf(format, file)
        const summary = ticket.caching ? known.get(key) : undefined
        if (summary && statistics.every((name) => covers(summary, name))) {
          found[index] = summary
        } else missing.push(index)
      })
      if (ticket.caching && planned === null) {
        hits += files.length - missing.length
        misses += missing.length
      }
      const askNext = async (): Promise<void> => {
        for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
          const file = files[index]
          if (!file) continue
          if (planned !== null && file.folder !== undefined) {
            const known = await folders.of(format, file, file.folder, statistics, ticket, onAnswer)
            planned[index] = known.file
            found[index] = known.summary
            continue
          }
          const { caching, cancel } = ticket
          const task = { kind: 'inspect', format, file, statistics, caching, cancel } as const
          const { answer, queueMs } = await ticket.run<InspectAnswer>(task)
          onAnswer(answer, queueMs)
          const key = keyOf(format, file)
          const earlier = caching ? known.get(key) : undefined
          const summary = {
            ...answer.summary,
            statistics: { ...earlier?.statistics, ...answer.summary.statistics },
          }
          found[index] = summary
          if (caching && isFileSettled(file)) known.put(key, summary)
        }
      }
      await Promise.all(Array.from({ length: Math.min(missing.length, workers * ASKED_PER_WORKER) }, askNext))
      return { files: planned ?? files, summaries: found }
    },
    figures() {
      const ofFolders = folders.figures()
      return {
        hits: hits + ofFolders.hits,
        misses: misses + ofFolders.misses,
        evictions: known.evictions + ofFolders.evictions,
        entries: known.size + ofFolders.entries,
        bytes: (known.weight + ofFolders.bytes) * NUMBER_BYTES,
      }
    },
  }
}

function keyOf(format: FileFormat, file: FileRef): string {
  return `${format.key}:${fileKey(file)}`
}

/** Whether the statistics of a column are known, or the file has no such column. */
function covers(summary: FileSummary, name: string): boolean {
  return Object.hasOwn(summary.statistics, name) || !placesOf(summary.schema.fields).has(name)
}

function weightOf(summary: FileSummary): number {
  return (1 + summary.schema.fields.length) * (1 + summary.segments.length)
}
