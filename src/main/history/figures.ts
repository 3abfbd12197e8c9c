import type { OperatorProfile } from '../../plan/statement/operator-profile.ts'
import type { ScanMetrics, WorkerMetrics } from '../../plan/task/worker-metrics.ts'

/** What reading has cost so far, and what was read. Times are in milliseconds, those of workers added up over all of them. */
export interface ReadFigures {
  openMs: number
  readMs: number
  inflateMs: number
  decodeMs: number
  /** The part of `decodeMs` in which expressions of the projection were computed. */
  computeMs: number
  filterMs: number
  bytesRead: number
  rowsScanned: number
  /** The rows that the filter let pass. */
  rowsPassed: number
  unitsRead: number
  /** Rows of which further columns were read when it was known that the answer has them. */
  rowsReadLate: number
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
}

/** The cost of a query so far. The figures of `ReadFigures` are those of the whole query. */
export interface Figures extends ReadFigures {
  readonly startedAt: number
  queueMs: number
  /** The part of `filterMs` in which conditions on groups were tested. */
  havingMs: number
  groupMs: number
  sortMs: number
  encodeMs: number
  /** The time in which rows were ready to be sent and the client had not taken the ones before. */
  clientMs: number
  /** Rows that were counted by the statistics of their segments, without being read. */
  rowsCounted: number
  /** The groups of the answer, and those that pass the condition on groups. Null: no worker has made them. */
  groups: number | null
  groupsPassed: number | null
  /** Bytes of sorted runs that were written to a temporary file, because the rows were too many to be sorted in memory. */
  sortFileBytes: number
  rows: number
  /** Bytes of the answer. */
  bytes: number
  /** The part that was spent to prepare the query: on inspecting files. */
  readonly inspection: ReadFigures
  /** The part of each scan of a statement that DuckDB runs, by the number of the scan. */
  readonly scans: Map<number, ReadFigures>
  /** What DuckDB has measured of the operators of a statement. Null: nothing. */
  profile: OperatorProfile | null
}

function createReadFigures(): ReadFigures {
  return {
    openMs: 0,
    readMs: 0,
    inflateMs: 0,
    decodeMs: 0,
    computeMs: 0,
    filterMs: 0,
    bytesRead: 0,
    rowsScanned: 0,
    rowsPassed: 0,
    unitsRead: 0,
    rowsReadLate: 0,
    unitsPruned: 0,
    pagesSkipped: 0,
    bytesSkipped: 0,
    unitsSkippedByBloomFilter: 0,
    columnHits: 0,
    columnMisses: 0,
    chunkHits: 0,
    chunkMisses: 0,
    chunksSkipped: 0,
  }
}

export function createFigures(): Figures {
  return {
    ...createReadFigures(),
    startedAt: performance.now(),
    queueMs: 0,
    havingMs: 0,
    groupMs: 0,
    sortMs: 0,
    encodeMs: 0,
    clientMs: 0,
    rowsCounted: 0,
    groups: null,
    groupsPassed: null,
    sortFileBytes: 0,
    rows: 0,
    bytes: 0,
    inspection: createReadFigures(),
    scans: new Map(),
    profile: null,
  }
}

/** What a worker's answer tells about the cost of its task. */
interface MeasuredAnswer {
  readonly metrics: WorkerMetrics
  /** The parts of the metrics that are of scans of a statement. */
  readonly scans?: readonly ScanMetrics[]
  readonly profile?: OperatorProfile
}

/** Adds what an answer tells, and the time that its task waited. */
export function addAnswer(
  figures: Figures,
  { metrics, scans = [], profile }: MeasuredAnswer,
  queueMs: number,
): void {
  figures.queueMs += queueMs
  figures.havingMs += metrics.havingMs
  figures.groupMs += metrics.groupMs
  figures.sortMs += metrics.sortMs
  figures.encodeMs += metrics.encodeMs
  figures.groups = metrics.groups ?? figures.groups
  figures.groupsPassed = metrics.groupsPassed ?? figures.groupsPassed
  figures.profile = profile ?? figures.profile
  addRead(figures, metrics)
  for (const { scan, metrics } of scans) addRead(figuresOfScan(figures, scan), metrics)
}

/** The same of a task that inspects files for a query. */
export function addInspection(figures: Figures, answer: MeasuredAnswer, queueMs: number): void {
  addAnswer(figures, answer, queueMs)
  addRead(figures.inspection, answer.metrics)
}

/** What a scan of a statement has cost so far. */
export function figuresOfScan({ scans }: Figures, scan: number): ReadFigures {
  const figures = scans.get(scan) ?? createReadFigures()
  scans.set(scan, figures)
  return figures
}

function addRead(figures: ReadFigures, metrics: WorkerMetrics): void {
  figures.openMs += metrics.openMs
  figures.readMs += metrics.readMs
  figures.inflateMs += metrics.inflateMs
  figures.decodeMs += metrics.decodeMs
  figures.computeMs += metrics.computeMs
  figures.filterMs += metrics.filterMs
  figures.bytesRead += metrics.bytesRead
  figures.rowsScanned += metrics.rowsScanned
  figures.rowsPassed += metrics.rowsPassed
  figures.unitsRead += metrics.unitsRead
  figures.rowsReadLate += metrics.rowsReadLate
  figures.pagesSkipped += metrics.pagesSkipped
  figures.bytesSkipped += metrics.bytesSkipped
  figures.columnHits += metrics.columnHits
  figures.columnMisses += metrics.columnMisses
  figures.chunkHits += metrics.chunkHits
  figures.chunkMisses += metrics.chunkMisses
  figures.chunksSkipped += metrics.chunksSkipped
  figures.unitsSkippedByBloomFilter += metrics.unitsSkippedByBloomFilter
}
