import { fromErrorData, ServiceError } from '../../plan/errors.ts'
import type { Answer, Task } from '../../plan/task.ts'
import { createAlarm } from './alarm.ts'
import { type ColumnFigures, createColumnCounter } from './column-figures.ts'
import { createHomes, type Work } from './homes.ts'
import { isPlaceOf, type Job, type Outcome, type Place } from './job.ts'
import type { PoolLimits } from './pool-limits.ts'
import { createSlot, type Slot } from './slot.ts'
import { cancelled, graceMs, isRunning, mayFollow, tookTooLong, workerLost } from './task-time.ts'
import { answersOf, taskOf, together } from './together.ts'
import { createShare, createTurns, type Share } from './turns.ts'

/**
 * The one place that decides whose task runs next, and where: queries share the workers' time, units go to the worker that
 * has them, a worker never waits for a client.
 */
export interface Scheduler {
  readonly workers: number
  /** Queries that are open now. */
  readonly active: number
  readonly columns: ColumnFigures
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

/** Jobs that a worker has, all of one query. */
interface Posted {
  readonly jobs: readonly [TicketJob, ...TicketJob[]]
  readonly answer: Promise<Answer>
}

/** A job, and the worker for it. */
interface Start {
  readonly job: TicketJob
  readonly slot: Slot
}

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
  /** Called when a worker is gone, however: what it held is lost. */
  readonly onWorkerReplaced: (worker: number) => void
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const slots = Array.from({ length: options.workers }, (_, index) =>
    createSlot(index, options.entry, options.limits, (error) => options.onWorkerFailure(index, error)),
  )
  const idle = new Set<Slot>(slots)
  /** What each of the others runs, in the order in which they began, and what waits in the worker to be next. */
  const running = new Map<Slot, TicketJob>()
  const following = new Map<Slot, Posted>()
  const turns = createTurns(options.workers)
  const homes = createHomes()
  const columns = createColumnCounter()
  const own: TicketState = { jobs: [], share: createShare(), stopped: false }
  /** Queries with queued tasks. */
  const waiting = new Set<TicketState>()
  const open = new Set<TicketState>()
  const alarm = createAlarm(pump)

  /** The idle worker for a job; undefined: it waits. */
  function slotFor({ place, askedAt }: Job, now: number): Slot | undefined {
    const [anyone] = idle
    if (place === undefined) return anyone
    for (const index of 'only' in place ? [place.only] : place.prefer) {
      const wanted = slots[index]
      if (wanted !== undefined && idle.has(wanted)) return wanted
    }
    if ('only' in place) return undefined
    const patientUntil = askedAt + place.patienceMs
    if (now >= patientUntil) return anyone
    alarm.at(patientUntil)
    return undefined
  }

  /** The first of a query's tasks that a worker is idle for. */
  function startable({ jobs }: TicketState, now: number): Start | undefined {
    for (const job of jobs) {
      const slot = slotFor(job, now)
      if (slot !== undefined) return { job, slot }
    }
    return undefined
  }

  function next(): Start | undefined {
    const now = performance.now()
    // They give back what queries wait for.
    let best = startable(own, now)
    if (best !== undefined) return best
    for (const ticket of waiting) {
      if (best !== undefined && !turns.isBefore(ticket.share, best.job.ticket.share)) continue
      const time = turns.mayRunAt(ticket.share, now)
      if (time > now) alarm.at(time)
      else best = startable(ticket, now) ?? best
    }
    return best
  }

  /**
   * A job for a worker to go on with, so that it need not wait for main between two tasks. Of the query that it works for, and
   * only while no other one waits: a kill costs no other query, and none comes later for it.
   */
  function ahead(): Start | undefined {
    const [ticket] = waiting
    if (ticket === undefined || waiting.size > 1 || own.jobs.length > 0) return undefined
    const now = performance.now()
    if (turns.mayRunAt(ticket.share, now) > now) return undefined
    const places = [...running].filter(([slot, runs]) => runs.ticket === ticket && !following.has(slot))
    if (places.length === 0) return undefined
    for (const job of ticket.jobs) {
      for (const [slot, runs] of places)
        if (isPlaceOf(job, slot.index, now) && mayFollow(runs, job)) return { job, slot }
    }
    return undefined
  }

  function pump(): void {
    for (;;) {
      const found = (idle.size > 0 ? next() : undefined) ?? ahead()
      if (found === undefined) return
      const { job, slot } = found
      const { jobs: queued } = job.ticket
      const others = [...idle].map(({ index }) => index)
      const jobs = together(job, queued, slot.index, others, performance.now())
      for (const each of jobs) queued.splice(queued.indexOf(each), 1)
      if (queued.length === 0) waiting.delete(job.ticket)
      const answer = slot.run(taskOf(jobs))
      if (idle.delete(slot)) void heard(slot, { jobs, answer })
      else {
        // It is heard in its turn.
        answer.catch(() => {})
        following.set(slot, { jobs, answer })
      }
    }
  }

  /** Waits for the answer to what a worker runs now. */
  async function heard(slot: Slot, { jobs, answer: coming }: Posted): Promise<void> {
    const [{ task, ticket }] = jobs
    const { share } = ticket
    const startedAt = performance.now()
    const limitMs = isRunning(task) ? options.limits.statementMs : options.limits.taskMs
    const deadline = setTimeout(() => slot.kill(tookTooLong(task, limitMs)), limitMs)
    turns.began(share, slot.index, startedAt)
    running.set(slot, jobs[0])
    try {
      const answers = answersOf(await coming)
      for (const [place, job] of jobs.entries()) settle(job, answers[place], slot.index, startedAt)
    } catch (error) {
      columns.lost(slot.index)
      options.onWorkerReplaced(slot.index)
      if (!(error instanceof ServiceError)) options.onWorkerFailure(slot.index, error as Error)
      const lost = error instanceof ServiceError ? error : workerLost(error)
      for (const job of [...jobs, ...(following.get(slot)?.jobs ?? [])]) job.reject(lost)
      following.delete(slot)
    } finally {
      clearTimeout(deadline)
      running.delete(slot)
      const next = following.get(slot)
      following.delete(slot)
      const isResting = next === undefined && ticket.jobs.length === 0 && share.running.size === 1
      turns.ended(share, slot.index, performance.now(), isResting)
      if (next === undefined) idle.add(slot)
      else void heard(slot, next)
      pump()
    }
  }

  function settle(job: TicketJob, answer: Answer | undefined, worker: number, startedAt: number): void {
    if (answer === undefined) throw new RangeError(`no answer to a task of worker ${worker}`)
    if ('metrics' in answer) columns.add(worker, answer.metrics)
    if (job.task.kind === 'scan' && answer.kind === 'rows') homes.note(job.task, answer, worker)
    if (answer.kind === 'failed') job.reject(fromErrorData(answer.error))
    else job.resolve({ answer, worker, queueMs: startedAt - job.askedAt })
  }

  function raise(ticket: TicketState, cancel: SharedArrayBuffer): void {
    Atomics.store(new Int32Array(cancel), 0, 1)
    ticket.stopped = true
    waiting.delete(ticket)
    const posted = [...following.values()].flatMap(({ jobs }) => jobs)
    for (const job of [...ticket.jobs.splice(0), ...posted.filter((each) => each.ticket === ticket)])
      job.reject(cancelled())
  }

  /** Kills the workers that still run the query's tasks when those have had their time. `isAwaited`: it was stopped. */
  function killLate(ticket: TicketState, isAwaited: boolean): void {
    for (const [slot, job] of running) {
      if (job.ticket !== ticket) continue
      // It may run what followed by then, but nothing of the query that came later.
      const killIfLate = (): void => {
        if (running.get(slot)?.ticket === ticket) slot.kill(cancelled())
      }
      // An answer that is there already is heard first: it may be the main thread that is late.
      setTimeout(() => setImmediate(killIfLate), graceMs(job.task, isAwaited)).unref()
    }
  }

  function ask(ticket: TicketState, task: Task, place: Place | undefined): Promise<Outcome<Answer>> {
    if (ticket.stopped) return Promise.reject(cancelled())
    return new Promise<Outcome<Answer>>((resolve, reject) => {
      const isScan = task.kind === 'scan'
      const best = place ?? (isScan ? homes.of(task) : undefined)
      const quickMs = isScan ? homes.quickMs(task) : undefined
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
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}
