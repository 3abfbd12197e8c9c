import { isServiceError } from '../plan/errors.ts'
import type { Grouping } from '../plan/finish.ts'
import type { DataType } from '../plan/schema.ts'
import { CLAIM } from '../plan/sql.ts'
import type { Ending, ScanAnswer, ScanTask } from '../plan/task.ts'
import type { Core } from '../wasm/core.ts'
import type { DecodedUnit } from './decoded-units.ts'
import { encodeRows } from './encode-rows.ts'
import { ended } from './ended.ts'
import type { ReadContext } from './formats/provider.ts'
import { addUnit, groupTable, type TypedTable, withGroups } from './groups.ts'
import { heldTypes } from './part-dictionaries.ts'
import { partialOf } from './partial.ts'
import { readUnit } from './read-unit.ts'
import { withRoom } from './with-room.ts'
import type { Workshop } from './workshop.ts'

/** Rows of one unit, or what is made of them, as parts. */
export function scan(task: ScanTask, workshop: Workshop, context: ReadContext): ScanAnswer {
  const { core, stopwatch } = context
  const { units } = workshop
  const { fragment } = task
  const isTaken = task.claim !== null && !claim(task.claim)
  const unit = isTaken ? null : (units.take(task.key) ?? readOrGuess(task, workshop, context))
  if (unit === null)
    return { kind: 'rows', parts: [], span: null, skipped: 0, resume: null, metrics: stopwatch.metrics() }
  const { span } = unit
  if (fragment.kind === 'rows' || fragment.kind === 'answer') {
    const types = fragment.kind === 'rows' ? typesOf(task, unit, core) : fragment.ending.types
    const encoded = encodeRows(task, unit, types, units, context)
    return { kind: 'rows', ...encoded, span, metrics: stopwatch.metrics() }
  }
  try {
    const partial = withRoom(workshop, context, () =>
      partialOf(fragment, unit, projectedTypes(task), workshop, context),
    )
    return { kind: 'rows', ...partial, span, skipped: 0, resume: null, metrics: stopwatch.metrics() }
  } finally {
    units.release(unit)
  }
}

/** Null: of a text file, read from a guessed beginning, which led nowhere: only the right one tells whether it is damaged. */
function readOrGuess(task: ScanTask, workshop: Workshop, context: ReadContext): DecodedUnit | null {
  const { segment, to } = task.unit
  const { fragment } = task
  const isGuess = task.begin === null && segment > 0 && to === Number.POSITIVE_INFINITY
  try {
    if (fragment.kind !== 'answer') return readUnit(task, workshop, context)
    return withRoom(workshop, context, () =>
      answerOf(task, fragment.ending, readUnit(task, workshop, context), workshop, context),
    )
  } catch (error) {
    if (isGuess && isServiceError(error) && error.code === 'unreadable_file') return null
    throw error
  }
}

/** What the rows of the only unit come to, counted from the unit's first; takes the unit. */
function answerOf(
  task: ScanTask,
  ending: Ending,
  unit: DecodedUnit,
  workshop: Workshop,
  context: ReadContext,
): DecodedUnit {
  const { grouping } = ending.finish
  const types = projectedTypes(task)
  const { from, span } = unit
  const table =
    grouping === null ? { table: unit, types } : groupsOf(grouping, types, unit, workshop, context)
  const answer = ended(table, ending, context)
  return { ...answer, from: from + answer.from, span }
}

/** Takes the unit. */
function groupsOf(
  grouping: Grouping,
  types: readonly DataType[],
  unit: DecodedUnit,
  workshop: Workshop,
  context: ReadContext,
): TypedTable {
  try {
    return withGroups(grouping, types, workshop.groupBytes, context.core, (groups) => {
      addUnit(groups, grouping, unit, context)
      return groupTable(groups, grouping, types, context)
    })
  } finally {
    workshop.units.release(unit)
  }
}

/** What the parts hold; those for another worker stay as they are held. */
function typesOf(task: ScanTask, { columns, rows, mask }: DecodedUnit, core: Core): readonly DataType[] {
  const types = projectedTypes(task)
  if (task.claim === null) return types
  return heldTypes(core, columns, types, mask === null ? rows : core.count(mask))
}

function projectedTypes({ scan }: ScanTask): readonly DataType[] {
  return scan.projection.map((each) => each.field.type)
}

/** Whether the unit is this worker's to decode. */
function claim({ words, index }: NonNullable<ScanTask['claim']>): boolean {
  return Atomics.compareExchange(new Int32Array(words), index, CLAIM.free, CLAIM.assistant) === CLAIM.free
}
