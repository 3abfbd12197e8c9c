/** The times of the stages of a task, in milliseconds of whole microseconds, so that sums are exact, and counts of what was read. */
export interface WorkerMetrics {
  readonly openMs: number
  readonly readMs: number
  readonly inflateMs: number
  readonly decodeMs: number
  /** The part of `decodeMs` in which expressions of the projection were computed. */
  readonly computeMs: number
  readonly filterMs: number
  /** The part of `filterMs` in which conditions on groups were tested. */
  readonly havingMs: number
  /** The time to make and merge groups. */
  readonly groupMs: number
  readonly sortMs: number
  readonly encodeMs: number
  readonly bytesRead: number
  readonly rowsScanned: number
  /** The rows of units that the filter let pass. */
  readonly rowsPassed: number
  readonly unitsRead: number
  /** Rows of units of which further columns were read when it was known that the answer has them. They are among those that were scanned. */
  readonly rowsReadLate: number
  /** The groups of the answer, and those that pass the condition on groups. Null: the task has not made the answer. */
  readonly groups: number | null
  readonly groupsPassed: number | null
  /** Columns of units that were cached, that were not, and that were evicted. */
  readonly columnHits: number
  readonly columnMisses: number
  readonly columnEvictions: number
  /** The bytes of all columns that the worker has in its cache after the task. Null: not measured. */
  readonly columnBytes: number | null
  /** Decoded chunks that were cached, that were not, and that were evicted. */
  readonly chunkHits: number
  readonly chunkMisses: number
  readonly chunkEvictions: number
  /** Chunks that were not read because their statistics prove that no row passes. */
  readonly chunksSkipped: number
  /** The bytes of all chunks that the worker has in its cache after the task. Null: not measured. */
  readonly chunkBytes: number | null
  /** Parquet pages that were not inflated, and bytes that were not read, because no row in them can be in the answer. */
  readonly pagesSkipped: number
  readonly bytesSkipped: number
  /** Units that were not read because a bloom filter proves that no row passes. */
  readonly unitsSkippedByBloomFilter: number
}

/** What a task has measured of one scan of a statement, by the number of the scan. */
export interface ScanMetrics {
  readonly scan: number
  readonly metrics: WorkerMetrics
}
