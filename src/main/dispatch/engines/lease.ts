import { statementLost } from '../../../plan/statement/statement-lost.ts'
import type { Answer, SqlTask } from '../../../plan/task/task.ts'
import type { TaskOutcome } from '../queued-task.ts'
import { workedTooLong } from '../task-time.ts'
import type { Ticket } from '../ticket.ts'
import type { Engine, LeaseState } from './engine.ts'
import { LONG_MS } from './long-statements.ts'
import { type ThreadClock, WALL_CLOCK } from './thread-clock.ts'

/** The right of one statement to an engine, until it is released or the engine is lost. */
export interface Lease {
  /** Runs a task of the statement. Rejects as `Ticket.runStatement` does, and with `time_limit` after all of its work. */
  run<A extends Exclude<Answer, { kind: 'failed' }>>(task: SqlTask): Promise<TaskOutcome<A>>
  /** Says before the statement runs that it will be long. Throws `statement_lost` if it has to wait for another engine. */
  expectLong(): void
  /** Rows of the statement have left, so it cannot begin again. */
  rowsHaveLeft(): void
  /** Ends the statement in its engine, and frees its connection. */
  release(): void
}

export interface LeaseEvents {
  /** The statement asks for its first task. */
  asked(lease: LeaseState): void
  /** Called when the statement turns long, and then from time to time while it works. */
  worksOn(lease: LeaseState): void
  expectLong(lease: LeaseState): void
  released(lease: LeaseState): void
}

/** Opens a lease. `statementMs`: the milliseconds that all tasks that run the statement may take; `taskMs`: one of the others. */
export function openLease(
  { key, sql, ticket }: { readonly key: string; readonly sql: string; readonly ticket: Ticket },
  engine: Engine,
  isLong: boolean,
  { statementMs, taskMs }: { readonly statementMs: number; readonly taskMs: number },
  events: LeaseEvents,
): { readonly lease: Lease; readonly state: LeaseState } {
  const state: LeaseState = {
    key,
    sql,
    engine,
    isLong,
    hasBegun: false,
    isWorking: false,
    haveRowsLeft: false,
    isLost: false,
    isReleased: false,
    workedMs: 0,
    cpuMs: 0,
  }
  let timer: NodeJS.Timeout | undefined
  let clock = WALL_CLOCK
  let cpuBefore = 0
  const cpuMs = (): number => state.cpuMs + clock.ms() - cpuBefore
  /** Looks again once the statement may have turned long, and then from time to time. */
  const watch = (): void => {
    const ms = state.isLong ? LONG_MS : Math.max(0, LONG_MS - cpuMs())
    timer = setTimeout(() => {
      if (state.isLong || cpuMs() >= LONG_MS) events.worksOn(state)
      watch()
    }, ms).unref()
  }
  const statement = {
    began({ kind }: SqlTask, ofThread: ThreadClock): number {
      clock = ofThread
      cpuBefore = clock.ms()
      state.isWorking = true
      watch()
      if (kind === 'sql_prepare') return taskMs
      state.hasBegun = true
      return Math.max(0, statementMs - state.workedMs)
    },
    ended(ms: number): void {
      clearTimeout(timer)
      state.isWorking = false
      state.workedMs += ms
      state.cpuMs = cpuMs()
    },
    mayBeginAgain: () => !state.haveRowsLeft,
  }
  const lease: Lease = {
    run(task) {
      if (state.isLost) return Promise.reject(statementLost())
      if (state.workedMs >= statementMs) return Promise.reject(workedTooLong(statementMs))
      events.asked(state)
      return ticket.runStatement(task, { engine: engine.index, statement })
    },
    expectLong: () => events.expectLong(state),
    rowsHaveLeft() {
      state.haveRowsLeft = true
    },
    release() {
      if (state.isReleased) return
      state.isReleased = true
      events.released(state)
    },
  }
  return { lease, state }
}
