import { groupTypes } from '../../plan/task/finish.ts'
import { type Unfinished, unfinishedParts } from '../../plan/task/fragment.ts'
import { addJointFragment, type JointFragments } from '../../plan/task/joint.ts'
import { bytesOfParts, type Part } from '../../plan/task/part.ts'
import type { FinishTask, ScanAnswer, ScanTask } from '../../plan/task/task.ts'
import { collect } from '../formats/collect.ts'
import type { ReadContext } from '../formats/provider.ts'
import { encodeRows } from '../rows/encode-rows.ts'
import { finalRows } from '../rows/final-rows.ts'
import { addGroupTables, groupTable, withGroups } from '../rows/groups.ts'
import { rowTable } from '../rows/row-table.ts'
import { type TypedTable, tableOf } from '../rows/typed-table.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'

/** Makes the answer of a query from all of its fragments, or encodes the next rows of an answer that was kept. */
export function finish(task: FinishTask, state: WorkerState, context: ReadContext): ScanAnswer {
  const { key, table, ending, resume } = task
  const { units } = state
  const { stopwatch } = context
  const rest = { kind: 'rows' } as const
  const retainedUnit = units.take(key)
  if (retainedUnit === undefined && table === null)
    return { ...rest, parts: [], skipped: 0, resume, isGone: true, metrics: stopwatch.metrics() }
  const answer =
    retainedUnit ??
    withMemory(state, context, () =>
      finalRows(gather(task, table, state, context), ending, state.groupBytes, context),
    )
  const encoded = encodeRows(task, answer, ending.types, units, context)
  const isResumed = encoded.resume !== null && table !== null
  return { ...rest, ...encoded, ...(isResumed && { unfinished: table }), metrics: stopwatch.metrics() }
}

/** Makes the answer of a query, if this fragment was the last one of it. Null: it was not, or main has to have the answer made. */
export function finishJointly(
  joint: JointFragments,
  { key, encoding, answerBytes, cancel }: ScanTask,
  fragment: readonly Part[],
  state: WorkerState,
  context: ReadContext,
): readonly Part[] | null {
  const parts = addJointFragment(joint, fragment)
  if (parts === null) return null
  const { ending, fields } = joint
  const { parts: answer, resume } = finish(
    {
      kind: 'finish',
      key: `${key}/end`,
      ending,
      fields,
      table: { kind: 'groups', parts },
      resume: 0,
      skip: 0,
      take: Number.POSITIVE_INFINITY,
      encoding,
      answerBytes,
      cancel,
    },
    state,
    context,
  )
  return resume === null ? answer : null
}

/** A table of all rows or groups, from the fragments. */
function gather(
  { ending, fields }: FinishTask,
  table: Unfinished | null,
  state: WorkerState,
  context: ReadContext,
): TypedTable {
  const { core } = context
  const { grouping } = ending.finish
  const parts = unfinishedParts(table)
  const scanned = fields.map(({ type }) => type)
  state.reclaim(bytesOfParts(parts), context.stopwatch)
  if (table?.kind === 'row') {
    const types = grouping === null ? ending.types : groupTypes(grouping, scanned)
    const columns = collect(core, (constants) => {
      for (const [index, type] of types.entries())
        constants.push(core.constant(type, table.values[index] ?? null, 1))
    })
    return { table: tableOf(columns, 1), types }
  }
  if (grouping === null) return rowTable(parts, fields, context)
  return withGroups(grouping, scanned, state.groupBytes, core, (groups) => {
    addGroupTables(groups, parts, context)
    return groupTable(groups, grouping, scanned, context)
  })
}
