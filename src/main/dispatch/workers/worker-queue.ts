import { ServiceError } from '../../../plan/errors.ts'
import type { Answer } from '../../../plan/task/task.ts'
import type { PoolLimits } from '../pool-limits.ts'
import type { QueuedTask, QueuedTasks } from '../queued-task.ts'
import { tookTooLong, workerLost } from '../task-time.ts'
import { answersOf, taskOf } from './message.ts'
import type { Slot } from './slot.ts'

/** The tasks that one worker has been sent, at most two messages: one that it works on and one that waits there. */
export interface WorkerQueue<J extends QueuedTask> {
  readonly index: number
  /** The tasks that the worker works on. None: it is idle. */
  readonly running: readonly J[]
  /** The tasks that it works on next. */
  readonly following: readonly J[]
  /** Sends tasks to the worker in one message. Not to be called while there are following tasks. */
  post(queuedTasks: QueuedTasks<J>): void
  /** Terminates the worker under its tasks; another one takes its place. */
  kill(reason: Error): void
  close(): Promise<void>
}

/** Called as the tasks of a queue proceed. Times are those of `performance.now()`. */
export interface WorkerQueueEvents<J extends QueuedTask> {
  began(queue: WorkerQueue<J>, queuedTasks: QueuedTasks<J>, now: number): void
  /** The worker has answered the first of the tasks, at least one. It has not begun the others. */
  answered(
    queue: WorkerQueue<J>,
    queuedTasks: QueuedTasks<J>,
    answers: readonly Answer[],
    startedAt: number,
  ): void
  /** The worker is gone, with all tasks that it had. If it died by itself, the error has a cause. */
  lost(queue: WorkerQueue<J>, queuedTasks: readonly J[], error: ServiceError): void
  /** Called after `answered` or `lost`, and before the following tasks begin. */
  ended(queue: WorkerQueue<J>, queuedTasks: QueuedTasks<J>, now: number): void
  /** The queue may be sent another message. */
  ready(queue: WorkerQueue<J>): void
}

interface Message<J extends QueuedTask> {
  readonly queuedTasks: QueuedTasks<J>
  readonly answer: Promise<Answer>
}

export function createWorkerQueue<J extends QueuedTask>(
  slot: Slot,
  limits: Pick<PoolLimits, 'taskMs' | 'statementMs'>,
  events: WorkerQueueEvents<J>,
): WorkerQueue<J> {
  let running: readonly J[] = []
  let following: Message<J> | null = null

  /** Waits for the answer to a message that the worker begins now, and then for the following one. */
  async function follow({ queuedTasks, answer }: Message<J>): Promise<void> {
    const [{ task }] = queuedTasks
    const startedAt = performance.now()
    // It keeps no process: of a service that was closed, a worker that never started answers no task.
    const deadline = setTimeout(() => slot.kill(tookTooLong(task, limits)), limits.taskMs).unref()
    running = queuedTasks
    events.began(queue, queuedTasks, startedAt)
    try {
      events.answered(queue, queuedTasks, answersOf(await answer), startedAt)
    } catch (error) {
      const all = [...queuedTasks, ...queue.following]
      following = null
      events.lost(queue, all, error instanceof ServiceError ? error : workerLost(error))
    } finally {
      clearTimeout(deadline)
      running = []
      events.ended(queue, queuedTasks, performance.now())
      const next = following
      following = null
      if (next !== null) void follow(next)
      events.ready(queue)
    }
  }

  const queue: WorkerQueue<J> = {
    index: slot.index,
    get running() {
      return running
    },
    get following() {
      return following?.queuedTasks ?? []
    },
    post(queuedTasks) {
      const message = { queuedTasks, answer: slot.run(taskOf(queuedTasks)) }
      if (running.length === 0) void follow(message)
      else {
        // Awaited once the running tasks have ended. Until then a rejection must not count as unhandled.
        message.answer.catch(() => {})
        following = message
      }
    },
    kill: slot.kill,
    close: slot.close,
  }
  return queue
}
