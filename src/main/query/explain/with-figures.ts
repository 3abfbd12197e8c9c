import type { ReadFigures } from '../../history/figures.ts'
import { type MeasuredNode, type MeasuredScan, microseconds } from './measured-plan.ts'
import type { PlanNode } from './plan-node.ts'

/** The nodes of a plan with what was measured of each, as EXPLAIN ANALYZE prints it. Members that were not measured are left out. */
export function withFigures({ node, rows, us, scan, children }: MeasuredNode): PlanNode {
  const { Plans: _, Output, ...members } = node
  return {
    ...members,
    ...(rows === null ? {} : { 'Actual Rows': rows }),
    ...(us === null ? {} : { 'Actual Total Time': us / 1_000 }),
    ...(scan === null ? {} : { Extras: scanExtras(scan) }),
    Plans: children.map(withFigures),
    ...(Output === undefined ? {} : { Output }),
  }
}

function scanExtras({
  read,
  files,
  rowsCounted,
  isFiltering,
  byStatistics,
}: MeasuredScan): Readonly<Record<string, number>> {
  return {
    ...readCounts(read, files),
    ...(rowsCounted === 0 ? {} : { rows_counted: rowsCounted }),
    ...(byStatistics && {
      file_stats_files_considered: byStatistics.considered,
      file_stats_files_pruned: byStatistics.pruned,
    }),
    ...readTimes(read),
    ...(isFiltering && { filter_us: microseconds(read.filterMs) }),
  }
}

/** What was read, skipped and left out. */
export function readCounts(figures: ReadFigures, files: number): Readonly<Record<string, number>> {
  return {
    units_read: figures.unitsRead,
    units_pruned: figures.unitsPruned,
    units_skipped_by_bloom_filter: figures.unitsSkippedByBloomFilter,
    pages_skipped: figures.pagesSkipped,
    bytes_skipped: figures.bytesSkipped,
    ...chunkCounts(figures),
    files,
    bytes_read: figures.bytesRead,
    rows_scanned: figures.rowsScanned,
    ...(figures.rowsReadLate > 0 && { rows_read_late: figures.rowsReadLate }),
  }
}

/** The times of the stages of reading. */
export function readTimes(figures: ReadFigures): Readonly<Record<string, number>> {
  return {
    open_us: microseconds(figures.openMs),
    read_us: microseconds(figures.readMs),
    inflate_us: microseconds(figures.inflateMs),
    decode_us: microseconds(figures.decodeMs),
  }
}

/** The chunks of arrays: those that were decoded, those that were found decoded, and those in which no row can pass. */
function chunkCounts({
  chunkHits,
  chunkMisses,
  chunksSkipped,
}: ReadFigures): Readonly<Record<string, number>> {
  if (chunkHits + chunkMisses + chunksSkipped === 0) return {}
  return { chunks_read: chunkMisses, chunks_found: chunkHits, chunks_skipped: chunksSkipped }
}
