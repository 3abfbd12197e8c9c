import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import { mergeStatistics } from '../../../../plan/condition/merge-statistics.ts'
import { memoize } from '../../../../plan/memoize.ts'
import type { Axis } from '../../../../plan/source/grid.ts'
import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { ColumnInFile } from '../../source/column-in-file.ts'

/** Blocks of an axis that form a group. A filter is tested with the merged statistics of a group before those of its blocks. */
export const GROUP_BLOCKS = 256

/** The statistics of a column for each run of `block` indices along an axis. */
type Along = Pick<Axis, 'block' | 'statistics'>

/** The merged statistics of groups, by those of blocks. They are computed once for each summary of a file. */
const groupsOf = memoize((_statistics: Axis['statistics']): (ColumnStatistics | null)[] => [])

/** The statistics of a group of blocks, in the type of the scan. Null: nothing is known. `size`: the indices of the axis. */
export function knownOfGroup(
  axis: Along,
  size: number,
  group: number,
  column: ColumnInFile,
): KnownColumn | null {
  const groupStatistics = groupsOf(axis.statistics)
  const from = group * GROUP_BLOCKS
  const to = Math.min(axis.statistics.length, from + GROUP_BLOCKS)
  groupStatistics[group] ??= merge(axis, size, from, to)
  return column.of(groupStatistics[group] ?? null, rowsOf(axis, size, from, to))
}

/** The statistics of the blocks that contain the indices `from` to before `to`, and the indices of these blocks. */
export function knownOfIndices(
  axis: Along,
  size: number,
  from: number,
  to: number,
  column: ColumnInFile,
): { readonly statistics: KnownColumn | null; readonly rows: number } {
  const first = Math.floor(from / axis.block)
  const end = Math.min(axis.statistics.length, Math.ceil(to / axis.block))
  const rows = rowsOf(axis, size, first, end)
  return { statistics: column.of(merge(axis, size, first, end), rows), rows }
}

/** The statistics of one block, in the type of the scan. Null: nothing is known. */
export function knownOfBlock(
  axis: Along,
  size: number,
  block: number,
  column: ColumnInFile,
): KnownColumn | null {
  return column.of(axis.statistics[block] ?? null, rowsOf(axis, size, block, block + 1))
}

function merge(axis: Along, size: number, from: number, to: number): ColumnStatistics | null {
  if (to <= from) return null
  const blocks = axis.statistics.slice(from, to)
  return mergeStatistics(
    blocks.map((statistics, index) => ({
      statistics,
      rows: rowsOf(axis, size, from + index, from + index + 1),
    })),
  )
}

/** The indices in the blocks `from` to before `to`. */
function rowsOf({ block }: Along, size: number, from: number, to: number): number {
  return Math.max(0, Math.min(size, to * block) - from * block)
}
