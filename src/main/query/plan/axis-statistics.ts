import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import { mergeStatistics } from '../../../plan/predicate/merge-statistics.ts'
import type { Axis } from '../../../plan/source/grid.ts'
import type { ColumnStatistics } from '../../../plan/source/statistics.ts'
import type { ColumnInFile } from '../source/column-in-file.ts'

/** Runs of indices that are asked about as one, before each is. */
export const GROUP_BLOCKS = 256

/** What is known of the values of an axis, in groups of its runs of indices. Made once for the summary that it is part of. */
const groups = new WeakMap<Axis, (ColumnStatistics | null)[]>()

/** What is known of a group of runs, in the type of the scan; null: nothing. */
export function knownOfGroup(
  axis: Axis,
  size: number,
  group: number,
  column: ColumnInFile,
): KnownColumn | null {
  const made = groups.get(axis) ?? []
  groups.set(axis, made)
  const from = group * GROUP_BLOCKS
  const to = Math.min(axis.statistics.length, from + GROUP_BLOCKS)
  made[group] ??= merged(axis, size, from, to)
  return column.of(made[group] ?? null, rowsOf(axis, size, from, to))
}

/** What is known of the runs that hold indices `from`..`to`, in the type of the scan; null: nothing. */
export function knownOfIndices(
  axis: Axis,
  size: number,
  from: number,
  to: number,
  column: ColumnInFile,
): { readonly known: KnownColumn | null; readonly rows: number } {
  const first = Math.floor(from / axis.block)
  const end = Math.min(axis.statistics.length, Math.ceil(to / axis.block))
  const rows = rowsOf(axis, size, first, end)
  return { known: column.of(merged(axis, size, first, end), rows), rows }
}

/** What is known of one run, in the type of the scan; null: nothing. */
export function knownOfBlock(
  axis: Axis,
  size: number,
  block: number,
  column: ColumnInFile,
): KnownColumn | null {
  return column.of(axis.statistics[block] ?? null, rowsOf(axis, size, block, block + 1))
}

function merged(axis: Axis, size: number, from: number, to: number): ColumnStatistics | null {
  if (to <= from) return null
  const blocks = axis.statistics.slice(from, to)
  return mergeStatistics(
    blocks.map((statistics, place) => ({
      statistics,
      rows: rowsOf(axis, size, from + place, from + place + 1),
    })),
  )
}

/** Indices of runs. */
function rowsOf({ block }: Axis, size: number, from: number, to: number): number {
  return Math.max(0, Math.min(size, to * block) - from * block)
}
