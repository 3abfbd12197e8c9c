import { fromErrorData, type ServiceError } from '../../plan/errors.ts'
import type { Answer, CoreTask } from '../../plan/task/task.ts'
import type { UndoRequest } from '../../plan/task/undo-request.ts'
import { createAffinity } from './affinity.ts'
import { createAlarm } from './alarm.ts'
import { createAnnex } from './annex.ts'
import { answerUndo } from './answer-undo.ts'
import { bundleOf } from './bundle.ts'
import {
  createEngineSlots,
  type EngineEvents,
  type EngineSlots,
  type OwnedEngineSlots,
} from './engines/engine-slots.ts'
import { createFairShares, createShare } from './fair-share.ts'
import { isPlacedOn, type Jobs, type Placement, type TaskOutcome } from './job.ts'
import { createSlot, type SlotOptions } from './slot.ts'
import { areQuick, cancelled, mayFollow } from './task-time.ts'
import type { Ticket } from './ticket.ts'
import { createTickets, type TicketJob, type TicketState, ticketsOf } from './tickets.ts'
import { createCacheCounters, type WorkerCacheFigures } from './worker-cache-figures.ts'
import { createWorkerQueue, type WorkerQueue } from './worker-queue.ts'

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
  /** Admits a query, or throws `overloaded`. Without `caching` its tasks neither read nor fill the workers' caches. */
  admit(caching?: boolean): Ticket
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
    return createWorkerQueue<TicketJob>(slot, options.limits, { began, answered, lost, ended, ready })
  })
  /** The queue that has been idle for longest is first. */
  const idle = new Set(queues)
  const fairShares = createFairShares(options.workers)
  const affinity = createAffinity()
  const caches = createCacheCounters()
  let engines: OwnedEngineSlots | null = null
  /** For the tasks of the service itself. */
  const internal: TicketState = { jobs: [], share: createShare(), stopped: false }
  /** Tickets with jobs that have not been sent. */
  const waiting = new Set<TicketState>()
  const alarm = createAlarm(dispatch)
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

  function mayRun(ticket: TicketState, now: number): boolean {
    if (ticket === internal) return true
    const time = fairShares.mayRunAt(ticket.share, now)
    if (time > now) alarm.at(time)
    return time <= now
  }

  /** The first job that may run on a worker, of `tickets` in their order. Sets the alarm for jobs that may run there later. */
  function next(
    queue: WorkerQueue<TicketJob>,
    tickets: readonly TicketState[],
    now: number,
  ): TicketJob | undefined {
    for (const ticket of tickets) {
      const job = ticket.jobs.find((each) => {
        if (isPlacedOn(each, queue.index, now)) return true
        const { placement, askedAt } = each
        if (idle.has(queue) && placement !== undefined && 'patienceMs' in placement)
          alarm.at(askedAt + placement.patienceMs)
        return false
      })
      if (job !== undefined && mayRun(ticket, now)) return job
    }
    return undefined
  }

  /** Sends a worker its next jobs, if there are any for it. Quick jobs are divided among it and `others`. */
  function offer(queue: WorkerQueue<TicketJob>, others: readonly WorkerQueue<TicketJob>[]): void {
    const isOnlyQuery = waiting.size === 1 && internal.jobs.length === 0
    if (waiting.size + internal.jobs.length === 0) return
    if (!isOnlyQuery && !areQuick(queue.running)) return
    const now = performance.now()
    const tickets = [internal, ...[...waiting].sort((a, b) => fairShares.compare(a.share, b.share))]
    const job = next(queue, tickets, now)
    if (job === undefined || !mayFollow(queue.running, job, isOnlyQuery)) return
    const more = areQuick([job]) ? tickets.filter((each) => mayRun(each, now)) : []
    const queued = more.flatMap(({ jobs }) => jobs)
    const workers = others.map(({ index }) => index)
    const jobs = bundleOf(job, queued, queue.index, workers, now)
    for (const each of jobs) {
      const { ticket } = each
      ticket.jobs.splice(ticket.jobs.indexOf(each), 1)
      if (ticket.jobs.length === 0) waiting.delete(ticket)
    }
    idle.delete(queue)
    queue.post(jobs)
  }

  /** Gives idle workers their jobs, and then busy ones what they run next, so that they need not wait for main in between. */
  function dispatch(): void {
    for (const queue of [...idle]) offer(queue, [...idle])
    const free = queues.filter((queue) => !idle.has(queue) && queue.following.length === 0)
    for (const [index, queue] of free.entries()) offer(queue, free.slice(index))
  }

  function began(queue: WorkerQueue<TicketJob>, jobs: Jobs<TicketJob>, now: number): void {
    for (const { share } of ticketsOf(jobs)) fairShares.began(share, queue.index, now)
  }

  function answered(
    queue: WorkerQueue<TicketJob>,
    jobs: Jobs<TicketJob>,
    answers: readonly Answer[],
    startedAt: number,
  ): void {
    for (const [index, answer] of answers.entries()) {
      const job = jobs[index]
      if (job !== undefined) settle(job, answer, queue.index, startedAt)
    }
    for (const job of jobs.slice(answers.length).toReversed()) requeue(job)
  }

  function settle(job: TicketJob, answer: Answer, worker: number, startedAt: number): void {
    caches.add(worker, answer)
    if (job.task.kind === 'scan' && answer.kind === 'rows') affinity.note(job.task, answer, worker)
    if (answer.kind === 'failed') job.reject(fromErrorData(answer.error))
    else job.resolve({ answer, worker, queueMs: startedAt - job.askedAt })
  }

  /** A worker is gone, and all that it held with it. */
  function forget(worker: number): void {
    affinity.lost(worker)
    caches.lost(worker)
    options.onWorkerReplaced(worker)
  }

  function lost({ index }: WorkerQueue<TicketJob>, jobs: readonly TicketJob[], error: ServiceError): void {
    if (error.cause !== undefined) options.onWorkerFailure(index, error.cause as Error)
    for (const job of jobs.toReversed()) {
      // Quick jobs were sent together, and one of them may have ended the worker. Each is run again by itself.
      if (job.quickMs === undefined) job.reject(error)
      else requeue({ ...job, quickMs: undefined })
    }
  }

  /** Puts a job first among those of its query. It may have run in part: only for jobs that change nothing. */
  function requeue(job: TicketJob): void {
    const { ticket } = job
    if (ticket.stopped) job.reject(cancelled())
    else {
      ticket.jobs.unshift(job)
      waiting.add(ticket)
    }
  }

  function ended(queue: WorkerQueue<TicketJob>, jobs: Jobs<TicketJob>, now: number): void {
    const ms = (all: readonly TicketJob[]): number => all.reduce((sum, { quickMs = 1 }) => sum + quickMs, 0)
    for (const ticket of ticketsOf(jobs)) {
      const isIts = (job: TicketJob): boolean => job.ticket === ticket
      const isIdle =
        ticket.jobs.length === 0 &&
        ticket.share.running.size === 1 &&
        !queues.some(({ following }) => following.some(isIts))
      fairShares.ended(ticket.share, queue.index, now, isIdle, ms(jobs.filter(isIts)) / ms(jobs))
    }
  }

  function ready(queue: WorkerQueue<TicketJob>): void {
    if (queue.running.length === 0) idle.add(queue)
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
      const best = placement ?? (isScan ? affinity.of(task) : undefined)
      // A task with a claim is not quick: units that it has claimed cannot be read again if the worker is lost.
      const quickMs = isScan && task.claim === null ? affinity.quickMs(task) : undefined
      ticket.jobs.push({
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
      // Not at once: jobs that are requested in the same turn of the event loop may go in the same message.
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
      await Promise.all([annex.close(), engines?.close(), ...queues.map((queue) => queue.close())])
    },
  }
}
