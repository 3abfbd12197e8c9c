import { fromErrorData, ServiceError } from '../../plan/errors.ts'
import type { Answer, Task } from '../../plan/task/task.ts'
import { createHomes, type Work } from './affinity.ts'
import { createAlarm } from './alarm.ts'
import { together } from './bundle.ts'

import { createShare, createTurns, type Share } from './fair-share.ts'
import { isPlaceOf, type Job, type Jobs, type Outcome, type Place } from './job.ts'
import { createChunkCounter, createColumnCounter, type KeptFigures } from './kept-figures.ts'
import type { PoolLimits } from './pool-limits.ts'
import { createSlot } from './slot.ts'
import { areQuick, cancelled, graceMs, mayFollow } from './task-time.ts'
import { createDesk, type Desk } from './worker-queue.ts'

/**
 * The one place that decides whose task runs next, and where: queries share the workers' time, units go to the worker that
 * has them, a worker never waits for a client.
 */
export interface Scheduler {
  readonly workers: number
  /** Queries that are open now. */
  readonly active: number
  readonly columns: KeptFigures
  readonly chunks: KeptFigures
  /** Admits a query, or throws `overloaded`. Without `caching` its tasks neither use nor leave what is kept between queries. */
  admit(caching?: boolean): Ticket
  /** Runs a task of the service itself on a worker, when it is its turn. Rejects as a ticket does. */
  runOwn<A extends Exclude<Answer, { kind: 'failed' }>>(task: Task, worker: number): Promise<A>
  close(): Promise<void>
}

/** One query's place in the pool. */
export interface Ticket {
  /** The query's cancel flag, for its tasks. */
  readonly cancel: SharedArrayBuffer
  /** The same of what is kept between queries. */
  readonly caching: boolean
  /**
   * Runs a task when it is the query's turn: on a preferred worker unless they stay busy for longer than the patience,
   * on no other one at all, or, of a unit, best where it was decoded last. Rejects with the error of a failed answer,
   * `worker_lost`, or `cancelled`.
   */
  run<A extends Exclude<Answer, { kind: 'failed' }>>(task: Task, place?: Place): Promise<Outcome<A>>
  /** Whether a task is quick, so that many may be asked for at once: they go to the workers together. */
  isQuick(work: Omit<Work, 'caching'>): boolean
  /** Stops the query's work: queued tasks at once, running ones at their next check, or with their worker. */
  stop(): void
  /** Gives the place back. Tasks that still run end at their next check; one that looks stuck loses its worker. */
  leave(): void
}

type TicketJob = Job & { readonly ticket: TicketState }

interface TicketState {
  readonly jobs: TicketJob[]
  readonly share: Share
  stopped: boolean
}

export interface SchedulerOptions {
  readonly workers: number
  readonly entry: URL
  readonly limits: PoolLimits
  /** Queries open at once; one more is refused. */
  readonly maximumQueries: number
  readonly onWorkerFailure: (worker: number, error: Error) => void
  /** Called when a worker is gone, however, with tasks or without: what it held is lost. */
  readonly onWorkerReplaced: (worker: number) => void
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const desks = Array.from({ length: options.workers }, (_, index) => {
    const slot = createSlot(index, options.entry, options.limits, {
      onBootFailure: (error) => options.onWorkerFailure(index, error),
      onGone: () => forget(index),
    })
    return createDesk<TicketJob>(slot, options.limits, { began, answered, lost, ended, hasRoom })
  })
  /** The one that has waited longest is first. */
  const idle = new Set(desks)
  const turns = createTurns(options.workers)
  const homes = createHomes()
  const columns = createColumnCounter()
  const chunks = createChunkCounter()
  const own: TicketState = { jobs: [], share: createShare(), stopped: false }
  /** Queries with queued tasks. */
  const waiting = new Set<TicketState>()
  const open = new Set<TicketState>()
  const alarm = createAlarm(pump)

  function mayRun(ticket: TicketState, now: number): boolean {
    // The service's own tasks give back what queries wait for.
    if (ticket === own) return true
    const time = turns.mayRunAt(ticket.share, now)
    if (time > now) alarm.at(time)
    return time <= now
  }

  /** The job whose turn it is on a worker, of queries in their turn. */
  function next(desk: Desk<TicketJob>, tickets: readonly TicketState[], now: number): TicketJob | undefined {
    for (const ticket of tickets) {
      const job = ticket.jobs.find((each) => {
        if (isPlaceOf(each, desk.index, now)) return true
        const { place, askedAt } = each
        if (idle.has(desk) && place !== undefined && 'patienceMs' in place)
          alarm.at(askedAt + place.patienceMs)
        return false
      })
      if (job !== undefined && mayRun(ticket, now)) return job
    }
    return undefined
  }

  /** Gives a worker what it is to run next, if there is anything; `others` may be given some of it as well. */
  function offer(desk: Desk<TicketJob>, others: readonly Desk<TicketJob>[]): void {
    const isAlone = waiting.size === 1 && own.jobs.length === 0
    if (waiting.size + own.jobs.length === 0) return
    if (!isAlone && !areQuick(desk.running)) return
    const now = performance.now()
    const tickets = [own, ...[...waiting].sort((a, b) => turns.compare(a.share, b.share))]
    const job = next(desk, tickets, now)
    if (job === undefined || !mayFollow(desk.running, job, isAlone)) return
    const more = areQuick([job]) ? tickets.filter((each) => mayRun(each, now)) : []
    const queued = more.flatMap(({ jobs }) => jobs)
    const places = others.map(({ index }) => index)
    const jobs = together(job, queued, desk.index, places, now)
    for (const each of jobs) {
      const { ticket } = each
      ticket.jobs.splice(ticket.jobs.indexOf(each), 1)
      if (ticket.jobs.length === 0) waiting.delete(ticket)
    }
    idle.delete(desk)
    desk.post(jobs)
  }

  function pump(): void {
    for (const desk of [...idle]) offer(desk, [...idle])
    // They go on with that, and need not wait for main in between.
    const free = desks.filter((desk) => !idle.has(desk) && desk.following.length === 0)
    for (const [place, desk] of free.entries()) offer(desk, free.slice(place))
  }

  function began(desk: Desk<TicketJob>, jobs: Jobs<TicketJob>, now: number): void {
    for (const { share } of ticketsOf(jobs)) turns.began(share, desk.index, now)
  }

  function answered(
    desk: Desk<TicketJob>,
    jobs: Jobs<TicketJob>,
    answers: readonly Answer[],
    startedAt: number,
  ): void {
    for (const [place, answer] of answers.entries()) {
      const job = jobs[place]
      if (job !== undefined) settle(job, answer, desk.index, startedAt)
    }
    for (const job of jobs.slice(answers.length).toReversed()) askAgain(job)
  }

  function settle(job: TicketJob, answer: Answer, worker: number, startedAt: number): void {
    if ('metrics' in answer) for (const kept of [columns, chunks]) kept.add(worker, answer.metrics)
    if (job.task.kind === 'scan' && answer.kind === 'rows') homes.note(job.task, answer, worker)
    if (answer.kind === 'failed') job.reject(fromErrorData(answer.error))
    else job.resolve({ answer, worker, queueMs: startedAt - job.askedAt })
  }

  /** What a worker held is gone with it. */
  function forget(worker: number): void {
    homes.lost(worker)
    for (const kept of [columns, chunks]) kept.lost(worker)
    options.onWorkerReplaced(worker)
  }

  function lost({ index }: Desk<TicketJob>, jobs: readonly TicketJob[], error: ServiceError): void {
    if (error.cause !== undefined) options.onWorkerFailure(index, error.cause as Error)
    for (const job of jobs.toReversed()) {
      // Whichever it was that cost them the worker: by itself it costs no other one.
      if (job.quickMs === undefined) job.reject(error)
      else askAgain({ ...job, quickMs: undefined })
    }
  }

  /** Of a job that changes nothing, however far it came. */
  function askAgain(job: TicketJob): void {
    const { ticket } = job
    if (ticket.stopped) job.reject(cancelled())
    else {
      ticket.jobs.unshift(job)
      waiting.add(ticket)
    }
  }

  function ended(desk: Desk<TicketJob>, jobs: Jobs<TicketJob>, now: number): void {
    const ms = (all: readonly TicketJob[]): number => all.reduce((sum, { quickMs = 1 }) => sum + quickMs, 0)
    for (const ticket of ticketsOf(jobs)) {
      const isIts = (job: TicketJob): boolean => job.ticket === ticket
      const isResting =
        ticket.jobs.length === 0 &&
        ticket.share.running.size === 1 &&
        !desks.some(({ following }) => following.some(isIts))
      turns.ended(ticket.share, desk.index, now, isResting, ms(jobs.filter(isIts)) / ms(jobs))
    }
  }

  function hasRoom(desk: Desk<TicketJob>): void {
    if (desk.running.length === 0) idle.add(desk)
    pump()
  }

  function raise(ticket: TicketState, cancel: SharedArrayBuffer): void {
    Atomics.store(new Int32Array(cancel), 0, 1)
    ticket.stopped = true
    waiting.delete(ticket)
    const posted = desks.flatMap(({ following }) => following.filter((job) => job.ticket === ticket))
    for (const job of [...ticket.jobs.splice(0), ...posted]) job.reject(cancelled())
  }

  /** Kills the workers that still run the query's tasks when those have had their time. `isAwaited`: it was stopped. */
  function killLate(ticket: TicketState, isAwaited: boolean): void {
    for (const desk of desks) {
      const its = [...desk.running, ...desk.following].find((job) => job.ticket === ticket)
      if (its === undefined) continue
      // What followed may run by then, but nothing of the query that came later.
      const killIfLate = (): void => {
        if (desk.running.some((job) => job.ticket === ticket)) desk.kill(cancelled())
      }
      // An answer that is there already is heard first: it may be the main thread that is late.
      setTimeout(() => setImmediate(killIfLate), graceMs(its.task, isAwaited)).unref()
    }
  }

  function ask(ticket: TicketState, task: Task, place: Place | undefined): Promise<Outcome<Answer>> {
    if (ticket.stopped) return Promise.reject(cancelled())
    return new Promise<Outcome<Answer>>((resolve, reject) => {
      const isScan = task.kind === 'scan'
      const best = place ?? (isScan ? homes.of(task) : undefined)
      // A unit that is claimed is read by whoever has claimed it, and not again.
      const quickMs = isScan && task.claim === null ? homes.quickMs(task) : undefined
      ticket.jobs.push({ ticket, task, place: best, quickMs, askedAt: performance.now(), resolve, reject })
      if (ticket !== own) waiting.add(ticket)
      turns.join(ticket.share)
      // What else is asked now may go with it.
      alarm.soon()
    })
  }

  return {
    workers: options.workers,
    get active() {
      return open.size
    },
    get columns() {
      return columns.figures
    },
    get chunks() {
      return chunks.figures
    },
    admit(caching = true) {
      if (open.size >= options.maximumQueries) {
        throw new ServiceError(
          'overloaded',
          `${open.size} queries are running already; try again in a moment.`,
        )
      }
      const cancel = new SharedArrayBuffer(4)
      const ticket: TicketState = { jobs: [], share: createShare(), stopped: false }
      open.add(ticket)
      return {
        cancel,
        caching,
        run<A extends Exclude<Answer, { kind: 'failed' }>>(task: Task, place?: Place): Promise<Outcome<A>> {
          return ask(ticket, task, place) as Promise<Outcome<A>>
        },
        isQuick: (work) => homes.quickMs({ ...work, caching }) !== undefined,
        stop() {
          raise(ticket, cancel)
          killLate(ticket, true)
        },
        leave() {
          open.delete(ticket)
          turns.left(ticket.share, performance.now())
          if (ticket.stopped) return
          raise(ticket, cancel)
          killLate(ticket, false)
        },
      }
    },
    async runOwn<A extends Exclude<Answer, { kind: 'failed' }>>(task: Task, worker: number): Promise<A> {
      const { answer } = await ask(own, task, { only: worker })
      return answer as A
    },
    async close() {
      await Promise.all(desks.map((desk) => desk.close()))
    },
  }
}

function ticketsOf(jobs: readonly TicketJob[]): Set<TicketState> {
  return new Set(jobs.map(({ ticket }) => ticket))
}
