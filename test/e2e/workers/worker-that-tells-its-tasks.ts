/** The worker of the product, which also tells the kind of each task that it begins. */
import { type SentTask, unpackTask } from '../../../src/plan/task/packed-task.ts'
import { run as product } from '../../../src/workers/worker.ts'
import { tellOn } from '../../support/told.ts'
import { TASKS } from './told-tasks.ts'

const tell = tellOn(TASKS)

export function run(task: SentTask): unknown {
  tell(unpackTask(task).kind)
  return product(task)
}
