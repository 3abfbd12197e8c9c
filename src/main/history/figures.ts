import type { WorkerMetrics } from '../../plan/task/worker-metrics.ts'

/** The cost of a query so far. Times are in milliseconds, those of workers added up over all of them. */
export interface Figures {
  readonly startedAt: number
  queueMs: number
  openMs: number
  readMs: number
  inflateMs: number
  decodeMs: number
  filterMs: number
  groupMs: number
  sortMs: number
  encodeMs: number
  /** The time in which rows were ready to be sent and the client had not taken the ones before. */
  clientMs: number
  bytesRead: number
  rowsScanned: number
  unitsRead: number
  unitsPruned: number
  pagesSkipped: number
  bytesSkipped: number
  unitsSkippedByBloomFilter: number
  /** Columns of units that were cached, and that had to be decoded. */
  columnHits: number
  columnMisses: number
  /** The same of chunks, in files whose units share them. */
  chunkHits: number
  chunkMisses: number
  /** Chunks of arrays in which no row can pass the filter. */
  chunksSkipped: number
  /** Bytes of sorted runs that were written to a temporary file, because the rows were too many to be sorted in memory. */
  sortFileBytes: number
  rows: number
  /** Bytes of the answer. */
  bytes: number
}

export function createFigures(): Figures {
  return {
    startedAt: performance.now(),
    queueMs: 0,
    openMs: 0,
    readMs: 0,
    inflateMs: 0,
    decodeMs: 0,
    filterMs: 0,
    groupMs: 0,
    sortMs: 0,
    encodeMs: 0,
    clientMs: 0,
    bytesRead: 0,
    rowsScanned: 0,
    unitsRead: 0,
    unitsPruned: 0,
    pagesSkipped: 0,
    bytesSkipped: 0,
    unitsSkippedByBloomFilter: 0,
    columnHits: 0,
    columnMisses: 0,
    chunkHits: 0,
    chunkMisses: 0,
    chunksSkipped: 0,
    sortFileBytes: 0,
    rows: 0,
    bytes: 0,
  }
}

/** Adds the metrics of a worker's answer, and the time that its task waited. */
export function addAnswer(figures: Figures, metrics: WorkerMetrics, queueMs: number): void {
  figures.queueMs += queueMs
  figures.openMs += metrics.openMs
  figures.readMs += metrics.readMs
  figures.inflateMs += metrics.inflateMs
  figures.decodeMs += metrics.decodeMs
  figures.filterMs += metrics.filterMs
  figures.groupMs += metrics.groupMs
  figures.sortMs += metrics.sortMs
  figures.encodeMs += metrics.encodeMs
  figures.bytesRead += metrics.bytesRead
  figures.rowsScanned += metrics.rowsScanned
  figures.unitsRead += metrics.unitsRead
  figures.pagesSkipped += metrics.pagesSkipped
  figures.bytesSkipped += metrics.bytesSkipped
  figures.columnHits += metrics.columnHits
  figures.columnMisses += metrics.columnMisses
  figures.chunkHits += metrics.chunkHits
  figures.chunkMisses += metrics.chunkMisses
  figures.chunksSkipped += metrics.chunksSkipped
  figures.unitsSkippedByBloomFilter += metrics.unitsSkippedByBloomFilter
}
