import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import { columnsOf, type Predicate } from '../../../plan/predicate/predicate.ts'
import { mayMatch, mustMatch } from '../../../plan/predicate/prune.ts'
import type { Axis, Grid } from '../../../plan/source/grid.ts'
import type { RowRun } from '../../../plan/source/unit.ts'
import { STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import type { ColumnInFile } from '../source/column-in-file.ts'
import { GROUP_BLOCKS, knownOfBlock, knownOfGroup } from './axis-statistics.ts'

/** The indices of one axis that are left by a filter. */
export interface LeftOfAxis {
  /** The ranges of indices at which rows may pass. They ascend, and there are other indices between them. */
  readonly ranges: readonly RowRun[]
  /** Whether all rows at these indices pass those conditions of the filter that compare the axis' column alone. */
  readonly isSure: boolean
}

type Columns = ReadonlyMap<string, ColumnInFile>

/**
 * Turns a filter into index ranges along each axis. It tests each block of an axis with the statistics of the axis' column;
 * nothing is known there of other columns.
 */
export function* leftOfGrid(
  { shape, axes }: Grid,
  filter: Predicate | null,
  columns: Columns,
): Steps<readonly LeftOfAxis[]> {
  if (filter !== null && !mayMatch(filter, (name) => ofAbsent(columns.get(name), 1), 1))
    return axes.map(() => ({ ranges: [], isSure: true }))
  const asked = filter === null ? [] : columnsOf(filter)
  const left: LeftOfAxis[] = []
  for (const [index, axis] of axes.entries()) {
    const size = shape[index] ?? 0
    const column = axis.column === null ? undefined : columns.get(axis.column)
    const isAsked = axis.column !== null && asked.includes(axis.column) && axis.statistics.length > 0
    if (filter === null || column === undefined || !isAsked || size === 0)
      left.push({ ranges: size === 0 ? [] : [{ from: 0, to: size }], isSure: filter === null || !isAsked })
    else left.push(yield* leftOfAxis(axis, size, filter, column, columns))
  }
  return left
}

/** Whether each condition of a filter compares one column, which is that of an axis with statistics. */
export function isByAxis({ axes }: Grid, filter: Predicate | null): boolean {
  return conditionsOf(filter).every((condition) => {
    const [column, ...others] = columnsOf(condition)
    return others.length === 0 && axes.some((axis) => axis.column === column && axis.statistics.length > 0)
  })
}

function* leftOfAxis(
  axis: Axis,
  size: number,
  filter: Predicate,
  column: ColumnInFile,
  columns: Columns,
): Steps<LeftOfAxis> {
  const own = conditionsOf(filter).filter((each) => columnsOf(each).every((name) => name === axis.column))
  const ranges: { from: number; to: number }[] = []
  let isSure = true
  const { block, statistics } = axis
  const knownBy = (known: KnownColumn | null, rows: number) => (name: string) =>
    name === axis.column ? known : ofAbsent(columns.get(name), rows)
  for (let index = 0; index < statistics.length; index++) {
    if (index % STEP_ITEMS === 0) yield
    if (index % GROUP_BLOCKS === 0) {
      const rows = Math.min(size, (index + GROUP_BLOCKS) * block) - index * block
      const known = knownOfGroup(axis, size, index / GROUP_BLOCKS, column)
      if (!mayMatch(filter, knownBy(known, rows), rows)) {
        index += GROUP_BLOCKS - 1
        continue
      }
    }
    const from = index * block
    const to = Math.min(size, from + block)
    const known = knownBy(knownOfBlock(axis, size, index, column), to - from)
    if (!mayMatch(filter, known, to - from)) continue
    isSure &&= own.every((condition) => mustMatch(condition, known, to - from))
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return { ranges, isSure }
}

/** The conditions of a filter, all of which a row must pass. */
function conditionsOf(filter: Predicate | null): readonly Predicate[] {
  if (filter === null) return []
  return filter.op === 'and' ? filter.args : [filter]
}

/** The statistics of a column that the file does not have, for so many rows. Null: the file has the column. */
function ofAbsent(column: ColumnInFile | undefined, rows: number): KnownColumn | null {
  return column?.index === null ? column.of(null, rows) : null
}
