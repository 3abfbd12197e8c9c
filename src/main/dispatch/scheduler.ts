import { fromErrorData, ServiceError } from '../../plan/errors.ts'
import type { Answer, Task } from '../../plan/task.ts'
import type { PoolLimits } from './pool-limits.ts'
import { createSlot, type Slot } from './slot.ts'

/** The one place that decides whose task runs next: queries take turns, a worker never waits for a client. */
export interface Scheduler {
  readonly workers: number
  /** Queries that are open now. */
  readonly active: number
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
   * Runs a task when it is the query's turn, on the preferred worker unless that stays busy for long, or on no other one
   * at all. Rejects with the error of a failed answer, `worker_lost`, or `cancelled`.
   */
  run<A extends Exclude<Answer, { kind: 'failed' }>>(task: Task, place?: Place): Promise<Outcome<A>>
  /** Stops the query's work: queued tasks at once, running ones at their next check, or with their worker. */
  stop(): void
  /** Gives the place back. Tasks that still run end at their next check; one that looks stuck loses its worker. */
  leave(): void
}

/** Where a task should run. */
export type Place = { readonly prefer: number } | { readonly only: number }

export interface Outcome<A> {
  readonly answer: A
  readonly worker: number
  /** Milliseconds between asking and starting. */
  readonly queueMs: number
}

interface Job {
  readonly ticket: TicketState
  readonly task: Task
  readonly place: Place | undefined
  readonly askedAt: number
  readonly resolve: (outcome: Outcome<Answer>) => void
  readonly reject: (error: unknown) => void
}

interface TicketState {
  readonly jobs: Job[]
  readonly running: Set<number>
  stopped: boolean
}

/** Milliseconds a running task gets to see its cancel flag. With the kill it stays under the 100 ms that we promise. */
const CANCEL_GRACE_MS = 60

/**
 * Milliseconds that a task waits for the worker it prefers, which has its unit decoded, before any other may decode it
 * again. A unit takes some 150 ms.
 */
const PATIENCE_MS = 300

/** What `CANCEL_GRACE_MS` is, for tasks that ran ahead of a query that has ended: nobody waits for them, so killing can wait. */
const LEAVE_GRACE_MS = 1000

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
  const own: TicketState = { jobs: [], running: new Set(), stopped: false }
  /** Queries with queued tasks; the first is next, and goes to the end when it was served. */
  const waiting = new Set<TicketState>()
  const open = new Set<TicketState>()

  function nextJob(slot: Slot): Job | undefined {
    const patientSince = performance.now() - PATIENCE_MS
    // The service's own tasks give back what queries wait for.
    for (const ticket of [own, ...waiting]) {
      const job = ticket.jobs.find(({ place, askedAt }) => {
        if (place === undefined) return true
        if ('only' in place) return place.only === slot.index
        return place.prefer === slot.index || askedAt < patientSince
      })
      if (job) return job
    }
    return undefined
  }

  function pump(): void {
    for (const slot of idle) {
      const job = nextJob(slot)
      if (!job) continue
      const { ticket } = job
      ticket.jobs.splice(ticket.jobs.indexOf(job), 1)
      waiting.delete(ticket)
      if (ticket.jobs.length > 0) waiting.add(ticket)
      idle.delete(slot)
      void runOn(slot, job)
    }
  }

  async function runOn(slot: Slot, job: Job): Promise<void> {
    const startedAt = performance.now()
    const limitMs = isRunning(job.task) ? options.limits.statementMs : options.limits.taskMs
    const deadline = setTimeout(() => slot.kill(tookTooLong(job.task, limitMs)), limitMs)
    job.ticket.running.add(slot.index)
    try {
      const answer = await slot.run(job.task)
      if (answer.kind === 'failed') job.reject(fromErrorData(answer.error))
      else job.resolve({ answer, worker: slot.index, queueMs: startedAt - job.askedAt })
    } catch (error) {
      options.onWorkerReplaced(slot.index)
      if (error instanceof ServiceError) job.reject(error)
      else {
        options.onWorkerFailure(slot.index, error as Error)
        job.reject(
          new ServiceError('worker_lost', 'The worker that ran the query died; try again.', { cause: error }),
        )
      }
    } finally {
      clearTimeout(deadline)
      job.ticket.running.delete(slot.index)
      idle.add(slot)
      pump()
    }
  }

  function raise(ticket: TicketState, cancel: SharedArrayBuffer): void {
    Atomics.store(new Int32Array(cancel), 0, 1)
    ticket.stopped = true
    waiting.delete(ticket)
    for (const job of ticket.jobs.splice(0)) job.reject(cancelled())
  }

  /** Kills the workers that still run the query's tasks after so many milliseconds. */
  function killAfter(ticket: TicketState, graceMs: number): void {
    if (ticket.running.size === 0) return
    setTimeout(() => {
      for (const index of ticket.running) slots[index]?.kill(cancelled())
    }, graceMs).unref()
  }

  function ask(ticket: TicketState, task: Task, place: Place | undefined): Promise<Outcome<Answer>> {
    if (ticket.stopped) return Promise.reject(cancelled())
    return new Promise<Outcome<Answer>>((resolve, reject) => {
      ticket.jobs.push({ ticket, task, place, askedAt: performance.now(), resolve, reject })
      waiting.add(ticket)
      pump()
      if (place !== undefined && 'prefer' in place && !idle.has(slots[place.prefer] as Slot))
        setTimeout(pump, PATIENCE_MS).unref()
    })
  }

  return {
    workers: options.workers,
    get active() {
      return open.size
    },
    admit(caching = true) {
      if (open.size >= options.maximumQueries) {
        throw new ServiceError(
          'overloaded',
          `${open.size} queries are running already; try again in a moment.`,
        )
      }
      const cancel = new SharedArrayBuffer(4)
      const ticket: TicketState = { jobs: [], running: new Set(), stopped: false }
      open.add(ticket)
      return {
        cancel,
        caching,
        run<A extends Exclude<Answer, { kind: 'failed' }>>(task: Task, place?: Place): Promise<Outcome<A>> {
          return ask(ticket, task, place) as Promise<Outcome<A>>
        },
        stop() {
          raise(ticket, cancel)
          killAfter(ticket, CANCEL_GRACE_MS)
        },
        leave() {
          open.delete(ticket)
          if (ticket.stopped) return
          raise(ticket, cancel)
          killAfter(ticket, LEAVE_GRACE_MS)
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

/** Whether the task runs a statement, which may go through all of its input before its first row. */
function isRunning({ kind }: Task): boolean {
  return kind === 'sql_open' || kind === 'sql_pull'
}

/** A statement takes its time each time it is asked; of a unit that takes so long the worker is taken to hang. */
function tookTooLong(task: Task, limitMs: number): ServiceError {
  if (task.kind === 'sql_prepare')
    return new ServiceError('time_limit', `The statement could not be planned within ${limitMs / 1000} s.`)
  if (isRunning(task))
    return new ServiceError('time_limit', `The statement gave no row for ${limitMs / 1000} s.`)
  return new ServiceError(
    'worker_lost',
    `The worker took longer than ${limitMs} ms for one piece of the query.`,
  )
}

function cancelled(): ServiceError {
  return new ServiceError('cancelled', 'The query was cancelled.')
}
