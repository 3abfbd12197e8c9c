import type { Plan } from '../../../plan/plan.ts'
import type { Figures, ReadFigures } from '../../history/figures.ts'
import type { NodeMetrics } from '../../history/query-metrics.ts'
import { filesOf } from './explain.ts'
import { type MeasuredNode, measuredPlan, microseconds, readingMs } from './measured-plan.ts'
import type { PlanNode } from './plan-node.ts'

/** The most operators of a plan whose metrics are kept. A statement may have thousands. */
const MOST_OPERATORS = 100

/** The metrics of a whole query, and below them those of the operators of its plan, whose printed root is `root`. */
export function nodeMetrics(plan: Plan, figures: Figures, root: PlanNode): NodeMetrics {
  let operators = 0
  const metricsOf = ({ node, rows, us, scan, children }: MeasuredNode): readonly NodeMetrics[] => {
    if (operators === MOST_OPERATORS) return []
    operators++
    const metrics = {
      ...(rows === null ? {} : { output_rows: rows }),
      ...(us === null ? {} : { elapsed_us: us }),
      ...(scan === null ? {} : readMetrics(scan.read, scan.files)),
      ...(scan === null || scan.rowsCounted === 0 ? {} : { rows_counted: scan.rowsCounted }),
    }
    return [{ operator: node['Node Type'], metrics, children: children.flatMap(metricsOf) }]
  }
  const { inspection } = figures
  return {
    operator: plan.engine === 'core' ? 'Scan' : 'Statement',
    metrics: {
      output_rows: figures.rows,
      ...readMetrics(figures, filesOf(plan).length),
      inspect_bytes_read: inspection.bytesRead,
      inspect_us: microseconds(readingMs(inspection) + inspection.filterMs),
    },
    children: metricsOf(measuredPlan(plan, figures, root)),
  }
}

function readMetrics(read: ReadFigures, files: number): Readonly<Record<string, number>> {
  const { chunkHits, chunkMisses, chunksSkipped } = read
  // Most queries read no chunks.
  const hasChunks = chunkHits + chunkMisses + chunksSkipped > 0
  return {
    rows_scanned: read.rowsScanned,
    bytes_read: read.bytesRead,
    files,
    units_read: read.unitsRead,
    units_pruned: read.unitsPruned,
    units_skipped_by_bloom_filter: read.unitsSkippedByBloomFilter,
    pages_skipped: read.pagesSkipped,
    bytes_skipped: read.bytesSkipped,
    ...(read.rowsReadLate > 0 && { rows_read_late: read.rowsReadLate }),
    column_hits: read.columnHits,
    column_misses: read.columnMisses,
    ...(hasChunks && { chunk_hits: chunkHits, chunk_misses: chunkMisses, chunks_skipped: chunksSkipped }),
  }
}
