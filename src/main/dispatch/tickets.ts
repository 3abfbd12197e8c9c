import { ServiceError } from '../../plan/errors.ts'
import type { Answer, CoreTask, SqlTask } from '../../plan/task/task.ts'
import type { Annex } from './annex.ts'
import type { OwnedEngineSlots } from './engines/engine-slots.ts'
import { createShare, type FairShares, type Share } from './fair-share.ts'
import type { EnginePlacement, Placement, QueuedTask, QueuedTasks, TaskOutcome } from './queued-task.ts'
import { cancelled, STATEMENT_GRACE_MS, TASK_GRACE_MS } from './task-time.ts'
import type { SharedTicket, Ticket } from './ticket.ts'
import type { Affinity } from './workers/affinity.ts'
import type { WorkerQueue } from './workers/worker-queue.ts'

/** A ticket as the scheduler knows it: its tasks that have not been sent to a worker, and what it has had of the workers' time. */
export interface TicketState {
  readonly queuedTasks: TicketTask[]
  readonly share: Share
  stopped: boolean
}

export type TicketTask = QueuedTask & { readonly ticket: TicketState }

/** The queries that are open. */
export interface Tickets {
  readonly active: number
  /** As `Scheduler.admit`. */
  admit(caching?: boolean, isBackground?: boolean): Ticket
}

export interface TicketsOptions {
  readonly maximumQueries: number
  readonly queues: readonly WorkerQueue<TicketTask>[]
  /** Tickets with tasks that have not been sent. */
  readonly waiting: Set<TicketState>
  readonly fairShares: FairShares
  readonly affinity: Affinity
  /** Null: no statement can run yet. */
  engines(): OwnedEngineSlots | null
  readonly annex: Annex
  ask(ticket: TicketState, task: CoreTask, placement: Placement | undefined): Promise<TaskOutcome<Answer>>
}

export function createTickets(options: TicketsOptions): Tickets {
  const { queues, waiting, fairShares, affinity, engines, annex, ask } = options
  const open = new Set<TicketState>()
  /** Open queries; work in the background is open too, and counts for nothing. */
  let queries = 0

  /** Sets the query's cancel flag and rejects its tasks that have not begun. */
  function cancelTasks(ticket: TicketState, cancel: SharedArrayBuffer): void {
    Atomics.store(new Int32Array(cancel), 0, 1)
    ticket.stopped = true
    waiting.delete(ticket)
    const posted = queues.flatMap(({ following }) => following.filter((queued) => queued.ticket === ticket))
    for (const queued of [...ticket.queuedTasks.splice(0), ...posted]) queued.reject(cancelled())
    engines()?.withdraw(ticket)
  }

  /** Kills workers and engines that still run the query's tasks after the grace time. `isStopped`: the query was stopped before its end. */
  function killLate(ticket: TicketState, isStopped: boolean): void {
    for (const queue of queues) {
      const its = [...queue.running, ...queue.following].find((queued) => queued.ticket === ticket)
      if (its === undefined) continue
      // The queue may by then run the task that was following. The query cannot have sent any later one.
      const killIfLate = (): void => {
        if (queue.running.some((queued) => queued.ticket === ticket)) queue.kill(cancelled())
      }
      // If the main thread is late itself, the answer may have arrived: `setImmediate` has it handled first.
      setTimeout(() => setImmediate(killIfLate), TASK_GRACE_MS).unref()
    }
    engines()?.endLate(ticket, isStopped ? STATEMENT_GRACE_MS : TASK_GRACE_MS)
    annex.endUnwanted()
  }

  /** A ticket without a place among the open queries. */
  function createTicket(isBackground = false): SharedTicket & { readonly ticket: TicketState } {
    const cancel = new SharedArrayBuffer(4)
    const ticket: TicketState = { queuedTasks: [], share: createShare(isBackground), stopped: false }
    return {
      ticket,
      cancel,
      run<A extends Exclude<Answer, { kind: 'failed' }>>(
        task: CoreTask,
        placement?: Placement,
      ): Promise<TaskOutcome<A>> {
        return ask(ticket, task, placement) as Promise<TaskOutcome<A>>
      },
      stop() {
        cancelTasks(ticket, cancel)
        killLate(ticket, true)
      },
    }
  }

  return {
    get active() {
      return queries
    },
    admit(caching = true, isBackground = false) {
      if (!isBackground && queries >= options.maximumQueries) {
        throw new ServiceError('overloaded', `${queries} queries are running already; try again in a moment.`)
      }
      const { ticket, cancel, run, stop } = createTicket(isBackground)
      /** What ends the waits for tasks of others. */
      const waits = new Set<(reason: ServiceError) => void>()
      const releases: (() => void)[] = []
      const endWaits = (): void => {
        for (const end of waits) end(cancelled())
      }
      open.add(ticket)
      if (!isBackground) queries++
      return {
        cancel,
        caching,
        objects: { areWanted: true },
        run,
        runStatement<A extends Exclude<Answer, { kind: 'failed' }>>(
          task: SqlTask,
          placement: EnginePlacement,
        ): Promise<TaskOutcome<A>> {
          const slots = engines()
          if (ticket.stopped || slots === null) return Promise.reject(cancelled())
          return slots.run(ticket, task, placement) as Promise<TaskOutcome<A>>
        },
        isQuick: (work) => affinity.quickMs({ ...work, caching }) !== undefined,
        // Queries may wait for it, so it is not in the background.
        forOthersToo: () => createTicket(),
        waitFor(shared) {
          if (ticket.stopped) return Promise.reject(cancelled())
          return new Promise((resolve, reject) => {
            waits.add(reject)
            void shared.then(resolve, reject).finally(() => waits.delete(reject))
          })
        },
        stop() {
          stop()
          endWaits()
        },
        whenReleased(work) {
          if (open.has(ticket)) releases.push(work)
          else work()
        },
        release() {
          endWaits()
          if (open.delete(ticket) && !isBackground) queries--
          fairShares.leave(ticket.share, performance.now())
          if (!ticket.stopped) {
            cancelTasks(ticket, cancel)
            killLate(ticket, false)
          }
          for (const work of releases.splice(0)) work()
        },
      }
    },
  }
}

export function ticketsOf(queuedTasks: QueuedTasks<TicketTask>): Set<TicketState> {
  return new Set(queuedTasks.map(({ ticket }) => ticket))
}
