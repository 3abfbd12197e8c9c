import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import { columnsOf, type Predicate } from '../../../plan/predicate/predicate.ts'
import { mayMatch, mustMatch } from '../../../plan/predicate/prune.ts'
import type { Axis, Grid } from '../../../plan/source/grid.ts'
import type { RowRun } from '../../../plan/source/unit.ts'
import { STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import type { ColumnInFile } from '../source/column-in-file.ts'
import { GROUP_BLOCKS, knownOfBlock, knownOfGroup } from './axis-statistics.ts'

/** What a filter leaves of one axis. */
export interface LeftOfAxis {
  /** Indices at which a row may pass, in ascending order, no two of the ranges neighbours. */
  readonly ranges: readonly RowRun[]
  /** Whether at all of these indices every row passes, as far as the filter is about this axis. */
  readonly isSure: boolean
}

type Columns = ReadonlyMap<string, ColumnInFile>

/** Turns a filter into indices along each axis: it is asked of each run of indices, of which the axis' column alone is known. */
export function* leftOfGrid(
  { shape, axes }: Grid,
  filter: Predicate | null,
  columns: Columns,
): Steps<readonly LeftOfAxis[]> {
  if (filter !== null && !mayMatch(filter, (name) => ofAbsent(columns.get(name), 1), 1))
    return axes.map(() => ({ ranges: [], isSure: true }))
  const asked = filter === null ? [] : columnsOf(filter)
  const left: LeftOfAxis[] = []
  for (const [place, axis] of axes.entries()) {
    const size = shape[place] ?? 0
    const column = axis.column === null ? undefined : columns.get(axis.column)
    const isAsked = axis.column !== null && asked.includes(axis.column) && axis.statistics.length > 0
    if (filter === null || column === undefined || !isAsked || size === 0)
      left.push({ ranges: size === 0 ? [] : [{ from: 0, to: size }], isSure: filter === null || !isAsked })
    else left.push(yield* leftOfAxis(axis, size, filter, column, columns))
  }
  return left
}

/** Whether a filter is about columns alone that are an axis', one of them in each of its conditions. */
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
  const its = conditionsOf(filter).filter((each) => columnsOf(each).every((name) => name === axis.column))
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
    isSure &&= its.every((condition) => mustMatch(condition, known, to - from))
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return { ranges, isSure }
}

/** All of them must hold. */
function conditionsOf(filter: Predicate | null): readonly Predicate[] {
  if (filter === null) return []
  return filter.op === 'and' ? filter.args : [filter]
}

/** What is known of a column that a file lacks, in so many rows; null: the file has it. */
function ofAbsent(column: ColumnInFile | undefined, rows: number): KnownColumn | null {
  return column?.index === null ? column.of(null, rows) : null
}
