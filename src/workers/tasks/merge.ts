import { bytesOfParts } from '../../plan/task/part.ts'
import type { MergeTask, ScanAnswer } from '../../plan/task/task.ts'
import { addPartials, withGroups } from '../rows/groups.ts'
import { rowTable } from '../rows/row-table.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { groupsPart, type PartialResult, topOf } from './partial.ts'

/** Merges partials, in their order, into one. */
export function merge(task: MergeTask, state: WorkerState, context: TaskContext): ScanAnswer {
  state.reclaim(bytesOfParts(task.parts), context.stopwatch)
  const partial = withMemory(state, context, () => merged(task, state, context))
  const { stopwatch } = context
  return { kind: 'rows', ...partial, skipped: 0, resume: null, metrics: stopwatch.metrics() }
}

function merged(
  { fragment, fields, parts }: MergeTask,
  state: WorkerState,
  context: TaskContext,
): PartialResult {
  if (fragment.kind === 'groups') {
    const types = fields.map(({ type }) => type)
    return withGroups(fragment.grouping, types, state.groupBytes, context.core, (groups) => {
      addPartials(groups, parts, context)
      return groupsPart(groups, context)
    })
  }
  const { table, types } = rowTable(parts, fields, context)
  try {
    return topOf(fragment, table, types, context)
  } finally {
    state.units.release(table)
  }
}
