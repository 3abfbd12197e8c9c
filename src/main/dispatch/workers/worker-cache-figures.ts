import type { Answer, TrimmedAnswer } from '../../../plan/task/task.ts'
import type { WorkerMetrics } from '../../../plan/task/worker-metrics.ts'

/** The workers' caches of one kind, added up: counts since the start, and the bytes that they hold now. */
export interface WorkerCacheFigures {
  readonly hits: number
  readonly misses: number
  readonly evictions: number
  readonly bytes: number
}

interface CacheCounter {
  readonly figures: WorkerCacheFigures
  add(worker: number, metrics: WorkerMetrics): void
  /** The cache has so many bytes. */
  has(worker: number, bytes: number): void
  /** The worker is gone, and its cache with it. */
  lost(worker: number): void
}

/** Counts for the caches of columns and of chunks, in workers and engines. */
export interface CacheCounters {
  readonly columns: WorkerCacheFigures
  readonly chunks: WorkerCacheFigures
  add(thread: number, answer: Answer): void
  /** The thread has given back memory. */
  trimmed(thread: number, has: TrimmedAnswer): void
  /** The thread is gone, and its caches with it. */
  lost(thread: number): void
}

export function createCacheCounters(): CacheCounters {
  const columns = createColumnCounter()
  const chunks = createChunkCounter()
  return {
    get columns() {
      return columns.figures
    },
    get chunks() {
      return chunks.figures
    },
    add(thread, answer) {
      if ('metrics' in answer) for (const kind of [columns, chunks]) kind.add(thread, answer.metrics)
    },
    trimmed(thread, { columnBytes, chunkBytes }) {
      columns.has(thread, columnBytes)
      chunks.has(thread, chunkBytes)
    },
    lost(thread) {
      for (const kind of [columns, chunks]) kind.lost(thread)
    },
  }
}

/** Counts for the caches of decoded columns. */
function createColumnCounter(): CacheCounter {
  return createCounter(({ columnHits, columnMisses, columnEvictions, columnBytes }) => ({
    hits: columnHits,
    misses: columnMisses,
    evictions: columnEvictions,
    bytes: columnBytes,
  }))
}

/** Counts for the caches of decoded chunks. */
function createChunkCounter(): CacheCounter {
  return createCounter(({ chunkHits, chunkMisses, chunkEvictions, chunkBytes }) => ({
    hits: chunkHits,
    misses: chunkMisses,
    evictions: chunkEvictions,
    bytes: chunkBytes,
  }))
}

/** `read` gives the counts of one task. Null bytes: the worker has not measured them. */
function createCounter(
  read: (metrics: WorkerMetrics) => Omit<WorkerCacheFigures, 'bytes'> & { readonly bytes: number | null },
): CacheCounter {
  let hits = 0
  let misses = 0
  let evictions = 0
  const bytes = new Map<number, number>()
  return {
    get figures() {
      const held = [...bytes.values()].reduce((sum, each) => sum + each, 0)
      return { hits, misses, evictions, bytes: held }
    },
    add(worker, metrics) {
      const counts = read(metrics)
      hits += counts.hits
      misses += counts.misses
      evictions += counts.evictions
      if (counts.bytes !== null) bytes.set(worker, counts.bytes)
    },
    has: (worker, now) => bytes.set(worker, now),
    lost: (worker) => bytes.delete(worker),
  }
}
