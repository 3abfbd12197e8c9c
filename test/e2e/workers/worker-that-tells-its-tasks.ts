/** The worker of the product, which also tells the kind of each task that it begins. */
import type { Task } from '../../../src/plan/task/task.ts'
import { run as product } from '../../../src/workers/worker.ts'
import { tellOn } from '../../support/told.ts'
import { TASKS } from './told-tasks.ts'

const tell = tellOn(TASKS)

export function run(task: Task): unknown {
  tell(task.kind)
  return product(task)
}
