import type { Test } from 'tap'
import { createEngines, type Engines } from '../../src/main/dispatch/engines/engines.ts'
import type { Lease } from '../../src/main/dispatch/engines/lease.ts'
import { createScheduler } from '../../src/main/dispatch/scheduler.ts'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import type { SqlOpenTask } from '../../src/plan/task/task.ts'
import { TEST_LIMITS } from '../dispatch/limits.ts'
import { type Told, toldOn } from '../support/told.ts'
import { ENGINE_TASKS } from './told.ts'

/** Engines whose threads are fakes. */
export interface FakeEngines {
  readonly engines: Engines
  readonly told: Told
  readonly signal: AbortSignal
  /** Admits a query and leases an engine for its statement. The key says what the statement does, and is its text too. */
  lease(key: string, signal?: AbortSignal): Promise<FakeStatement>
}

export interface FakeStatement {
  readonly lease: Lease
  readonly ticket: Ticket
  prepare(): Promise<unknown>
  open(): Promise<unknown>
  pull(): Promise<unknown>
  /** Lets a statement go on that is `held`. */
  letGo(): void
}

/** `areThreadsKnown`: main knows the numbers of their threads, so that it lowers their priority and counts CPU time. */
export function fakeEngines(
  t: Test,
  count: number,
  { statementMs = 60_000, areThreadsKnown = false } = {},
): FakeEngines {
  const told = toldOn(t, ENGINE_TASKS)
  const limits = { ...TEST_LIMITS, statementMs }
  const scheduler = createScheduler({
    workers: 1,
    product: { name: 'service', version: '0' },
    entry: new URL(areThreadsKnown ? './known-fake-engine.ts' : './fake-engine.ts', import.meta.url),
    limits,
    maximumQueries: 100,
    onWorkerFailure() {},
    onWorkerReplaced() {},
  })
  const held = new Set<Int32Array>()
  t.teardown(async () => {
    for (const flag of held) set(flag)
    await scheduler.close()
  })
  const engines = createEngines(scheduler, {
    engines: count,
    limits,
    compiled: { module: null },
    onFailure() {},
  })
  const { signal: never } = new AbortController()
  return {
    engines,
    told,
    signal: never,
    async lease(key, signal = never) {
      const ticket = scheduler.admit()
      const lease = await engines.lease({ key, sql: key, ticket }, signal)
      const cancel = new SharedArrayBuffer(4)
      const flag = new Int32Array(cancel)
      held.add(flag)
      const open: SqlOpenTask = {
        kind: 'sql_open',
        key,
        scans: [],
        assistance: null,
        encoding: 'arrow',
        answerBytes: 1,
        caching: true,
        cancel,
      }
      return {
        lease,
        ticket,
        prepare: () =>
          lease.run({
            kind: 'sql_prepare',
            key,
            sql: key,
            definitions: [],
            absent: [],
            sources: [],
            values: [],
            cancel: ticket.cancel,
          }),
        open: () => lease.run(open),
        pull: () => lease.run({ kind: 'sql_pull', key, answerBytes: 1 }),
        letGo: () => set(flag),
      }
    },
  }
}

function set(flag: Int32Array): void {
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}
