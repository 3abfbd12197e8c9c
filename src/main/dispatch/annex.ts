import { setImmediate as turn } from 'node:timers/promises'
import { fromErrorData, ServiceError } from '../../plan/errors.ts'
import type { FilteredBytes } from '../../plan/task/filtered-bytes.ts'
import type { Answer, DescribeTask, EmptyTask, UndoneAnswer, UndoTask } from '../../plan/task/task.ts'
import type { TaskOutcome } from './job.ts'
import { createSlot, type Slot, type SlotOptions } from './slot.ts'
import { cancelled, TASK_GRACE_MS, workerLost } from './task-time.ts'

/**
 * One thread beside the workers and the engines, for libraries that parse hostile files and that no other thread loads. It starts
 * when it has a task, runs one at a time, and ends after a minute without any. Only the task that runs is lost with the thread.
 */
export interface Annex {
  /**
   * The tasks of an owner can be withdrawn. Those with the same `turns` wait for those with others, in turns; without, these are the
   * owner's. Rejects as `Ticket.run` does.
   */
  run(owner: object, task: DescribeTask, turns?: object): Promise<TaskOutcome<Answer>>
  /**
   * Undoes a filter for a thread that waits for it, unless it does not any more when its turn comes. Rejects with `unreadable_file` if
   * that fails, takes too long, or ends the annex.
   */
  undo(filtered: FilteredBytes, isWanted: () => boolean): Promise<ArrayBuffer>
  /** Rejects the tasks of an owner that have not begun. */
  withdraw(owner: object, reason: ServiceError): void
  /** Ends the thread if it still runs a task of the owner after `TASK_GRACE_MS`, or one that nobody waits for then. */
  endLate(owner: object, reason: ServiceError): void
  close(): Promise<void>
}

export interface AnnexOptions extends SlotOptions {
  /** Milliseconds that the metadata of one file may take, and a chunk of no size. Default: 10 000. */
  readonly metadataMs?: number
  readonly onFailure: (error: Error) => void
}

/** The number of its thread among those of workers and engines, which count from 0. */
const ANNEX = -1

const METADATA_MS = 10_000

/** Milliseconds more for each MiB of a chunk. The slowest codec, bzip2, takes some 40 of CPU time. */
const UNDO_MS_PER_MIB = 500

const IDLE_MS = 60_000

/** The first task of a thread. */
const NOTHING: EmptyTask = Object.freeze({ kind: 'empty', types: Object.freeze([]) })

interface AnnexJob {
  readonly owner: object
  readonly turns: object
  readonly task: DescribeTask | UndoTask
  /** Whether anybody waits for it. */
  readonly isWanted: () => boolean
  readonly askedAt: number
  readonly resolve: (outcome: TaskOutcome<Answer>) => void
  readonly reject: (error: unknown) => void
}

export function createAnnex(options: AnnexOptions): Annex {
  const { metadataMs = METADATA_MS, onFailure } = options
  const { taskMs } = options.limits
  const waiting: AnnexJob[] = []
  const closing = new Set<Promise<void>>()
  let slot: Slot | null = null
  /** The thread, once it has answered. */
  let booted: Slot | null = null
  let running: AnnexJob | null = null
  let idle: NodeJS.Timeout | undefined
  /** Whether the thread was ended under the task that runs. */
  let isEnded = false
  let isClosed = false

  function start(): Slot {
    // The task that has started the thread rejects with the error of a failed boot.
    const started = createSlot(ANNEX, options, { onBootFailure: () => {}, onGone: () => forget(started) })
    return started
  }

  /** Ends a thread, or one that is gone already. The task that runs there is settled by its slot. */
  function forget(gone: Slot): void {
    if (slot !== gone) return
    slot = null
    clearTimeout(idle)
    // Not at once: Piscina hangs if it is destroyed while it is replacing a thread that has died.
    const closed = turn().then(gone.close)
    closing.add(closed)
    void closed.finally(() => closing.delete(closed))
  }

  /** Ends the thread under the task that runs there. */
  function end(reason: ServiceError): void {
    isEnded = true
    running?.reject(reason)
    if (slot !== null) forget(slot)
  }

  async function runWaiting(): Promise<void> {
    if (running !== null) return
    for (let job = next(); job !== undefined; job = next()) {
      if (!job.isWanted()) {
        job.reject(cancelled())
        continue
      }
      running = job
      await runOne(job)
    }
    running = null
    if (slot === null) return
    const ended = slot
    clearTimeout(idle)
    idle = setTimeout(() => forget(ended), IDLE_MS).unref()
  }

  /** The next task: one of another query than the last, if any waits, so that the files of one do not hold up the others. */
  function next(): AnnexJob | undefined {
    const other = waiting.findIndex(({ turns }) => turns !== running?.turns)
    return waiting.splice(Math.max(other, 0), 1)[0]
  }

  async function runOne(job: AnnexJob): Promise<void> {
    clearTimeout(idle)
    slot ??= start()
    const thread = slot
    isEnded = false
    const startedAt = performance.now()
    let deadline = setTimeout(() => end(tookTooLong(job.task, taskMs)), taskMs)
    try {
      if (thread !== booted) {
        await thread.run(NOTHING)
        booted = thread
      }
      // The time to start the thread, which may be long on a busy machine, is not the file's.
      clearTimeout(deadline)
      const limitMs = metadataMs + mostMsMore(job.task)
      deadline = setTimeout(() => end(tookTooLong(job.task, limitMs)), limitMs)
      const answer = await thread.run(job.task)
      if (answer.kind === 'failed') job.reject(fromErrorData(answer.error))
      else job.resolve({ answer, worker: ANNEX, queueMs: startedAt - job.askedAt })
    } catch (error) {
      job.reject(thread === booted && job.task.kind === 'undo' ? endedThread(error) : workerLost(error))
      if (!isEnded && !isClosed) onFailure(error as Error)
      forget(thread)
    } finally {
      clearTimeout(deadline)
    }
  }

  return {
    run(owner, task, turns = owner) {
      if (isClosed) return Promise.reject(cancelled())
      return new Promise((resolve, reject) => {
        const isWanted = (): boolean => true
        waiting.push({ owner, turns, task, isWanted, askedAt: performance.now(), resolve, reject })
        void runWaiting()
      })
    },
    async undo(filtered, isWanted) {
      if (isClosed) throw cancelled()
      const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome<Answer>>()
      const task = { kind: 'undo', filtered } as const
      const whose = { owner: filtered, turns: filtered }
      waiting.push({ ...whose, task, isWanted, askedAt: performance.now(), resolve, reject })
      void runWaiting()
      const { answer } = await promise
      return (answer as UndoneAnswer).bytes
    },
    withdraw(owner, reason) {
      for (const job of waiting.filter((each) => each.owner === owner)) {
        waiting.splice(waiting.indexOf(job), 1)
        job.reject(reason)
      }
    },
    endLate(owner, reason) {
      const job = running
      if (job === null || (job.task.kind === 'describe' && job.owner !== owner)) return
      const endIfLate = (): void => {
        if (running === job && (job.owner === owner || !job.isWanted())) end(reason)
      }
      // If the main thread is late itself, the answer may have arrived: `setImmediate` has it handled first.
      setTimeout(() => setImmediate(endIfLate), TASK_GRACE_MS).unref()
    },
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) job.reject(cancelled())
      if (slot !== null) forget(slot)
      await Promise.all(closing)
    },
  }
}

function mostMsMore(task: DescribeTask | UndoTask): number {
  return task.kind === 'undo' ? (UNDO_MS_PER_MIB * task.filtered.bytes) / (1 << 20) : 0
}

function tookTooLong(task: DescribeTask | UndoTask, limitMs: number): ServiceError {
  const limit = `within ${Math.round(limitMs / 1000)} s`
  if (task.kind === 'undo') return new ServiceError('unreadable_file', `it could not be undone ${limit}`)
  return new ServiceError(
    'unreadable_file',
    `The metadata of "${task.file.path}" could not be read ${limit}: the file is damaged, or has too many objects.`,
  )
}

function endedThread(cause: unknown): ServiceError {
  return new ServiceError('unreadable_file', 'undoing it has ended the thread', { cause })
}
