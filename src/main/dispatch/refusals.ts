import type { ServiceError } from '../../plan/errors.ts'
import { packedLocations } from '../../plan/statement/packed-scan.ts'
import type { Task } from '../../plan/task/task.ts'
import type { Scheduler } from './scheduler.ts'

/**
 * A scheduler that rejects tasks whose files are refused, before any worker has them: a worker that waits in a hung file system
 * can neither be cancelled nor be replaced. `refusal` is asked for each file of a task, by its location; the task rejects with
 * its error.
 */
export function withRefusals(
  scheduler: Scheduler,
  refusal: (location: string) => ServiceError | null,
): Scheduler {
  return {
    workers: scheduler.workers,
    get active() {
      return scheduler.active
    },
    get columns() {
      return scheduler.columns
    },
    get chunks() {
      return scheduler.chunks
    },
    admit(caching, isBackground) {
      const ticket = scheduler.admit(caching, isBackground)
      return {
        ...ticket,
        run(task, placement) {
          const error = refusalOf(task, refusal)
          return error === null ? ticket.run(task, placement) : Promise.reject(error)
        },
        runStatement(task, placement) {
          const error = refusalOf(task, refusal)
          return error === null ? ticket.runStatement(task, placement) : Promise.reject(error)
        },
      }
    },
    runInternal: scheduler.runInternal,
    openEngines: scheduler.openEngines,
    close: scheduler.close,
  }
}

/** The first refusal among the files that a worker opens for a task. */
function refusalOf(task: Task, refusal: (location: string) => ServiceError | null): ServiceError | null {
  if (task.kind === 'structure') return refusal(task.file.location)
  if (task.kind === 'inspect') {
    let error: ServiceError | null = null
    for (const { location } of task.files) error ??= refusal(location)
    return error
  }
  if (task.kind === 'scan') {
    let error = refusal(task.file.location)
    for (const { file } of task.more) error ??= refusal(file.location)
    return error
  }
  if (task.kind !== 'sql_open') return null
  let error: ServiceError | null = null
  for (const { files } of task.scans)
    for (const location of packedLocations(files)) error ??= refusal(location)
  return error
}
