/**
 * The worker of the product with faults. A scan that reads the column `hang` tells so when it has reached the second row group, and
 * never ends. A scan that reads `die` ends its thread there.
 */
import { type SentTask, unpackTask } from '../../../src/plan/task/packed-task.ts'
import { run as product } from '../../../src/workers/worker.ts'
import { tellOn } from '../../support/told.ts'
import { TASKS } from './told-tasks.ts'

const tell = tellOn(TASKS)

export function run(sent: SentTask): unknown {
  const task = unpackTask(sent)
  const columns = task.kind === 'scan' ? task.scan.columns.map((column) => column.name) : []
  if (task.kind === 'scan' && task.unit.kind === 'rows' && task.unit.segment > 0) {
    if (columns.includes('hang')) {
      tell('hang')
      for (;;);
    }
    if (columns.includes('die')) process.exit(1)
  }
  return product(sent)
}
