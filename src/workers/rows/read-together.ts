import type { ScanTask } from '../../plan/task/task.ts'
import type { Column } from '../../wasm/core/column.ts'
import { collect, join } from '../formats/collect.ts'
import type { DecodedUnit } from '../state/decoded-units.ts'
import type { TaskContext } from '../state/task-context.ts'
import { withMemory } from '../state/with-memory.ts'
import type { WorkerState } from '../state/worker-state.ts'
import { readUnits } from '../units/read-units.ts'
import { tableOf } from './typed-table.ts'

/** The rows of all units of a task that pass its filter, as those of one unit. The caller releases it. */
export function readTogether(task: ScanTask, state: WorkerState, context: TaskContext): DecodedUnit {
  return withMemory(state, context, () => readOnce(task, state, context))
}

function readOnce(task: ScanTask, state: WorkerState, context: TaskContext): DecodedUnit {
  const { core } = context
  const shared: Column[][] = task.scan.projection.map(() => [])
  let rows = 0
  const columns = collect(core, (joinedColumns) => {
    try {
      readUnits(task, state, context, ({ rows: all, columns, mask }) => {
        const passing = mask === null ? all : core.count(mask)
        if (passing === 0) return
        rows += passing
        for (const [index, column] of columns.entries())
          shared[index]?.push(mask === null ? core.share(column) : core.filter(column, mask))
      })
      if (rows === 0) return
      for (const each of shared) joinedColumns.push(join(core, each.splice(0)))
    } finally {
      for (const column of shared.flat()) core.free(column)
    }
  })
  return { ...tableOf(columns, rows), rowsScanned: rows, rowsPassed: rows }
}
