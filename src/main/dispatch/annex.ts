import { setImmediate as turn } from 'node:timers/promises'
import { fromErrorData, ServiceError, toErrorData } from '../../plan/errors.ts'
import type { FilteredBytes } from '../../plan/task/filtered-bytes.ts'
import type { EmptyTask, UndoneAnswer, UndoTask } from '../../plan/task/task.ts'
import { UNDO_STATE, type UndoReply, type UndoRequest } from '../../plan/task/undo-request.ts'
import { cancelled, TASK_GRACE_MS, workerLost } from './task-time.ts'
import { createSlot, type Slot, type SlotOptions } from './workers/slot.ts'

/**
 * One thread beside the workers and the engines, for the HDF5 library with its plugins, which decodes hostile chunks and which no other
 * thread loads. It starts when it has a task, runs one at a time, and ends after a minute without any. Only the task that runs is lost with
 * the thread.
 */
export interface Annex {
  /**
   * Decodes a chunk for a thread that waits for it, unless the thread has stopped waiting when its turn comes. Rejects with `unreadable_file` if
   * that fails, takes too long, or ends the annex.
   */
  undo(filtered: FilteredBytes, isWanted: () => boolean): Promise<ArrayBuffer>
  /** Ends the thread if it still runs a task after `TASK_GRACE_MS` for which nobody waits then. A query has ended. */
  endUnwanted(): void
  close(): Promise<void>
}

export interface AnnexOptions extends SlotOptions {
  /** Milliseconds that a chunk of no size may take. Default: 10 000. */
  readonly undoMs?: number
  readonly onFailure: (error: Error) => void
}

/** The number of its thread among those of workers and engines, which count from 0. */
const ANNEX = -1

const UNDO_MS = 10_000

/** Milliseconds more for each MiB of a chunk. The slowest codec, bzip2, takes some 40 of CPU time. */
const UNDO_MS_PER_MIB = 500

const IDLE_MS = 60_000

/** The first task of a thread. */
const NOTHING: EmptyTask = Object.freeze({ kind: 'empty', types: Object.freeze([]) })

interface QueuedTask {
  readonly task: UndoTask
  /** Whether anybody waits for it. */
  readonly isWanted: () => boolean
  readonly resolve: (bytes: ArrayBuffer) => void
  readonly reject: (error: unknown) => void
}

export function createAnnex(options: AnnexOptions): Annex {
  const { undoMs = UNDO_MS, onFailure } = options
  const { taskMs } = options.limits
  const waiting: QueuedTask[] = []
  const closing = new Set<Promise<void>>()
  let slot: Slot | null = null
  /** The thread, once it has answered. */
  let booted: Slot | null = null
  let running: QueuedTask | null = null
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
    for (let queued = waiting.shift(); queued !== undefined; queued = waiting.shift()) {
      if (!queued.isWanted()) {
        queued.reject(cancelled())
        continue
      }
      running = queued
      await runOne(queued)
    }
    running = null
    if (slot === null) return
    const ended = slot
    clearTimeout(idle)
    idle = setTimeout(() => forget(ended), IDLE_MS).unref()
  }

  async function runOne({ task, resolve, reject }: QueuedTask): Promise<void> {
    clearTimeout(idle)
    slot ??= start()
    const thread = slot
    isEnded = false
    let deadline = setTimeout(() => end(tookTooLong(taskMs)), taskMs)
    try {
      if (thread !== booted) {
        await thread.run(NOTHING)
        booted = thread
      }
      // The time to start the thread, which may be long on a busy machine, is not the file's.
      clearTimeout(deadline)
      const limitMs = undoMs + (UNDO_MS_PER_MIB * task.filtered.bytes) / (1 << 20)
      deadline = setTimeout(() => end(tookTooLong(limitMs)), limitMs)
      const answer = await thread.run(task)
      if (answer.kind === 'failed') reject(fromErrorData(answer.error))
      else resolve((answer as UndoneAnswer).bytes)
    } catch (error) {
      reject(thread === booted ? endedThread(error) : workerLost(error))
      if (!isEnded && !isClosed) onFailure(error as Error)
      forget(thread)
    } finally {
      clearTimeout(deadline)
    }
  }

  return {
    undo(filtered, isWanted) {
      if (isClosed) return Promise.reject(cancelled())
      return new Promise((resolve, reject) => {
        waiting.push({ task: { kind: 'undo', filtered }, isWanted, resolve, reject })
        void runWaiting()
      })
    },
    endUnwanted() {
      const late = running
      if (late === null) return
      const endIfLate = (): void => {
        if (running === late && !late.isWanted()) end(cancelled())
      }
      // If the main thread is late itself, the answer may have arrived: `setImmediate` has it handled first.
      setTimeout(() => setImmediate(endIfLate), TASK_GRACE_MS).unref()
    },
    async close() {
      isClosed = true
      for (const { reject } of waiting.splice(0)) reject(cancelled())
      if (slot !== null) forget(slot)
      await Promise.all(closing)
    },
  }
}

function tookTooLong(limitMs: number): ServiceError {
  return new ServiceError('unreadable_file', `it could not be undone within ${Math.round(limitMs / 1000)} s`)
}

function endedThread(cause: unknown): ServiceError {
  return new ServiceError('unreadable_file', 'undoing it has ended the thread', { cause })
}

/** Has the annex undo the filter that a thread waits for, and wakes the thread. Each thread waits for one at a time. */
export async function answerUndo(annex: Annex, request: UndoRequest): Promise<void> {
  const { filtered, reply } = request
  const state = new Int32Array(request.state)
  const isWanted = (): boolean => Atomics.load(state, 0) === UNDO_STATE.waiting
  const answer = await annex.undo(filtered, isWanted).then(
    (bytes): UndoReply => ({ kind: 'undone', bytes }),
    (error: unknown): UndoReply => ({ kind: 'failed', error: toErrorData(error) }),
  )
  if (isWanted()) reply.postMessage(answer, answer.kind === 'undone' ? [answer.bytes] : [])
  Atomics.compareExchange(state, 0, UNDO_STATE.waiting, UNDO_STATE.answered)
  Atomics.notify(state, 0)
  reply.close()
}
