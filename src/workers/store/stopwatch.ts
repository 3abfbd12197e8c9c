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
  | 'rowsReadLate'

type Stage =
  | 'open'
  | 'read'
  | 'inflate'
  | 'decode'
  | 'compute'
  | 'filter'
  | 'having'
  | 'group'
  | 'sort'
  | 'encode'

/** Measures a task: the time of each stage, what was read, and other counts. */
export interface Stopwatch {
  /** Adds the time that `work` takes to a stage. The time of a stage inside of another counts for the inner one alone. */
  time<T>(stage: Stage, work: () => T): T
  addBytesRead(bytes: number): void
  /** Counts one unit, this many rows of it, and those of them that the filter lets pass. */
  addUnit(scanned: number, passed: number): void
  /** The groups of the answer, and those of them that pass the condition on groups. */
  setGroups(groups: number, passed: number): void
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
    compute: 0,
    filter: 0,
    having: 0,
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
    rowsReadLate: 0,
  }
  let columnBytes: number | null = null
  let chunkBytes: number | null = null
  let innerMs = 0
  let bytesRead = 0
  let rowsScanned = 0
  let rowsPassed = 0
  let unitsRead = 0
  let groups: number | null = null
  let groupsPassed: number | null = null
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
    addUnit(scanned, passed) {
      rowsScanned += scanned
      rowsPassed += passed
      unitsRead++
    },
    setGroups(all, passed) {
      groups = all
      groupsPassed = passed
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
      openMs: toMicroseconds(spent.open),
      readMs: toMicroseconds(spent.read),
      inflateMs: toMicroseconds(spent.inflate),
      decodeMs: toMicroseconds(spent.decode) + toMicroseconds(spent.compute),
      computeMs: toMicroseconds(spent.compute),
      filterMs: toMicroseconds(spent.filter) + toMicroseconds(spent.having),
      havingMs: toMicroseconds(spent.having),
      groupMs: toMicroseconds(spent.group),
      sortMs: toMicroseconds(spent.sort),
      encodeMs: toMicroseconds(spent.encode),
      bytesRead,
      rowsScanned,
      rowsPassed,
      unitsRead,
      groups,
      groupsPassed,
      ...counts,
      columnBytes,
      chunkBytes,
    }),
  }
}

/** Rounds milliseconds to whole microseconds. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** What several stopwatches of one task have measured together. */
export function sumMetrics([first, ...others]: readonly [WorkerMetrics, ...WorkerMetrics[]]): WorkerMetrics {
  const sum: Record<keyof WorkerMetrics, number | null> = { ...first }
  for (const metrics of others)
    for (const name of Object.keys(metrics) as (keyof WorkerMetrics)[]) {
      const value = metrics[name]
      if (value !== null) sum[name] = LAST.has(name) ? value : (sum[name] ?? 0) + value
    }
  return sum as WorkerMetrics
}

/** What is not a sum: the state of a cache after the task, and what the task that makes the answer tells. */
const LAST: ReadonlySet<keyof WorkerMetrics> = new Set([
  'columnBytes',
  'chunkBytes',
  'groups',
  'groupsPassed',
])
