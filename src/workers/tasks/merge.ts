import { bytesOfParts } from '../../plan/task/part.ts'
import type { MergeTask, ScanAnswer } from '../../plan/task/task.ts'
import { addGroupTables, withGroups } from '../rows/groups.ts'
import { rowTable } from '../rows/row-table.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { firstParts } from './first-fragment.ts'
import { type FragmentParts, groupsPart, topOf } from './fragment.ts'

/** Merges fragments, in their order, into one. */
export function merge(task: MergeTask, state: WorkerState, context: TaskContext): ScanAnswer {
  state.reclaim(bytesOfParts(task.parts), context.stopwatch)
  const result = withMemory(state, context, () => mergeFragments(task, state, context))
  const { stopwatch } = context
  return { kind: 'rows', ...result, skipped: 0, resume: null, metrics: stopwatch.metrics() }
}

function mergeFragments(
  { fragment, fields, parts }: MergeTask,
  state: WorkerState,
  context: TaskContext,
): FragmentParts {
  if (fragment.kind === 'groups') {
    const types = fields.map(({ type }) => type)
    return withGroups(fragment.grouping, types, state.groupBytes, context.core, (groups) => {
      addGroupTables(groups, parts, context)
      return groupsPart(groups, context)
    })
  }
  const { table, types } = rowTable(parts, fields, context)
  try {
    if (fragment.kind === 'top') return topOf(fragment, table, types, context)
    return { parts: firstParts(fragment.firsts, { table, types }, context) }
  } finally {
    state.units.release(table)
  }
}
