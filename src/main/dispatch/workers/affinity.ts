import { createLru } from '../../../plan/lru.ts'
import { productOf } from '../../../plan/product-of.ts'
import { fileKey } from '../../../plan/source/file.ts'
import { originKey } from '../../../plan/source/range.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { bytesOfParts } from '../../../plan/task/part.ts'
import type { FileUnit, ScanAnswer, ScanTask } from '../../../plan/task/task.ts'
import type { Placement } from '../queued-task.ts'

/** The fields of a scan task that decide how long it takes. */
export type Work = Pick<ScanTask, 'scan' | 'fragment' | 'file' | 'unit' | 'more' | 'caching'>

/** Remembers which workers have decoded which columns of which units. A worker probably still has them cached. */
export interface Affinity {
  /** The workers that should run the task, and how long to wait for one of them. Undefined: any worker will do. */
  of(task: ScanTask): Placement | undefined
  /**
   * How long such a task took the last time, in milliseconds, if it was quick: all of its columns, or the chunks of these, were in the worker's cache
   * and its result was small. Undefined: it was not quick, or it is not known.
   */
  quickMs(work: Work): number | undefined
  /** Records where a task has run and how long it took. */
  note(task: ScanTask, answer: ScanAnswer, worker: number): void
  /** The worker is gone, and with it all that it had decoded. */
  lost(worker: number): void
}

/** The workers that have something, and how many workers had been lost when this was noted. */
interface Holders {
  readonly workers: readonly number[]
  readonly losses: number
}

interface Estimate {
  readonly ms: number
  readonly losses: number
}

/** Entries that are remembered: one for each unit and one for each set of its columns, about 250 bytes each. */
const CAPACITY = 65_536

/** Bytes that a worker decodes in a millisecond: gives the time that is saved by waiting for a worker that has a unit. */
const DECODED_BYTES_PER_MS = 500_000

/** The shortest and the longest wait for a busy worker. Milliseconds. */
const PATIENCE_MS = Object.freeze({ min: 1, max: 50 })

/** The most that a quick task takes, in milliseconds, and the most bytes of its fragment. */
const QUICK_MS = 4
const QUICK_BYTES = 64 << 10

/** What a unit with cached columns takes besides the stages that are timed. Milliseconds. */
const UNIT_MS = 0.05

export function createAffinity(): Affinity {
  const holders = createLru<Holders>(CAPACITY)
  const quick = createLru<Estimate>(CAPACITY)
  /** The number of workers lost since the start, and by worker, that number when it was last lost. */
  let losses = 0
  const lostAt = new Map<number, number>()

  /**
   * The workers of a key that have not been lost since they were noted. Lost workers are dropped here, one key at a time,
   * so that a loss need not go through all entries.
   */
  function workersOf(key: string): readonly number[] | undefined {
    const holder = holders.get(key)
    if (holder === undefined || holder.losses === losses) return holder?.workers
    const workers = holder.workers.filter((worker) => (lostAt.get(worker) ?? 0) <= holder.losses)
    if (workers.length === 0) holders.remove(key)
    else holders.put(key, { workers, losses })
    return workers.length === 0 ? undefined : workers
  }

  function quickMs(work: Work): number | undefined {
    const columns = columnsKey(work)
    const key = workKey(work, columns)
    const quickTime = quick.get(key)
    if (quickTime === undefined || quickTime.losses === losses) return quickTime?.ms
    // A worker was lost since. The task is still quick if any of the others has its columns.
    if (workersOf(columns) === undefined) {
      quick.remove(key)
      return undefined
    }
    quick.put(key, { ms: quickTime.ms, losses })
    return quickTime.ms
  }

  return {
    of(task) {
      // A worker that has other columns of the unit has at least the file open.
      const prefer = workersOf(columnsKey(task)) ?? workersOf(keyOf(task))
      if (prefer === undefined) return undefined
      const bytes = task.more.reduce((sum, { unit }) => sum + bytesOf(unit), bytesOf(task.unit))
      const savedMs = bytes / DECODED_BYTES_PER_MS
      return { prefer, patienceMs: Math.min(PATIENCE_MS.max, Math.max(PATIENCE_MS.min, savedMs)) }
    },
    quickMs: (work) => (work.caching ? quickMs(work) : undefined),
    note(task, answer, worker) {
      const ms = msOf(task, answer)
      const columns = columnsKey(task)
      const work = workKey(task, columns)
      if (ms > QUICK_MS) quick.remove(work)
      else quick.put(work, { ms, losses })
      // Of small files that are read together the first one is enough: queries group them to the same tasks.
      const ofFile = task.more.filter(({ file }) => file === task.file)
      for (const key of [columns, ...[task, ...ofFile].map(keyOf)]) {
        const holdingWorkers = workersOf(key) ?? []
        if (!holdingWorkers.includes(worker))
          holders.put(key, { workers: [...holdingWorkers, worker], losses })
      }
    },
    lost(worker) {
      lostAt.set(worker, ++losses)
    },
  }
}

/** How long a task of cached columns or chunks took, in milliseconds; infinity if it had to read some, or its result is large. */
function msOf({ fragment }: ScanTask, { metrics, parts }: ScanAnswer): number {
  const { columnHits, columnMisses, chunkHits, chunkMisses, unitsRead } = metrics
  const isRead = columnHits + chunkHits === 0 || columnMisses + chunkMisses > 0
  const isMerged = fragment.kind !== 'rows' && fragment.kind !== 'answer'
  if (isRead || (isMerged && bytesOfParts(parts) > QUICK_BYTES)) return Number.POSITIVE_INFINITY
  // Columns are made of cached chunks in each query.
  const decodingMs = chunkHits === 0 ? 0 : metrics.openMs + metrics.readMs + metrics.decodeMs
  return (
    Math.max(1, unitsRead) * UNIT_MS +
    decodingMs +
    metrics.filterMs +
    metrics.groupMs +
    metrics.sortMs +
    metrics.encodeMs
  )
}

/** Boxes of a few and of many elements have the same chunks, and take different times. */
function workKey({ fragment, unit }: Work, columns: string): string {
  const magnitude = unit.kind === 'box' ? Math.ceil(Math.log2(productOf(unit.extent))) : ''
  return `${fragment.kind} ${magnitude} ${columns}`
}

/**
 * Names the columns of a task's units. Of several units the first one and their number are enough: queries of the same
 * columns group the same units into tasks.
 */
function columnsKey({ scan, more, ...unit }: Work): string {
  return `${keyOf(unit)} ${more.length} ${scan.columns.map(({ name }) => name).join(' ')}`
}

/** Names what is decoded of a unit: units in the same compressed chunks need the same. */
function keyOf({ file, unit }: FileUnit): string {
  const tile = unit.kind === 'box' ? unit.tile : undefined
  return `${fileKey(file)} ${tile === undefined ? originKey(unit) : tile.origin.join()}`
}

/** The bytes that are decoded of a unit. */
function bytesOf(unit: Unit): number {
  return Math.max(unit.decodedBytes, unit.kind === 'box' ? (unit.tile?.bytes ?? 0) : 0)
}
