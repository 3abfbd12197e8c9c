import type { Ending } from '../../plan/task/fragment.ts'
import type { ScanTask } from '../../plan/task/task.ts'
import type { ReadContext } from '../formats/provider.ts'
import { countTable, ended } from '../rows/ended.ts'
import { addUnit, areValuesEnough, groupTable, withGroups } from '../rows/groups.ts'
import type { Workshop } from '../state/worker-state.ts'
import type { DecodedUnit } from '../units/decoded-units.ts'
import { readUnit } from '../units/read-unit.ts'
import { readUnits } from '../units/read-units.ts'
import { passing } from './partial.ts'

/** All of the answer of a query whose units are those of one task. */
export function answerOf(
  ending: Ending,
  task: ScanTask,
  workshop: Workshop,
  context: ReadContext,
): DecodedUnit {
  const { grouping, isCounted } = ending.finish
  const { core } = context
  const types = task.scan.projection.map(({ field }) => field.type)
  const placed = (table: DecodedUnit, span: DecodedUnit['span']): DecodedUnit => ({ ...table, span })
  if (grouping !== null) {
    return withGroups(grouping, types, workshop.groupBytes, core, (groups) => {
      const add = (unit: DecodedUnit): void => addUnit(groups, grouping, unit, context)
      const span = readUnits(task, workshop, context, add, areValuesEnough(grouping))
      return placed(ended(groupTable(groups, grouping, types, context), ending, context), span)
    })
  }
  if (isCounted) {
    let rows = 0
    const span = readUnits(task, workshop, context, (unit) => {
      rows += passing(unit, core)
    })
    return placed(countTable(core, rows, ending), span)
  }
  const table = readUnit(task, workshop, context)
  return placed(ended({ table, types }, ending, context), table.span)
}
