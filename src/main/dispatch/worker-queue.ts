import { ServiceError } from '../../plan/errors.ts'
import type { Answer } from '../../plan/task/task.ts'
import { answersOf, taskOf } from './bundle.ts'
import type { Job, Jobs } from './job.ts'
import type { PoolLimits } from './pool-limits.ts'
import type { Slot } from './slot.ts'
import { tookTooLong, workerLost } from './task-time.ts'

/** The jobs that one worker has been sent, at most two messages: one that it works on and one that waits there. */
export interface WorkerQueue<J extends Job> {
  readonly index: number
  /** The jobs that the worker works on. None: it is idle. */
  readonly running: readonly J[]
  /** The jobs that it works on next. */
  readonly following: readonly J[]
  /** Sends jobs to the worker in one message. Not to be called while there are following jobs. */
  post(jobs: Jobs<J>): void
  /** Terminates the worker under its jobs; another one takes its place. */
  kill(reason: Error): void
  close(): Promise<void>
}

/** Called as the jobs of a queue proceed. Times are those of `performance.now()`. */
export interface WorkerQueueEvents<J extends Job> {
  began(queue: WorkerQueue<J>, jobs: Jobs<J>, now: number): void
  /** The worker has answered the first of the jobs, at least one. It has not begun the others. */
  answered(queue: WorkerQueue<J>, jobs: Jobs<J>, answers: readonly Answer[], startedAt: number): void
  /** The worker is gone, with all jobs that it had. If it died by itself, the error has a cause. */
  lost(queue: WorkerQueue<J>, jobs: readonly J[], error: ServiceError): void
  /** Called after `answered` or `lost`, and before the following jobs begin. */
  ended(queue: WorkerQueue<J>, jobs: Jobs<J>, now: number): void
  /** The queue may be sent another message. */
  ready(queue: WorkerQueue<J>): void
}

interface Message<J extends Job> {
  readonly jobs: Jobs<J>
  readonly answer: Promise<Answer>
}

export function createWorkerQueue<J extends Job>(
  slot: Slot,
  limits: Pick<PoolLimits, 'taskMs' | 'statementMs'>,
  events: WorkerQueueEvents<J>,
): WorkerQueue<J> {
  let running: readonly J[] = []
  let following: Message<J> | null = null

  /** Waits for the answer to a message that the worker begins now, and then for the following one. */
  async function follow({ jobs, answer }: Message<J>): Promise<void> {
    const [{ task }] = jobs
    const startedAt = performance.now()
    const deadline = setTimeout(() => slot.kill(tookTooLong(task, limits)), limits.taskMs)
    running = jobs
    events.began(queue, jobs, startedAt)
    try {
      events.answered(queue, jobs, answersOf(await answer), startedAt)
    } catch (error) {
      const all = [...jobs, ...queue.following]
      following = null
      events.lost(queue, all, error instanceof ServiceError ? error : workerLost(error))
    } finally {
      clearTimeout(deadline)
      running = []
      events.ended(queue, jobs, performance.now())
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
      return following?.jobs ?? []
    },
    post(jobs) {
      const message = { jobs, answer: slot.run(taskOf(jobs)) }
      if (running.length === 0) void follow(message)
      else {
        // Awaited once the running jobs have ended. Until then a rejection must not count as unhandled.
        message.answer.catch(() => {})
        following = message
      }
    },
    kill: slot.kill,
    close: slot.close,
  }
  return queue
}
