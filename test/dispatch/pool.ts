import type { Test } from 'tap'
import { createScheduler, type Scheduler } from '../../src/main/dispatch/scheduler.ts'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import type { ScanAnswer } from '../../src/plan/task/task.ts'
import { TEST_LIMITS } from './limits.ts'
import { quickTaskFor, taskFor } from './tasks.ts'

/** A pool of fake workers that is gone with the test. They may keep so many bytes of columns. */
export function fakePool(
  t: Test,
  workers: number,
  taskMs = 60_000,
  onWorkerReplaced: (worker: number) => void = () => {},
  columnBytes = 1 << 20,
): Scheduler {
  const scheduler = createScheduler({
    workers,
    product: { name: 'service', version: '0' },
    entry: new URL('./fake-worker.ts', import.meta.url),
    limits: { ...TEST_LIMITS, taskMs, statementMs: taskMs, columnBytes },
    maximumQueries: 100,
    onWorkerFailure: () => {},
    onWorkerReplaced,
  })
  t.teardown(() => scheduler.close())
  return scheduler
}

export function ask(ticket: Ticket, key: string, preferred?: number) {
  return ticket.run(
    taskFor(key, ticket.cancel),
    preferred === undefined ? undefined : { prefer: [preferred], patienceMs: 300 },
  )
}

/** Asks for a task that is quick once `kept` has been asked for. */
export function askQuick(ticket: Ticket, key: string, segment?: number) {
  return ticket.run<ScanAnswer>(quickTaskFor(key, ticket, segment))
}

/** What became of tasks: `ok`, or the code of the error. */
export async function codesOf(outcomes: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(outcomes)
  return settled.map((each) => (each.status === 'rejected' ? each.reason.code : 'ok'))
}
