import type { Fragment, MergedFragment } from '../../plan/task/fragment.ts'
import type { Part } from '../../plan/task/part.ts'
import type { KeyMark, ScanAnswer, ScanTask } from '../../plan/task/task.ts'
import { type DataType, valueType } from '../../plan/types/schema.ts'
import type { Groups } from '../../wasm/core/column.ts'
import type { Core } from '../../wasm/core/core.ts'
import { encodeParts } from '../rows/encode-rows.ts'
import { sortRows } from '../rows/final-rows.ts'
import { addUnit, areValuesEnough, withGroups } from '../rows/groups.ts'
import { transferTypes } from '../rows/part-dictionaries.ts'
import { ALL_ROWS, countPassing } from '../rows/passing-parts.ts'
import { takeRows } from '../rows/take-rows.ts'
import { tableOf } from '../rows/typed-table.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { readUnits } from '../units/read-units.ts'
import { firstFragment } from './first-fragment.ts'

/** A fragment as a worker answers it, to be merged with those of other units. */
export type FragmentParts = Pick<ScanAnswer, 'parts' | 'marks'>

/** Makes the fragment, or the number of rows, of a task's units. */
export function fragmentOf(
  fragment: MergedFragment | Extract<Fragment, { kind: 'count' }>,
  task: ScanTask,
  state: WorkerState,
  context: TaskContext,
): FragmentParts & Pick<ScanAnswer, 'span'> {
  const { core } = context
  const types = task.scan.projection.map(({ field }) => field.type)
  if (fragment.kind === 'firsts') return firstFragment(fragment, task, state, context)
  let rows = 0
  if (fragment.kind === 'groups') {
    const { grouping } = fragment
    return withGroups(grouping, types, state.groupBytes, core, (groups) => {
      const add = (unit: DecodedUnit): void => {
        rows += unit.rows
        addUnit(groups, grouping, unit, context)
      }
      const span = readUnits(task, state, context, add, areValuesEnough(grouping))
      return { ...(rows === 0 ? NO_ROWS : groupsPart(groups, context)), ...(span && { span }) }
    })
  }
  let result: FragmentParts = NO_ROWS
  const span = readUnits(task, state, context, (unit) => {
    rows += countPassing(unit, core)
    if (fragment.kind === 'top' && unit.rows > 0)
      result = topOf(fragment, unit, types.map(valueType), context)
  })
  const isCount = fragment.kind === 'count' && rows > 0
  const counted: Part = { rows, from: 0, payload: { kind: 'count' } }
  return { ...(isCount ? { parts: [counted] } : result), ...(span && { span }) }
}

const NO_ROWS: FragmentParts = Object.freeze({ parts: Object.freeze([]) })

/** A table of groups as a fragment. */
export function groupsPart(groups: Groups, { core, stopwatch }: TaskContext): FragmentParts {
  const bytes = stopwatch.time('group', () => core.groupsBytes(groups))
  return { parts: [{ rows: core.groupCount(groups), from: 0, payload: { kind: 'groups', bytes } }] }
}

/** The first `limit` rows of a table in an order, as a fragment. */
export function topOf(
  { order: keys, limit }: Extract<Fragment, { kind: 'top' }>,
  unit: DecodedUnit,
  types: readonly DataType[],
  context: TaskContext,
): FragmentParts {
  const { core, stopwatch } = context
  const order = stopwatch.time('sort', () => sortRows(core, keys, unit, types, unit.mask, limit))
  try {
    const rows = core.orderRows(order)
    const columns = stopwatch.time('sort', () => takeRows(core, unit.columns, order, 0, rows))
    try {
      const table = tableOf(columns, rows)
      const marks = marksOf(core, keys[0]?.column ?? 0, table, types)
      const { parts } = encodeParts(ALL_ROWS, table, transferTypes(core, columns, types, rows), 0, context)
      return { parts, marks }
    } finally {
      for (const column of new Set(columns)) core.free(column)
    }
  } finally {
    core.freeOrder(order)
  }
}

/**
 * How many marks a fragment has, at equal distances. By the marks of many units main can tell rather exactly beyond which key
 * no more rows are wanted.
 */
const MARKS = 8

/** The marks of a sorted table: keys of its first sort column, and how many rows come up to each. */
function marksOf(
  core: Core,
  keyColumn: number,
  { columns, rows }: DecodedUnit,
  types: readonly DataType[],
): readonly KeyMark[] {
  const [column, type] = [columns[keyColumn], types[keyColumn]]
  if (column === undefined || type === undefined) return []
  const marks: KeyMark[] = []
  let marked = 0
  for (let mark = 1; mark <= MARKS; mark++) {
    const end = Math.floor((rows * mark) / MARKS)
    if (end > marked) marks.push({ key: core.valueAt(column, type, end - 1), rows: end - marked })
    marked = end
  }
  return marks
}
