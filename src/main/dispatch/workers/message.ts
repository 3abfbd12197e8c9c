import type { Answer, ScanTask, Task } from '../../../plan/task/task.ts'
import { isPlacedOn, type QueuedTask, type QueuedTasks } from '../queued-task.ts'

/** The most work in one message: some five times what a message to a worker and back takes. Milliseconds. */
const MESSAGE_MS = 2

/** The most tasks in one message. It bounds the delay if their columns are no longer cached and the tasks are not quick. */
const MESSAGE_TASKS = 16

/**
 * The tasks that a worker is given in one message: the task whose turn it is and, if that is quick, quick ones from `waiting`
 * in their order. Tasks that `others` may run as well are divided among them, so that no idle worker is left without work.
 * `idle` are the workers for which tasks wait that prefer them (`isPlacedOn`).
 */
export function messageOf<J extends QueuedTask>(
  first: J,
  waiting: readonly J[],
  worker: number,
  others: readonly number[],
  idle: readonly number[],
  now: number,
): QueuedTasks<J> {
  if (first.quickMs === undefined) return [first]
  const message: [J, ...J[]] = [first]
  let leftMs = MESSAGE_MS - first.quickMs
  const quick = waiting.filter((each) => each.quickMs !== undefined && isPlacedOn(each, worker, idle, now))
  /** The number of quick tasks that this worker should have, if all workers get as many. */
  let share = 0
  for (const each of quick) {
    let candidates = 0
    for (const other of others) if (other === worker || isPlacedOn(each, other, idle, now)) candidates++
    share += 1 / Math.max(1, candidates)
  }
  for (const each of quick) {
    if (each === first) continue
    leftMs -= each.quickMs ?? 0
    if (message.length >= Math.min(share, MESSAGE_TASKS) || leftMs < 0) break
    message.push(each)
  }
  return message
}

/** The one task that asks a worker for all of the tasks. */
export function taskOf([first, ...others]: QueuedTasks<QueuedTask>): Task {
  if (others.length === 0) return first.task
  const tasks = [first, ...others].flatMap(({ task }): ScanTask[] => (task.kind === 'scan' ? [task] : []))
  return { kind: 'scans', tasks }
}

/** The answers to the tasks of `taskOf`, in their order. */
export function answersOf(answer: Answer): readonly Exclude<Answer, { kind: 'scans' }>[] {
  return answer.kind === 'scans' ? answer.answers : [answer]
}
