import { createRecent } from '../../plan/recent.ts'
import { originKey } from '../../plan/source/range.ts'
import { versionKey } from '../../plan/source/unit.ts'
import { bytesOfParts, type FileUnit, type ScanAnswer, type ScanTask } from '../../plan/task/task.ts'
import type { Place } from './job.ts'

/** What tells two tasks apart that take a different time. */
export type Work = Pick<ScanTask, 'scan' | 'fragment' | 'file' | 'unit' | 'more' | 'caching'>

/** Which workers have decoded the columns of units, and so may still have them. */
export interface Homes {
  /** Where a unit is decoded best; undefined: anywhere. */
  of(task: ScanTask): Place | undefined
  /**
   * Milliseconds that such a task took the last time, which were few: all of its columns were there, and little came of it.
   * Undefined: it was not so.
   */
  quickMs(work: Work): number | undefined
  note(task: ScanTask, answer: ScanAnswer, worker: number): void
}

/** Units, alone and with columns, that are remembered, about 250 bytes each. */
const CAPACITY = 65_536

/** Bytes that a worker decodes in a millisecond: what waiting for the one that has a unit may save. */
const DECODED_BYTES_PER_MS = 500_000

/** The longest and the shortest wait for a worker that is busy. Milliseconds. */
const PATIENCE_MS = Object.freeze({ least: 1, most: 50 })

/** What a quick task takes at most, and bytes of its partial: many are asked for at once. */
const QUICK_MS = 4
const QUICK_BYTES = 64 << 10

/** What a unit takes whose columns are there, besides the stages that are timed. Milliseconds. */
const UNIT_MS = 0.05

export function createHomes(): Homes {
  const homes = createRecent<readonly number[]>(CAPACITY)
  const quick = createRecent<number>(CAPACITY)
  return {
    of(task) {
      // Who has other columns of it has at least its file open.
      const prefer = homes.get(columnsKey(task)) ?? homes.get(keyOf(task))
      if (prefer === undefined) return undefined
      const bytes = task.more.reduce((sum, { unit }) => sum + unit.decodedBytes, task.unit.decodedBytes)
      const savedMs = bytes / DECODED_BYTES_PER_MS
      return { prefer, patienceMs: Math.min(PATIENCE_MS.most, Math.max(PATIENCE_MS.least, savedMs)) }
    },
    quickMs: (work) => (work.caching ? quick.get(workKey(work)) : undefined),
    note(task, answer, worker) {
      const ms = msOf(task, answer)
      const columns = columnsKey(task)
      const work = workKey(task, columns)
      if (ms > QUICK_MS) quick.remove(work)
      else quick.put(work, ms)
      for (const key of [columns, ...[task, ...task.more].map(keyOf)]) {
        const known = homes.get(key) ?? []
        if (!known.includes(worker)) homes.put(key, [...known, worker])
      }
    },
  }
}

/** Infinity: it is not quick. */
function msOf({ fragment }: ScanTask, { metrics, parts }: ScanAnswer): number {
  const { columnHits, columnMisses, unitsRead } = metrics
  const isRead = columnHits === 0 || columnMisses > 0
  const isPartial = fragment.kind !== 'rows' && fragment.kind !== 'answer'
  if (isRead || (isPartial && bytesOfParts(parts) > QUICK_BYTES)) return Number.POSITIVE_INFINITY
  return (
    Math.max(1, unitsRead) * UNIT_MS + metrics.filterMs + metrics.groupMs + metrics.sortMs + metrics.encodeMs
  )
}

function workKey(work: Work, columns = columnsKey(work)): string {
  return `${work.fragment.kind} ${columns}`
}

/** Some columns of units. What is read together is so in every query of the same columns, as far as it is read at all. */
function columnsKey({ scan, more, ...unit }: Work): string {
  return `${keyOf(unit)} ${more.length} ${scan.columns.map(({ name }) => name).join(' ')}`
}

function keyOf({ file, unit }: FileUnit): string {
  return `${versionKey(file.version)} ${originKey(unit)}`
}
