import type { WorkerMetrics } from '../../plan/task/worker-metrics.ts'

/** What is counted besides times; see `WorkerMetrics`. */
type Count =
  | 'columnHits'
  | 'columnMisses'
  | 'columnEvictions'
  | 'chunkHits'
  | 'chunkMisses'
  | 'chunkEvictions'
  | 'chunksSkipped'
  | 'pagesSkipped'
  | 'bytesSkipped'
  | 'unitsSkippedByBloomFilter'

type Stage = 'open' | 'read' | 'inflate' | 'decode' | 'filter' | 'group' | 'sort' | 'encode'

/** Measures a task: the time of each stage, what was read, and other counts. */
export interface Stopwatch {
  /** Adds the time that `work` takes to a stage. The time of a stage inside of another counts for the inner one alone. */
  time<T>(stage: Stage, work: () => T): T
  addBytesRead(bytes: number): void
  /** Counts one unit, and this many rows of it. */
  addRowsScanned(rows: number): void
  count(what: Count, by?: number): void
  /** The bytes of all decoded columns that the worker keeps after the task. */
  setColumnBytes(bytes: number): void
  /** The bytes of all decoded chunks that the worker keeps after the task. */
  setChunkBytes(bytes: number): void
  metrics(): WorkerMetrics
}

export function createStopwatch(): Stopwatch {
  const spent: Record<Stage, number> = {
    open: 0,
    read: 0,
    inflate: 0,
    decode: 0,
    filter: 0,
    group: 0,
    sort: 0,
    encode: 0,
  }
  const counts: Record<Count, number> = {
    columnHits: 0,
    columnMisses: 0,
    columnEvictions: 0,
    chunkHits: 0,
    chunkMisses: 0,
    chunkEvictions: 0,
    chunksSkipped: 0,
    pagesSkipped: 0,
    bytesSkipped: 0,
    unitsSkippedByBloomFilter: 0,
  }
  let columnBytes: number | null = null
  let chunkBytes: number | null = null
  let innerMs = 0
  let bytesRead = 0
  let rowsScanned = 0
  let unitsRead = 0
  return {
    time(stage, work) {
      const outerInnerMs = innerMs
      innerMs = 0
      const start = performance.now()
      try {
        return work()
      } finally {
        const elapsed = performance.now() - start
        spent[stage] += elapsed - innerMs
        innerMs = outerInnerMs + elapsed
      }
    },
    addBytesRead: (bytes) => {
      bytesRead += bytes
    },
    addRowsScanned: (rows) => {
      rowsScanned += rows
      unitsRead++
    },
    count(what, by = 1) {
      counts[what] += by
    },
    setColumnBytes(bytes) {
      columnBytes = bytes
    },
    setChunkBytes(bytes) {
      chunkBytes = bytes
    },
    metrics: () => ({
      openMs: spent.open,
      readMs: spent.read,
      inflateMs: spent.inflate,
      decodeMs: spent.decode,
      filterMs: spent.filter,
      groupMs: spent.group,
      sortMs: spent.sort,
      encodeMs: spent.encode,
      bytesRead,
      rowsScanned,
      unitsRead,
      ...counts,
      columnBytes,
      chunkBytes,
    }),
  }
}
