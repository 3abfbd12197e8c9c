import { ServiceError } from '../../plan/errors.ts'
import type { Answer } from '../../plan/task/task.ts'
import { answersOf, taskOf } from './bundle.ts'
import type { Job, Jobs } from './job.ts'
import type { PoolLimits } from './pool-limits.ts'
import type { Slot } from './slot.ts'
import { isRunning, tookTooLong, workerLost } from './task-time.ts'

/** What a worker has: the jobs of a message that it works on, and those of one that waits there to be next. */
export interface WorkerQueue<J extends Job> {
  readonly index: number
  /** None: it is idle. */
  readonly running: readonly J[]
  readonly following: readonly J[]
  /** Gives it jobs, in one message. It has at most one besides what it works on. */
  post(jobs: Jobs<J>): void
  /** Terminates the worker under its jobs; another one takes its place. */
  kill(reason: Error): void
  close(): Promise<void>
}

/** What becomes of the jobs of a queue. Times are those of `performance.now()`. */
export interface WorkerQueueEvents<J extends Job> {
  began(queue: WorkerQueue<J>, jobs: Jobs<J>, now: number): void
  /** Answers to the first of them, one at least; the worker has left the others. */
  answered(queue: WorkerQueue<J>, jobs: Jobs<J>, answers: readonly Answer[], startedAt: number): void
  /** The worker is gone, with all that it had; if it died by itself, the error has a cause. */
  lost(queue: WorkerQueue<J>, jobs: readonly J[], error: ServiceError): void
  /** After either of those: what follows has not begun yet. */
  ended(queue: WorkerQueue<J>, jobs: Jobs<J>, now: number): void
  /** It may be given another message. */
  hasRoom(queue: WorkerQueue<J>): void
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

  /** Waits for the answer to what the worker runs now. */
  async function hear({ jobs, answer }: Message<J>): Promise<void> {
    const [{ task }] = jobs
    const startedAt = performance.now()
    const limitMs = isRunning(task) ? limits.statementMs : limits.taskMs
    const deadline = setTimeout(() => slot.kill(tookTooLong(task, limitMs)), limitMs)
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
      if (next !== null) void hear(next)
      events.hasRoom(queue)
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
      if (running.length === 0) void hear(message)
      else {
        // It is heard in its turn.
        message.answer.catch(() => {})
        following = message
      }
    },
    kill: slot.kill,
    close: slot.close,
  }
  return queue
}
