import { type Condition, FALSE } from '../../../../plan/condition/condition.ts'
import { productOf } from '../../../../plan/product-of.ts'
import { evenStatistics } from '../../../../plan/source/even-values.ts'
import { type Axis, columnsAlong, elementsOf, type Grid } from '../../../../plan/source/grid.ts'
import type { FileSummary } from '../../../../plan/source/segments.ts'
import type { Steps } from '../../../../plan/steps.ts'
import type { ColumnInFile } from '../../source/column-in-file.ts'
import type { KnownAggregate } from '../../source/whole/known-aggregate.ts'
import { knownInRows } from '../../source/whole/known-in-file.ts'
import { filterInFile } from '../filter-in-file.ts'
import { knownOfBlock } from './axis-statistics.ts'
import { isByAxis, pruneGrid } from './index-ranges.ts'

/** Adds the rows of a file's grid that pass the filter to the aggregates. False: the statistics are not enough. */
export function* addGrid(
  summary: FileSummary,
  grid: Grid,
  asked: Condition | null,
  columns: ReadonlyMap<string, ColumnInFile>,
  aggregates: readonly KnownAggregate[],
): Steps<boolean> {
  const filter = filterInFile(summary, asked, columns)
  if (filter === FALSE) return true
  if (!isByAxis(grid, filter)) return false
  const filteredAxes = yield* pruneGrid(grid, filter, columns)
  if (filteredAxes.some(({ ranges }) => ranges.length === 0) || elementsOf(grid) === 0) return true
  if (filteredAxes.some(({ isSure }) => !isSure)) return false
  const indices = filteredAxes.map(({ ranges }) => ranges.reduce((sum, { from, to }) => sum + to - from, 0))
  const rows = productOf(indices)
  return aggregates.every((aggregate) => {
    const { column } = aggregate
    if (column === null) return aggregate.add(null, rows)
    const inFile = columns.get(column)
    if (inFile === undefined) return false
    const rowStatistics = filter === null || inFile.index === null ? knownInRows(summary, inFile, rows) : null
    if (rowStatistics !== null) return aggregate.add(rowStatistics, rows)
    const axisIndex = grid.axes.findIndex((axis) => columnsAlong(axis).some((each) => each.column === column))
    const axis = grid.axes[axisIndex]
    const along = axis && columnsAlong(axis).find((each) => each.column === column)
    if (axis === undefined || along === undefined) return false
    const { statistics, even } = along
    const times = rows / (indices[axisIndex] ?? 1)
    if (even !== undefined)
      return (filteredAxes[axisIndex]?.ranges ?? []).every(({ from, to }) =>
        aggregate.add(inFile.of(evenStatistics(even, from, to), to - from), (to - from) * times),
      )
    const blocks = { block: axis.block, statistics }
    return blocksOf(axis, grid.shape[axisIndex] ?? 0, filteredAxes[axisIndex]?.ranges ?? []).every(
      ({ index, size }) => {
        const blockStatistics = knownOfBlock(blocks, grid.shape[axisIndex] ?? 0, index, inFile)
        const nulls = blockStatistics?.nulls
        return aggregate.add(
          blockStatistics && { ...blockStatistics, ...(nulls !== undefined && { nulls: nulls * times }) },
          size * times,
        )
      },
    )
  })
}

/** The blocks of an axis in the ranges, with their sizes. Ranges consist of whole blocks. */
function blocksOf(
  { block }: Axis,
  size: number,
  ranges: readonly { readonly from: number; readonly to: number }[],
): readonly { readonly index: number; readonly size: number }[] {
  return ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from) / block) }, (_, nth) => {
      const begin = from + nth * block
      return { index: Math.floor(begin / block), size: Math.min(block, size - begin) }
    }),
  )
}
