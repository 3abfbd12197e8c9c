import type { Ending } from '../../plan/task/fragment.ts'
import type { ScanTask } from '../../plan/task/task.ts'
import { countTable, finalRows } from '../rows/final-rows.ts'
import { addUnit, areValuesEnough, groupTable, withGroups } from '../rows/groups.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { readUnit } from '../units/read-unit.ts'
import { readUnits } from '../units/read-units.ts'
import { countPassing } from './fragment.ts'

/** The whole answer of a query all of whose units are in one task. */
export function answerOf(
  ending: Ending,
  task: ScanTask,
  state: WorkerState,
  context: TaskContext,
): DecodedUnit {
  const { grouping, isCounted } = ending.finish
  const { core } = context
  const types = task.scan.projection.map(({ field }) => field.type)
  const withSpan = (table: DecodedUnit, span: DecodedUnit['span']): DecodedUnit => ({ ...table, span })
  if (grouping !== null) {
    return withGroups(grouping, types, state.groupBytes, core, (groups) => {
      const add = (unit: DecodedUnit): void => addUnit(groups, grouping, unit, context)
      const span = readUnits(task, state, context, add, areValuesEnough(grouping))
      return withSpan(finalRows(groupTable(groups, grouping, types, context), ending, context), span)
    })
  }
  if (isCounted) {
    let rows = 0
    const span = readUnits(task, state, context, (unit) => {
      rows += countPassing(unit, core)
    })
    return withSpan(countTable(core, rows, ending), span)
  }
  const table = readUnit(task, state, context)
  return withSpan(finalRows({ table, types }, ending, context), table.span)
}
