import { bytesOfParts, rowBuffers } from '../../plan/task/part.ts'
import type { SortedRun, SortRunTask } from '../../plan/task/sort-tasks.ts'
import type { SortedRunAnswer } from '../../plan/task/task.ts'
import { sortRows } from '../rows/final-rows.ts'
import { rowTable } from '../rows/row-table.ts'
import { sortedRun } from '../rows/sorted-run.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'

/** Sorts rows and writes them as the blocks of a run. */
export function sortRun(task: SortRunTask, state: WorkerState, context: TaskContext): SortedRunAnswer {
  const { stopwatch } = context
  // The rows as they are read, and joined.
  state.reclaim(2 * bytesOfParts(task.parts), stopwatch)
  const run = withMemory(state, context, () => sort(task, state, context))
  // The rows would wait for the garbage collector, which does not see how large they are.
  for (const bytes of rowBuffers(task.parts)) bytes.transfer(0)
  return { kind: 'sorted_run', ...run, metrics: stopwatch.metrics() }
}

function sort(task: SortRunTask, state: WorkerState, context: TaskContext): SortedRun {
  const { fields, order: keys, parts } = task
  const { core, stopwatch } = context
  const { table, types } = rowTable(parts, fields, context)
  try {
    const order = stopwatch.time('sort', () => sortRows(core, keys, table, types, null, table.rows))
    try {
      return sortedRun(task, { table: { ...table, order }, types }, context)
    } finally {
      core.freeOrder(order)
    }
  } finally {
    state.units.release(table)
  }
}
