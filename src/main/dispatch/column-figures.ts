import type { WorkerMetrics } from '../../plan/task/task.ts'

/** The workers' caches of decoded columns, added up: counts since the start, and the bytes that they hold now. */
export interface ColumnFigures {
  readonly hits: number
  readonly misses: number
  readonly evictions: number
  readonly bytes: number
}

export interface ColumnCounter {
  readonly figures: ColumnFigures
  add(worker: number, metrics: WorkerMetrics): void
  /** The worker is gone, and its columns with it. */
  lost(worker: number): void
}

export function createColumnCounter(): ColumnCounter {
  let hits = 0
  let misses = 0
  let evictions = 0
  const bytes = new Map<number, number>()
  return {
    get figures() {
      const held = [...bytes.values()].reduce((sum, each) => sum + each, 0)
      return { hits, misses, evictions, bytes: held }
    },
    add(worker, { columnHits, columnMisses, columnEvictions, columnBytes }) {
      hits += columnHits
      misses += columnMisses
      evictions += columnEvictions
      if (columnBytes !== null) bytes.set(worker, columnBytes)
    },
    lost: (worker) => bytes.delete(worker),
  }
}
