import { fromErrorData, type ServiceError } from '../../plan/errors.ts'
import type { Answer, CoreTask, ScanTask, TrimmedAnswer } from '../../plan/task/task.ts'
import type { UndoRequest } from '../../plan/task/undo-request.ts'
import { createAlarm } from './alarm.ts'
import { answerUndo, createAnnex } from './annex.ts'
import {
  createEngineSlots,
  type EngineEvents,
  type EngineSlots,
  type OwnedEngineSlots,
} from './engines/engine-slots.ts'
import { createFairShares, createShare } from './fair-share.ts'
import { isPlacedOn, type Placement, type QueuedTasks, type TaskOutcome } from './queued-task.ts'
import { areQuick, cancelled, mayFollow } from './task-time.ts'
import type { Ticket } from './ticket.ts'
import { createTickets, type TicketState, type TicketTask, ticketsOf } from './tickets.ts'
import { createAffinity } from './workers/affinity.ts'
import { messageOf } from './workers/message.ts'
import { createSlot, type SlotOptions } from './workers/slot.ts'
import { createTrims } from './workers/trims.ts'
import { createCacheCounters, type WorkerCacheFigures } from './workers/worker-cache-figures.ts'
import { createWorkerQueue, type WorkerQueue } from './workers/worker-queue.ts'

/**
 * Decides which task runs next, and on which worker. Queries get fair shares of the workers' time, and a unit goes to the
 * worker that has its columns cached. Tasks end with an answer, so no worker ever waits for a client.
 */
export interface Scheduler {
  readonly workers: number
  /** Queries that are open now. */
  readonly active: number
  readonly columns: WorkerCacheFigures
  readonly chunks: WorkerCacheFigures
  /**
   * Admits a query, or throws `overloaded`. Without `caching` its tasks neither read nor fill the workers' caches. With `isBackground` it is
   * work of the service itself: it is not counted, and its tasks begin only when no query's task waits, one at a time.
   */
  admit(caching?: boolean, isBackground?: boolean): Ticket
  /** Runs a task of the service itself on one worker, ahead of the queries' tasks. Rejects as `Ticket.run` does. */
  runInternal<A extends Exclude<Answer, { kind: 'failed' }>>(task: CoreTask, worker: number): Promise<A>
  /** The threads for statements, beside the workers and their fair shares. To be called once, before any statement runs. */
  openEngines(events: EngineEvents): EngineSlots
  close(): Promise<void>
}

export interface SchedulerOptions extends Omit<SlotOptions, 'onUndo'> {
  /** As in `AnnexOptions`. */
  readonly undoMs?: number
  readonly workers: number
  /** Queries open at once; one more is refused. */
  readonly maximumQueries: number
  readonly onWorkerFailure: (worker: number, error: Error) => void
  /** Called when the thread of the annex has died under a task. */
  readonly onAnnexFailure?: (error: Error) => void
  /** Milliseconds after which an idle thread gives back memory. Absent: none does. */
  readonly trimMs?: number
  /** Called when all workers have given back memory and none works. */
  readonly onAllTrimmed?: () => void
  /** Called whenever a worker is gone, whether it had tasks or not. What it held is lost. */
  readonly onWorkerReplaced: (worker: number) => void
}

export function createScheduler(given: SchedulerOptions): Scheduler {
  const annex = createAnnex({
    ...given,
    limits: { ...given.limits, columnBytes: 0 },
    onFailure: (error) => given.onAnnexFailure?.(error),
  })
  const options = { ...given, onUndo: (request: UndoRequest) => void answerUndo(annex, request) }
  const queues = Array.from({ length: options.workers }, (_, index) => {
    const slot = createSlot(index, options, {
      onBootFailure: (error) => options.onWorkerFailure(index, error),
      onGone: () => forget(index),
    })
    return createWorkerQueue<TicketTask>(slot, options.limits, {
      began,
      answered: receiveAnswer,
      lost,
      ended: endRows,
      ready,
    })
  })
  /** The queue that has been idle for longest is first. */
  const idle = new Set(queues)
  const fairShares = createFairShares(options.workers)
  const affinity = createAffinity()
  const caches = createCacheCounters()
  let engines: OwnedEngineSlots | null = null
  /** For the tasks of the service itself. */
  const internal: TicketState = { queuedTasks: [], share: createShare(), stopped: false }
  /** Tickets with tasks that have not been sent. */
  const waiting = new Set<TicketState>()
  const alarm = createAlarm(dispatch)
  const trims = createTrims({
    workers: options.workers,
    idleMs: options.trimMs ?? Number.POSITIVE_INFINITY,
    trim,
    onAllTrimmed: () => options.onAllTrimmed?.(),
  })
  const admitted = createTickets({
    maximumQueries: options.maximumQueries,
    queues,
    waiting,
    fairShares,
    affinity,
    engines: () => engines,
    annex,
    ask,
  })

  /** Whether a worker may keep what it decodes of a task. If it does not, any other worker is as good for the next query of the same units. */
  function mayBeKept({ caching }: ScanTask): boolean {
    return caching && options.limits.columnBytes > 0
  }

  function mayRun(ticket: TicketState, now: number): boolean {
    if (ticket === internal) return true
    const time = fairShares.mayRunAt(ticket.share, now)
    if (time > now) alarm.at(time)
    return time <= now
  }

  /** The first task that may run on a worker, of `tickets` in their order. Sets the alarm for tasks that may run there later. */
  function next(
    queue: WorkerQueue<TicketTask>,
    tickets: readonly TicketState[],
    idleWorkers: readonly number[],
    now: number,
  ): TicketTask | undefined {
    for (const ticket of tickets) {
      const queued = ticket.queuedTasks.find((each) => {
        if (isPlacedOn(each, queue.index, idleWorkers, now)) return true
        const { placement, askedAt } = each
        if (!idle.has(queue) || placement === undefined || 'only' in placement) return false
        // A task whose patience has passed goes to its idle worker in this turn.
        if (askedAt + placement.patienceMs > now) alarm.at(askedAt + placement.patienceMs)
        return false
      })
      if (queued !== undefined && mayRun(ticket, now)) return queued
    }
    return undefined
  }

  /** The tickets whose tasks a worker may be sent: those in the background only if it is idle, and nothing else waits. */
  function waitingTickets(queue: WorkerQueue<TicketTask>): TicketState[] {
    const queries = [...waiting].filter(({ share }) => !share.isBackground)
    const isBusy = queries.length + internal.queuedTasks.length > 0 || !idle.has(queue)
    return isBusy ? queries : [...waiting]
  }

  /** Sends a worker its next tasks, if there are any for it. Quick tasks are divided among it and `others`. */
  function offer(queue: WorkerQueue<TicketTask>, others: readonly WorkerQueue<TicketTask>[]): void {
    if (waiting.size + internal.queuedTasks.length === 0) return
    const candidates = waitingTickets(queue)
    if (candidates.length + internal.queuedTasks.length === 0) return
    const isOnlyQuery = candidates.length === 1 && internal.queuedTasks.length === 0
    if (!isOnlyQuery && !areQuick(queue.running)) return
    const now = performance.now()
    const tickets = [internal, ...candidates.sort((a, b) => fairShares.compare(a.share, b.share))]
    const idleWorkers = [...idle].map(({ index }) => index)
    const queued = next(queue, tickets, idleWorkers, now)
    if (queued === undefined || !mayFollow(queue.running, queued, isOnlyQuery)) return
    const more = areQuick([queued]) ? tickets.filter((each) => mayRun(each, now)) : []
    const following = more.flatMap(({ queuedTasks }) => queuedTasks)
    const workers = others.map(({ index }) => index)
    const queuedTasks = messageOf(queued, following, queue.index, workers, idleWorkers, now)
    for (const each of queuedTasks) {
      const { ticket } = each
      ticket.queuedTasks.splice(ticket.queuedTasks.indexOf(each), 1)
      if (ticket.queuedTasks.length === 0) waiting.delete(ticket)
    }
    idle.delete(queue)
    queue.post(queuedTasks)
  }

  /** Gives idle workers their tasks, and then busy ones what they run next, so that they need not wait for main in between. */
  function dispatch(): void {
    // Twice: what a worker leaves to another idle one may come after other tasks there.
    for (const queue of [...idle, ...idle]) if (idle.has(queue)) offer(queue, [...idle])
    const free = queues.filter((queue) => !idle.has(queue) && queue.following.length === 0)
    for (const [index, queue] of free.entries()) offer(queue, free.slice(index))
  }

  /** Has a worker give back memory. One that fails is replaced, as under any task. */
  async function trim(worker: number): Promise<void> {
    try {
      const { answer } = await ask(internal, { kind: 'trim' }, { only: worker })
      caches.trimmed(worker, answer as TrimmedAnswer)
    } catch {
      // It is reported where workers are lost.
    }
  }

  function began(queue: WorkerQueue<TicketTask>, queuedTasks: QueuedTasks<TicketTask>, now: number): void {
    if (queuedTasks[0].task.kind !== 'trim') trims.began(queue.index)
    for (const { share } of ticketsOf(queuedTasks)) fairShares.began(share, queue.index, now)
  }

  function receiveAnswer(
    queue: WorkerQueue<TicketTask>,
    queuedTasks: QueuedTasks<TicketTask>,
    answers: readonly Answer[],
    startedAt: number,
  ): void {
    for (const [index, answer] of answers.entries()) {
      const queued = queuedTasks[index]
      if (queued !== undefined) settle(queued, answer, queue.index, startedAt)
    }
    for (const queued of queuedTasks.slice(answers.length).toReversed()) requeue(queued)
  }

  function settle(queued: TicketTask, answer: Answer, worker: number, startedAt: number): void {
    caches.add(worker, answer)
    const { task } = queued
    if (task.kind === 'scan' && answer.kind === 'rows' && mayBeKept(task)) affinity.note(task, answer, worker)
    if (answer.kind === 'failed') queued.reject(fromErrorData(answer.error))
    else queued.resolve({ answer, worker, queueMs: startedAt - queued.askedAt })
  }

  /** A worker is gone, and all that it held with it. */
  function forget(worker: number): void {
    affinity.lost(worker)
    caches.lost(worker)
    options.onWorkerReplaced(worker)
  }

  function lost(
    { index }: WorkerQueue<TicketTask>,
    queuedTasks: readonly TicketTask[],
    error: ServiceError,
  ): void {
    if (error.cause !== undefined) options.onWorkerFailure(index, error.cause as Error)
    for (const queued of queuedTasks.toReversed()) {
      // Quick tasks were sent together, and one of them may have ended the worker. Each is run again by itself.
      if (queued.quickMs === undefined) queued.reject(error)
      else requeue({ ...queued, quickMs: undefined })
    }
  }

  /** Puts a task first among those of its query. It may have run in part: only for tasks that change nothing. */
  function requeue(queued: TicketTask): void {
    const { ticket } = queued
    if (ticket.stopped) queued.reject(cancelled())
    else {
      ticket.queuedTasks.unshift(queued)
      waiting.add(ticket)
    }
  }

  function endRows(queue: WorkerQueue<TicketTask>, queuedTasks: QueuedTasks<TicketTask>, now: number): void {
    const ms = (all: readonly TicketTask[]): number => all.reduce((sum, { quickMs = 1 }) => sum + quickMs, 0)
    for (const ticket of ticketsOf(queuedTasks)) {
      const isIts = (queued: TicketTask): boolean => queued.ticket === ticket
      const isIdle =
        ticket.queuedTasks.length === 0 &&
        ticket.share.running.size === 1 &&
        !queues.some(({ following }) => following.some(isIts))
      fairShares.ended(
        ticket.share,
        queue.index,
        now,
        isIdle,
        ms(queuedTasks.filter(isIts)) / ms(queuedTasks),
      )
    }
  }

  function ready(queue: WorkerQueue<TicketTask>): void {
    if (queue.running.length === 0) {
      idle.add(queue)
      trims.idle(queue.index)
    }
    dispatch()
  }

  function ask(
    ticket: TicketState,
    task: CoreTask,
    placement: Placement | undefined,
  ): Promise<TaskOutcome<Answer>> {
    if (ticket.stopped) return Promise.reject(cancelled())
    return new Promise<TaskOutcome<Answer>>((resolve, reject) => {
      const isScan = task.kind === 'scan'
      const best = placement ?? (isScan && mayBeKept(task) ? affinity.of(task) : undefined)
      // A task with a claim is not quick: units that it has claimed cannot be read again if the worker is lost.
      const quickMs = isScan && task.claim === null ? affinity.quickMs(task) : undefined
      ticket.queuedTasks.push({
        ticket,
        task,
        placement: best,
        quickMs,
        askedAt: performance.now(),
        resolve,
        reject,
      })
      if (ticket !== internal) waiting.add(ticket)
      fairShares.join(ticket.share)
      // Not at once: tasks that are requested in the same turn of the event loop may go in the same message.
      alarm.soon()
    })
  }

  return {
    workers: options.workers,
    get active() {
      return admitted.active
    },
    get columns() {
      return caches.columns
    },
    get chunks() {
      return caches.chunks
    },
    admit: admitted.admit,
    async runInternal<A extends Exclude<Answer, { kind: 'failed' }>>(
      task: CoreTask,
      worker: number,
    ): Promise<A> {
      const { answer } = await ask(internal, task, { only: worker })
      return answer as A
    },
    openEngines(events) {
      const { workers, limits } = options
      const engineOptions = { ...options, limits: { ...limits, columnBytes: limits.engineColumnBytes } }
      const gone = (engine: number): void => {
        caches.lost(workers + engine)
        events.gone(engine)
      }
      engines = createEngineSlots(engineOptions, { ...events, gone }, (engine, answer) =>
        caches.add(workers + engine, answer),
      )
      return engines
    },
    async close() {
      trims.close()
      await Promise.all([annex.close(), engines?.close(), ...queues.map((queue) => queue.close())])
    },
  }
}
