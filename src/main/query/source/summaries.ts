import type { FileFormat } from '../../../plan/format/file-format.ts'
import { createLru } from '../../../plan/lru.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../plan/source/file.ts'
import { columnsAlong } from '../../../plan/source/grid.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { createSlice } from '../../../plan/steps.ts'
import { fieldIndexes } from '../../../plan/types/schema.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { CacheFigures } from '../../metrics/cache-figures.ts'
import { createFolderSummaries, type FolderSummariesOptions } from './folder-summaries.ts'
import { createInspector, type OnOmitted } from './inspect-file.ts'
import type { OnAnswer } from './on-answer.ts'
import { createSharedSchemas } from './schema/shared-schemas.ts'
import type { WantedOfFiles } from './wanted.ts'

/** Keeps the summaries of files between queries, by the files' versions: their schemas, segments and statistics. */
export interface Summaries {
  /**
   * Finds the summaries of files, in the order of the files. Workers inspect files of which something wanted is not known. Also
   * returns the files as they are planned: a folder comes back with its documents, and a file whose metadata the annex has parsed
   * with these. Rejects with the error of the first file that cannot be read.
   */
  of(
    format: FileFormat,
    files: readonly FileRef[],
    wanted: WantedOfFiles,
    ticket: Ticket,
    onAnswer: OnAnswer,
  ): Promise<PlannedFiles>
  figures(): CacheFigures
}

export interface PlannedFiles {
  readonly files: readonly FileRef[]
  readonly summaries: readonly FileSummary[]
}

/** How the documents of folders are checked. */
export type FolderChecks = Pick<FolderSummariesOptions, 'now' | 'isUnchanged'>

/** No checks: a summary of a folder is used only once. */
const NO_CHECKS: FolderChecks = Object.freeze({
  now: async () => BigInt(Date.now()) * 1_000_000n,
  isUnchanged: async () => false,
})

/** The most numbers in all summaries together: segments × columns. */
const CAPACITY = 2_000_000

/** The most numbers in the summaries of folders together, and documents of folders. */
const FOLDER_CAPACITY = 500_000

/** The memory that a number of a summary takes, approximately. */
const NUMBER_BYTES = 50

/** Files inspected at once, for each worker: enough to keep it busy while its answers are on their way. */
const ASKED_PER_WORKER = 4

export function createSummaries(
  workers: number,
  checks: FolderChecks = NO_CHECKS,
  onOmitted?: OnOmitted,
): Summaries {
  const folders = createFolderSummaries({ capacity: FOLDER_CAPACITY, weightOf, covers, ...checks })
  const known = createLru<FileSummary>(CAPACITY, weightOf)
  const shared = createSharedSchemas()
  const inspector = createInspector(onOmitted)
  let hits = 0
  let misses = 0

  return {
    async of(format, files, wanted, ticket, onAnswer) {
      const { statistics, columns } = wanted
      const { caching } = ticket
      const areFolders = files.some(({ folder }) => folder !== undefined)
      const planned = areFolders || format.layout === 'grid' ? [...files] : null
      // What is told of a grid depends on both.
      const asked = columns.length === 0 ? [] : [columns.toSorted(), statistics.toSorted()]
      const suffix = format.layout === 'grid' ? ` ${asked.map((names) => names.join('\0')).join('\0\0')}` : ''
      const keyOf = (file: FileRef): string => `${format.key}:${fileKey(file)}${suffix}`
      const found: FileSummary[] = new Array(files.length)
      const missing: number[] = []
      const slice = createSlice()
      for (const [index, file] of files.entries()) {
        if (slice.isOver()) await slice.next()
        const summary = caching ? known.get(keyOf(file)) : undefined
        const now = summary?.needsMetadata ? inspector.known(format, file) : file
        if (summary && now !== null && statistics.every((name) => covers(summary, name))) {
          found[index] = summary
          if (planned !== null) planned[index] = now
        } else missing.push(index)
      }
      if (caching && !areFolders) {
        hits += files.length - missing.length
        misses += missing.length
      }
      const askNext = async (): Promise<void> => {
        for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
          const file = files[index]
          if (!file) continue
          if (planned !== null && file.folder !== undefined) {
            const known = await folders.of(format, file, file.folder, wanted, ticket, onAnswer)
            planned[index] = known.file
            found[index] = known.summary
            continue
          }
          const { file: now, answer } = await inspector.inspect(format, file, wanted, ticket, onAnswer)
          if (planned !== null) planned[index] = now
          const key = keyOf(file)
          const earlier = caching ? known.get(key) : undefined
          const summary = {
            ...answer.summary,
            ...(now.metadata && { needsMetadata: true as const }),
            schema: shared(answer.summary.schema),
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
        bytes: (known.weight + ofFolders.weight) * NUMBER_BYTES + inspector.bytes,
      }
    },
  }
}

/** Whether the statistics of a column are known, or the file has no such column. Those of a grid's axes are always known. */
function covers(summary: FileSummary, name: string): boolean {
  if (summary.segments.kind === 'grid') return true
  return Object.hasOwn(summary.statistics, name) || !fieldIndexes(summary.schema.fields).has(name)
}

function weightOf(summary: FileSummary): number {
  const { schema, segments } = summary
  if (segments.kind === 'list') return (1 + schema.fields.length) * (1 + segments.segments.length)
  const numbers = segments.axes
    .flatMap(columnsAlong)
    .reduce((sum, { statistics }) => sum + statistics.length, 0)
  return 1 + schema.fields.length + numbers
}
