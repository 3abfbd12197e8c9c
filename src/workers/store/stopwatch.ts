import type { WorkerMetrics } from '../../plan/task/task.ts'

/**
 * What is counted besides: columns that were found decoded, were not, and those that were given up for others; pages that
 * were left out, and their bytes that were not even read; units that a bloom filter proved to be without a hit.
 */
export type Count =
  | 'columnHits'
  | 'columnMisses'
  | 'columnEvictions'
  | 'chunkHits'
  | 'chunkMisses'
  | 'chunkEvictions'
  | 'pagesSkipped'
  | 'bytesSkipped'
  | 'unitsSkippedByBloomFilter'

export type Stage = 'open' | 'read' | 'inflate' | 'decode' | 'filter' | 'group' | 'sort' | 'encode'

/** Adds up the time of each stage and what was read. Stages do not nest: time inside an inner one is taken off the outer. */
export interface Stopwatch {
  time<T>(stage: Stage, work: () => T): T
  addBytesRead(bytes: number): void
  /** Of one unit. */
  addRowsScanned(rows: number): void
  count(what: Count, by?: number): void
  /** Bytes of decoded columns that are kept beyond the task. */
  setColumnBytes(bytes: number): void
  /** The same of decoded chunks. */
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
