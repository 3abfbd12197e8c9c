import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import type { Unit } from '../../src/plan/source/unit.ts'
import { ROWS } from '../../src/plan/task/fragment.ts'
import type { ScanTask } from '../../src/plan/task/task.ts'
import type { WorkerMetrics } from '../../src/plan/task/worker-metrics.ts'
import { PARQUET } from '../formats/product.ts'

/** A scan task that means nothing but its key. */
export function taskFor(key: string, cancel: SharedArrayBuffer): ScanTask {
  const version = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }
  return {
    kind: 'scan',
    key,
    scan: { format: PARQUET, columns: [], filter: null, projection: [] },
    file: { path: 'a', location: '/a', version },
    unit: unitOf(0),
    resume: 0,
    skip: 0,
    take: Number.POSITIVE_INFINITY,
    encoding: 'arrow',
    fragment: ROWS,
    more: [],
    claim: null,
    answerBytes: 1,
    caching: true,
    cancel,
  }
}

/** A segment of one row. */
export function unitOf(segment: number): Unit {
  return { kind: 'rows', file: 0, segment, from: 0, to: 1, decodedBytes: 1 }
}

/** A task that the pool knows to be quick once it has run `kept` of the same segment for a caching query. */
export function quickTaskFor(key: string, { cancel, caching }: Ticket, segment = 0): ScanTask {
  const task = taskFor(key, cancel)
  return { ...task, unit: unitOf(segment), fragment: { kind: 'count' }, caching }
}

export const NO_METRICS: WorkerMetrics = {
  openMs: 0,
  readMs: 0,
  inflateMs: 0,
  decodeMs: 0,
  computeMs: 0,
  filterMs: 0,
  havingMs: 0,
  groupMs: 0,
  sortMs: 0,
  encodeMs: 0,
  bytesRead: 0,
  rowsScanned: 0,
  rowsPassed: 0,
  unitsRead: 0,
  groups: null,
  groupsPassed: null,
  columnHits: 0,
  columnMisses: 0,
  columnEvictions: 0,
  columnBytes: null,
  chunkHits: 0,
  chunkMisses: 0,
  chunkEvictions: 0,
  chunksSkipped: 0,
  chunkBytes: null,
  pagesSkipped: 0,
  bytesSkipped: 0,
  unitsSkippedByBloomFilter: 0,
  rowsReadLate: 0,
}
