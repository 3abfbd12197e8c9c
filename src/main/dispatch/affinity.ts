import { createRecent } from '../../plan/recent.ts'
import { fileKey } from '../../plan/source/file.ts'
import { originKey } from '../../plan/source/range.ts'
import { bytesOfParts } from '../../plan/task/part.ts'
import type { FileUnit, ScanAnswer, ScanTask } from '../../plan/task/task.ts'
import type { Placement } from './job.ts'

/** What tells two tasks apart that take a different time. */
export type Work = Pick<ScanTask, 'scan' | 'fragment' | 'file' | 'unit' | 'more' | 'caching'>

/** Which workers have decoded the columns of units, and so may still have them. */
export interface Affinity {
  /** Where a unit is decoded best; undefined: anywhere. */
  of(task: ScanTask): Placement | undefined
  /**
   * Milliseconds that such a task took the last time, which were few: all of its columns were there, and little came of it.
   * Undefined: it was not so.
   */
  quickMs(work: Work): number | undefined
  note(task: ScanTask, answer: ScanAnswer, worker: number): void
  /** The worker is gone, and with it all that it had decoded. */
  lost(worker: number): void
}

/** Workers that have something, as of a number of workers that had been lost by then. */
interface Holders {
  readonly workers: readonly number[]
  readonly losses: number
}

interface Estimate {
  readonly ms: number
  readonly losses: number
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

export function createAffinity(): Affinity {
  const affinity = createRecent<Holders>(CAPACITY)
  const quick = createRecent<Estimate>(CAPACITY)
  /** Workers lost since the start, and what that number was after each worker's last loss. */
  let losses = 0
  const lostAt = new Map<number, number>()

  /**
   * The workers of a key that have not been lost since it was noted. They are looked for when the key is asked for: a loss
   * itself does not go through all that is remembered.
   */
  function workersOf(key: string): readonly number[] | undefined {
    const known = affinity.get(key)
    if (known === undefined || known.losses === losses) return known?.workers
    const workers = known.workers.filter((worker) => (lostAt.get(worker) ?? 0) <= known.losses)
    if (workers.length === 0) affinity.remove(key)
    else affinity.put(key, { workers, losses })
    return workers.length === 0 ? undefined : workers
  }

  function quickMs(work: Work): number | undefined {
    const columns = columnsKey(work)
    const key = workKey(work, columns)
    const known = quick.get(key)
    if (known === undefined || known.losses === losses) return known?.ms
    // It was quick where the columns were: it is so still if another worker has them as well.
    if (workersOf(columns) === undefined) {
      quick.remove(key)
      return undefined
    }
    quick.put(key, { ms: known.ms, losses })
    return known.ms
  }

  return {
    of(task) {
      // Who has other columns of it has at least its file open.
      const prefer = workersOf(columnsKey(task)) ?? workersOf(keyOf(task))
      if (prefer === undefined) return undefined
      const bytes = task.more.reduce((sum, { unit }) => sum + unit.decodedBytes, task.unit.decodedBytes)
      const savedMs = bytes / DECODED_BYTES_PER_MS
      return { prefer, patienceMs: Math.min(PATIENCE_MS.most, Math.max(PATIENCE_MS.least, savedMs)) }
    },
    quickMs: (work) => (work.caching ? quickMs(work) : undefined),
    note(task, answer, worker) {
      const ms = msOf(task, answer)
      const columns = columnsKey(task)
      const work = workKey(task, columns)
      if (ms > QUICK_MS) quick.remove(work)
      else quick.put(work, { ms, losses })
      for (const key of [columns, ...[task, ...task.more].map(keyOf)]) {
        const known = workersOf(key) ?? []
        if (!known.includes(worker)) affinity.put(key, { workers: [...known, worker], losses })
      }
    },
    lost(worker) {
      lostAt.set(worker, ++losses)
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

function workKey(work: Work, columns: string): string {
  return `${work.fragment.kind} ${columns}`
}

/** Some columns of units. What is read together is so in every query of the same columns, as far as it is read at all. */
function columnsKey({ scan, more, ...unit }: Work): string {
  return `${keyOf(unit)} ${more.length} ${scan.columns.map(({ name }) => name).join(' ')}`
}

function keyOf({ file, unit }: FileUnit): string {
  return `${fileKey(file)} ${originKey(unit)}`
}
