import type { KnownColumn } from '../../../../plan/condition/bounds.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { mayMatch, mustMatch } from '../../../../plan/condition/prune.ts'
import { conjunctsOf } from '../../../../plan/condition/test.ts'
import { columnsOf } from '../../../../plan/expression.ts'
import { type EvenValues, evenBlocks, evenStatistics } from '../../../../plan/source/even-values.ts'
import { type Axis, columnsAlong, type Grid } from '../../../../plan/source/grid.ts'
import type { IndexRange } from '../../../../plan/source/unit.ts'
import { STEP_ITEMS, type Steps } from '../../../../plan/steps.ts'
import type { ColumnInFile } from '../../source/column-in-file.ts'
import { GROUP_BLOCKS, knownOfBlock, knownOfGroup } from './axis-statistics.ts'
import { leftInOrder, pruneSorted } from './sorted-axis.ts'

/** The indices of one axis that are left by a filter. */
export interface LeftOfAxis {
  /** The ranges of indices at which rows may pass. They ascend, and there are other indices between them. */
  readonly ranges: readonly IndexRange[]
  /** Whether all rows at these indices pass those conditions of the filter that compare columns along the axis alone. */
  readonly isSure: boolean
}

type Columns = ReadonlyMap<string, ColumnInFile>

/**
 * Turns a filter into index ranges along each axis. It tests each block of an axis with the statistics of the columns along it;
 * nothing is known there of other columns.
 */
export function* pruneGrid(
  { shape, axes }: Grid,
  filter: Condition | null,
  columns: Columns,
): Steps<readonly LeftOfAxis[]> {
  if (filter !== null && !mayMatch(filter, (name) => ofAbsent(columns.get(name), 1), 1))
    return axes.map(() => ({ ranges: [], isSure: true }))
  const asked = filter === null ? [] : columnsOf(filter)
  const filteredAxes: LeftOfAxis[] = []
  for (const [index, axis] of axes.entries()) {
    const size = shape[index] ?? 0
    const along = columnsAlong(axis).flatMap(({ column, statistics, even }): readonly Compared[] => {
      const inFile = asked.includes(column) ? columns.get(column) : undefined
      if (inFile === undefined) return []
      const { block } = axis
      if (even === undefined) return [{ name: column, along: { block, statistics }, inFile }]
      let statisticsOfBlocks: Axis['statistics'] | null = null
      const blocks = {
        block,
        // They are made if they are needed.
        get statistics() {
          statisticsOfBlocks ??= evenBlocks(even, size)
          return statisticsOfBlocks
        },
      }
      return [{ name: column, along: blocks, inFile, even }]
    })
    if (filter === null || along.length === 0 || size === 0)
      filteredAxes.push({ ranges: size === 0 ? [] : [{ from: 0, to: size }], isSure: true })
    else filteredAxes.push(yield* pruneAxis(axis, size, filter, along, columns))
  }
  return filteredAxes
}

/** Whether each condition of a filter compares one column, which is that of an axis with statistics. */
export function isByAxis({ axes }: Grid, filter: Condition | null): boolean {
  return conjunctsOf(filter).every((condition) => {
    const [column, ...others] = columnsOf(condition)
    return (
      others.length === 0 && axes.some((axis) => columnsAlong(axis).some((each) => each.column === column))
    )
  })
}

/** A column along an axis that the filter compares. */
interface Compared {
  readonly name: string
  readonly along: Pick<Axis, 'block' | 'statistics'>
  readonly inFile: ColumnInFile
  /** Its values, if they follow from the index. */
  readonly even?: EvenValues
}

function* pruneAxis(
  { block }: Axis,
  size: number,
  filter: Condition,
  compared: readonly Compared[],
  columns: Columns,
): Steps<LeftOfAxis> {
  const isAlong = (name: string): boolean => compared.some((each) => each.name === name)
  const axisConditions = conjunctsOf(filter).filter((each) => columnsOf(each).every(isAlong))
  const sorted = pruneIfSorted(block, size, filter, compared, axisConditions)
  if (sorted !== null) return sorted
  const ranges: { from: number; to: number }[] = []
  let isSure = true
  const knownBy = (of: (each: Compared) => KnownColumn | null, rows: number) => {
    const axisStatistics = compared.map(of)
    return (name: string) => {
      const at = compared.findIndex((each) => each.name === name)
      return at < 0 ? ofAbsent(columns.get(name), rows) : (axisStatistics[at] ?? null)
    }
  }
  for (let index = 0; index < Math.ceil(size / block); index++) {
    if (index % STEP_ITEMS === 0) yield
    if (index % GROUP_BLOCKS === 0) {
      const rows = Math.min(size, (index + GROUP_BLOCKS) * block) - index * block
      const group = index / GROUP_BLOCKS
      const groupStatistics = knownBy(({ along, inFile }) => knownOfGroup(along, size, group, inFile), rows)
      if (!mayMatch(filter, groupStatistics, rows)) {
        index += GROUP_BLOCKS - 1
        continue
      }
    }
    const from = index * block
    const to = Math.min(size, from + block)
    const blockStatistics = knownBy(
      ({ along, inFile }) => knownOfBlock(along, size, index, inFile),
      to - from,
    )
    if (!mayMatch(filter, blockStatistics, to - from)) continue
    isSure &&= axisConditions.every((condition) => mustMatch(condition, blockStatistics, to - from))
    const last = ranges.at(-1)
    if (last?.to === from) last.to = to
    else ranges.push({ from, to })
  }
  return { ranges, isSure }
}

/** The same of one column whose values are sorted. Null: its blocks have to be tested one by one. */
function pruneIfSorted(
  block: number,
  size: number,
  filter: Condition,
  [compared, ...others]: readonly Compared[],
  axisConditions: readonly Condition[],
): LeftOfAxis | null {
  if (compared === undefined || others.length > 0) return null
  const { name, along, inFile, even } = compared
  const about = conjunctsOf(filter).filter((each) => columnsOf(each).includes(name))
  // What other columns say of the axis does not depend on the index. It was tested before.
  if (axisConditions.length !== about.length || !about.every((each) => axisConditions.includes(each)))
    return null
  if (even !== undefined) return leftOfEven(even, size, about, inFile)
  const sortedRange = pruneSorted(
    along.statistics,
    about,
    (index) => knownOfBlock(along, size, index, inFile),
    (index) => Math.min(size, (index + 1) * block) - index * block,
  )
  if (sortedRange === null) return null
  const { from, to, isSure } = sortedRange
  return { ranges: from < to ? [{ from: from * block, to: Math.min(size, to * block) }] : [], isSure }
}

/** The same of a column whose values follow from the index. */
function leftOfEven(
  even: EvenValues,
  size: number,
  conditions: readonly Condition[],
  inFile: ColumnInFile,
): LeftOfAxis | null {
  const order = even.step > 0 ? 'ascending' : 'descending'
  const knownAt = (index: number) => inFile.of(evenStatistics(even, index, index + 1), 1)
  const sortedRange = leftInOrder(order, size, conditions, knownAt, () => 1)
  if (sortedRange === null) return null
  const { from, to, isSure } = sortedRange
  return { ranges: from < to ? [{ from, to }] : [], isSure }
}

/** The statistics of a column that the file does not have, for so many rows. Null: the file has the column. */
function ofAbsent(column: ColumnInFile | undefined, rows: number): KnownColumn | null {
  return column?.index === null ? column.of(null, rows) : null
}
