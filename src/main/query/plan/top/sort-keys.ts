import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import { columnNameOf } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import type { Grid } from '../../../../plan/source/grid.ts'
import { type FileSummary, segmentsOf } from '../../../../plan/source/segments.ts'
import type { BoxUnit, Unit } from '../../../../plan/source/unit.ts'
import { type ColumnInFile, columnsIn, knownInSegment } from '../../source/column-in-file.ts'
import { knownOfIndices } from '../grid/axis-statistics.ts'

/** The statistics of the first sort key in the segment of a unit, or at the indices of a box. */
export interface SegmentKey {
  readonly statistics: KnownColumn | null
  /** The rows of the segment, or the indices of the axis, that the statistics are about. Null: not known. */
  readonly rows: number | null
}

const UNKNOWN: SegmentKey = Object.freeze({ statistics: null, rows: null })

/** Looks up the statistics of a plan's first sort key for a unit. */
export function sortKeys(
  { scan, finish }: ScanPlan,
  summaries: readonly FileSummary[],
): (unit: Unit) => SegmentKey {
  const [first] = finish.order
  if (finish.grouping !== null || finish.isCounted || first === undefined) return () => UNKNOWN
  const output = scan.projection[first.column]
  const column = output === undefined ? null : columnNameOf(output.expression)
  const columns = scan.columns.filter(({ name }) => name === column)
  return (unit) => {
    const { file } = unit
    const summary = summaries[file]
    if (summary === undefined || column === null) return UNKNOWN
    const inFile = columnsIn(summary, { columns }).get(column)
    if (inFile === undefined) return UNKNOWN
    if (unit.kind !== 'box')
      return {
        statistics: knownInSegment(summary, inFile, unit.segment),
        rows: segmentsOf(summary.segments)[unit.segment]?.rows ?? null,
      }
    if (summary.segments.kind !== 'grid') return UNKNOWN
    return keyOfBox(summary.segments, column, inFile, unit)
  }
}

/** The statistics of a column at the indices of a box. They are known if the column is that of an axis. */
function keyOfBox(
  { axes, shape }: Grid,
  column: string,
  inFile: ColumnInFile,
  { origin, extent }: BoxUnit,
): SegmentKey {
  if (inFile.index === null) return { statistics: inFile.of(null, 1), rows: 1 }
  const index = axes.findIndex((axis) => axis.column === column)
  const axis = axes[index]
  if (axis === undefined) return UNKNOWN
  const from = origin[index] ?? 0
  const to = from + (extent[index] ?? 0)
  return knownOfIndices(axis, shape[index] ?? 0, from, to, inFile)
}
