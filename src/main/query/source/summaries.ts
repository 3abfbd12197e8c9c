import type { FileFormat } from '../../../plan/format/file-format.ts'
import { createRecent } from '../../../plan/recent.ts'
import { type FileRef, fileKey, isFileSettled } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { InspectAnswer, WorkerMetrics } from '../../../plan/task/task.ts'
import { placesOf } from '../../../plan/types/schema.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { CacheFigures } from '../../metrics/cache-figures.ts'

/** What is to be known of files. */
export interface WantedOfFiles {
  /** Columns whose statistics are wanted. */
  readonly statistics: readonly string[]
  /** Columns whose rows are wanted, of a format whose rows follow the columns that are read; none: the rows of all of them. */
  readonly columns: readonly string[]
}

/** What is known of files without reading rows, kept between queries by the file's version. */
export interface Summaries {
  /** Summaries in the order of the files. Workers read what is not known. Rejects with the error of the first file that cannot be read. */
  of(
    format: FileFormat,
    files: readonly FileRef[],
    wanted: WantedOfFiles,
    ticket: Ticket,
    onAnswer: (metrics: WorkerMetrics, queueMs: number) => void,
  ): Promise<readonly FileSummary[]>
  figures(): CacheFigures
}

/** Numbers kept in all summaries together: segments × columns. */
const CAPACITY = 2_000_000

/** What a number of a summary takes in memory, about. */
const NUMBER_BYTES = 50

/** Files asked about at once, per worker: enough to keep it busy while answers travel. */
const ASKED_PER_WORKER = 4

export function createSummaries(workers: number): Summaries {
  const known = createRecent<FileSummary>(CAPACITY, weightOf)
  let hits = 0
  let misses = 0

  return {
    async of(format, files, { statistics, columns }, ticket, onAnswer) {
      const suffix = format.layout === 'grid' ? ` ${columns.toSorted().join('\0')}` : ''
      const keyOf = (file: FileRef): string => `${format.key}:${fileKey(file)}${suffix}`
      const found: FileSummary[] = new Array(files.length)
      const missing: number[] = []
      files.forEach((file, index) => {
        const key = keyOf(file)
        const summary = ticket.caching ? known.get(key) : undefined
        if (summary && statistics.every((name) => covers(summary, name))) {
          found[index] = summary
        } else missing.push(index)
      })
      if (ticket.caching) {
        hits += files.length - missing.length
        misses += missing.length
      }
      const askNext = async (): Promise<void> => {
        for (let index = missing.shift(); index !== undefined; index = missing.shift()) {
          const file = files[index]
          if (!file) continue
          const { caching, cancel } = ticket
          const task = { kind: 'inspect', format, file, statistics, columns, caching, cancel } as const
          const { answer, queueMs } = await ticket.run<InspectAnswer>(task)
          onAnswer(answer.metrics, queueMs)
          const key = keyOf(file)
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
      return found
    },
    figures: () => ({
      hits,
      misses,
      evictions: known.evictions,
      entries: known.size,
      bytes: known.weight * NUMBER_BYTES,
    }),
  }
}

/** Whether the statistics of a column are known, or the file has no such column. A grid has those of all its axes. */
function covers(summary: FileSummary, name: string): boolean {
  if (summary.segments.kind === 'grid') return true
  return Object.hasOwn(summary.statistics, name) || !placesOf(summary.schema.fields).has(name)
}

function weightOf(summary: FileSummary): number {
  const { schema, segments } = summary
  if (segments.kind === 'list') return (1 + schema.fields.length) * (1 + segments.segments.length)
  return segments.axes.reduce((sum, { statistics }) => sum + statistics.length, 1 + schema.fields.length)
}
