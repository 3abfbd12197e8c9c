import type { WorkerMetrics } from '../../plan/task/task.ts'

/** What the workers have done with what they keep of one kind since the start, and hold of it. */
export interface KeptFigures {
  readonly hits: number
  readonly misses: number
  /** Those that were given up to keep others. */
  readonly evictions: number
  readonly bytes: number
}

export interface KeptCounter {
  readonly figures: KeptFigures
  add(worker: number, metrics: WorkerMetrics): void
  /** The worker is gone, and what it kept with it. */
  lost(worker: number): void
}

/** Decoded columns. */
export function createColumnCounter(): KeptCounter {
  return createCounter(({ columnHits, columnMisses, columnEvictions, columnBytes }) => ({
    hits: columnHits,
    misses: columnMisses,
    evictions: columnEvictions,
    bytes: columnBytes,
  }))
}

/** Decoded chunks. */
export function createChunkCounter(): KeptCounter {
  return createCounter(({ chunkHits, chunkMisses, chunkEvictions, chunkBytes }) => ({
    hits: chunkHits,
    misses: chunkMisses,
    evictions: chunkEvictions,
    bytes: chunkBytes,
  }))
}

/** Bytes are null where the worker did not look. */
function createCounter(
  read: (metrics: WorkerMetrics) => Omit<KeptFigures, 'bytes'> & { readonly bytes: number | null },
): KeptCounter {
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
      const told = read(metrics)
      hits += told.hits
      misses += told.misses
      evictions += told.evictions
      if (told.bytes !== null) bytes.set(worker, told.bytes)
    },
    lost: (worker) => bytes.delete(worker),
  }
}
