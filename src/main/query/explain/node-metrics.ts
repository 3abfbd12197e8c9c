import type { Plan } from '../../../plan/plan.ts'
import type { Figures, ReadFigures } from '../../history/figures.ts'
import type { NodeMetrics } from '../../history/query-metrics.ts'
import { filesOf } from './explain.ts'
import { type MeasuredNode, measuredPlan, microseconds, readingMs } from './measured-plan.ts'
import type { PlanNode } from './plan-node.ts'

/** The most operators of a plan whose metrics are kept. A statement may have thousands. */
const MOST_OPERATORS = 100

/** The metrics of an operator. Those that it does not have are absent. */
type Metrics = Partial<
  Record<
    | `${'bytes' | 'pages' | 'chunks'}_skipped`
    | `${'column' | 'chunk'}_${'hits' | 'misses'}`
    | `rows_${'scanned' | 'read_late' | 'counted'}`
    | `units_${'read' | 'pruned' | 'skipped_by_bloom_filter'}`
    | `inspect_${'bytes_read' | 'us'}`
    | 'output_rows'
    | 'elapsed_us'
    | 'bytes_read'
    | 'files',
    number
  >
>

/** The metrics of a whole query, and below them those of the operators of its plan, whose printed root is `root`. */
export function nodeMetrics(plan: Plan, figures: Figures, root: PlanNode): NodeMetrics {
  let operators = 0
  const metricsOf = ({ node, rows, us, scan, children }: MeasuredNode): readonly NodeMetrics[] => {
    if (operators === MOST_OPERATORS) return []
    operators++
    const metrics: Metrics = {}
    if (rows !== null) metrics.output_rows = rows
    if (us !== null) metrics.elapsed_us = us
    if (scan !== null) addRead(metrics, scan.read, scan.files)
    if (scan !== null && scan.rowsCounted > 0) metrics.rows_counted = scan.rowsCounted
    return [{ operator: node['Node Type'], metrics, children: children.flatMap(metricsOf) }]
  }
  const { inspection } = figures
  const metrics: Metrics = { output_rows: figures.rows }
  addRead(metrics, figures, filesOf(plan).length)
  metrics.inspect_bytes_read = inspection.bytesRead
  metrics.inspect_us = microseconds(readingMs(inspection) + inspection.filterMs)
  return {
    operator: plan.engine === 'core' ? 'Scan' : 'Statement',
    metrics,
    children: metricsOf(measuredPlan(plan, figures, root)),
  }
}

function addRead(metrics: Metrics, read: ReadFigures, files: number): void {
  metrics.rows_scanned = read.rowsScanned
  metrics.bytes_read = read.bytesRead
  metrics.files = files
  metrics.units_read = read.unitsRead
  metrics.units_pruned = read.unitsPruned
  metrics.units_skipped_by_bloom_filter = read.unitsSkippedByBloomFilter
  metrics.pages_skipped = read.pagesSkipped
  metrics.bytes_skipped = read.bytesSkipped
  if (read.rowsReadLate > 0) metrics.rows_read_late = read.rowsReadLate
  metrics.column_hits = read.columnHits
  metrics.column_misses = read.columnMisses
  // Most queries read no chunks.
  if (read.chunkHits + read.chunkMisses + read.chunksSkipped === 0) return
  metrics.chunk_hits = read.chunkHits
  metrics.chunk_misses = read.chunkMisses
  metrics.chunks_skipped = read.chunksSkipped
}
