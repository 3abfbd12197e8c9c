import t from 'tap'
import type { Scheduler } from '../../src/main/dispatch/scheduler.ts'
import type { BoxUnit } from '../../src/plan/source/unit.ts'
import type { ScanAnswer, ScanTask } from '../../src/plan/task/task.ts'
import { fakePool } from './pool.ts'
import { taskFor, unitOf } from './tasks.ts'

t.test('a unit goes to the worker that decoded it, of any query', async (t) => {
  const pool = fakePool(t, 2)
  const unitsOf = async (segments: readonly number[]): Promise<number[]> => {
    const ticket = pool.admit()
    const task = (segment: number): ScanTask => {
      const scan = taskFor('busy:5', ticket.cancel)
      // So large that it pays to wait for its worker.
      return { ...scan, unit: { ...unitOf(segment), decodedBytes: 64 << 20 } }
    }
    const outcomes = await Promise.all(segments.map((segment) => ticket.run<ScanAnswer>(task(segment))))
    ticket.release()
    return outcomes.map(({ worker }) => worker)
  }
  const first = await unitsOf([0, 1])
  t.strictSame(first.toSorted(), [0, 1], 'nothing is known: equal loads')
  t.strictSame(await unitsOf([0, 1]), first)
  t.strictSame(await unitsOf([1, 0]), first.toReversed())
})

t.test('the columns of a unit are where they were decoded, others of it may be elsewhere', async (t) => {
  const pool = fakePool(t, 2)
  const ask = async (column: string, worker?: number): Promise<number> => {
    const ticket = pool.admit()
    const task = taskFor('ok', ticket.cancel)
    const unit = { ...task.unit, decodedBytes: 64 << 20 }
    const scan = { ...task.scan, columns: [{ name: column, type: { kind: 'bool' } as const }] }
    const place = worker === undefined ? undefined : { only: worker }
    const outcome = await ticket.run<ScanAnswer>({ ...task, unit, scan }, place)
    ticket.release()
    return outcome.worker
  }
  await ask('a', 0)
  await ask('b', 1)
  t.strictSame([await ask('a'), await ask('b'), await ask('a')], [0, 1, 0])
  await ask('a', 1)
  t.equal(await ask('b'), 1)
})

t.test('other points of the same compressed chunks go to the worker that decoded them', async (t) => {
  const pool = fakePool(t, 2)
  const ask = async (
    origin: readonly number[],
    cell: readonly number[],
    worker?: number,
  ): Promise<number> => {
    const ticket = pool.admit()
    const unit: BoxUnit = {
      kind: 'box',
      file: 0,
      dimensions: [0, 1],
      origin,
      extent: [1, 1],
      decodedBytes: 4,
      tile: { origin: cell, bytes: 64 << 20 },
    }
    const place = worker === undefined ? undefined : { only: worker }
    const outcome = await ticket.run<ScanAnswer>({ ...taskFor('ok', ticket.cancel), unit }, place)
    ticket.release()
    return outcome.worker
  }
  await ask([0, 3], [0, 0], 1)
  await ask([12, 3], [10, 0], 0)
  t.equal(await ask([0, 7], [0, 0]), 1)
  t.equal(await ask([15, 9], [10, 0]), 0)
})

t.test('where nothing is kept, a unit goes to the worker that is idle for longest', async (t) => {
  const pools = { kept: fakePool(t, 2), bare: fakePool(t, 2, undefined, undefined, 0) }
  const ask = async (pool: Scheduler): Promise<readonly number[]> => {
    const workers: number[] = []
    for (let round = 0; round < 4; round++) {
      const ticket = pool.admit()
      workers.push((await ticket.run<ScanAnswer>(taskFor('ok', ticket.cancel))).worker)
      ticket.release()
    }
    return workers
  }
  const first = (await ask(pools.bare))[0] ?? 0
  t.strictSame(await ask(pools.bare), [first, 1 - first, first, 1 - first])
  const last = (await ask(pools.kept)).at(-1) ?? 0
  t.strictSame(await ask(pools.kept), [last, last, last, last], 'where it is kept, to its worker')
})

t.test('a task that main sends late goes to an idle worker that decoded its unit all the same', async (t) => {
  const pool = fakePool(t, 2)
  for (let round = 0; round < 4; round++) {
    const ticket = pool.admit()
    const task = { ...taskFor('ok', ticket.cancel), unit: unitOf(round) }
    const { worker } = await ticket.run<ScanAnswer>(task, { only: round % 2 })
    const late = ticket.run<ScanAnswer>(task)
    // For longer than a task of one byte waits for its worker.
    for (const until = performance.now() + 3; performance.now() < until; );
    t.equal((await late).worker, worker)
    ticket.release()
  }
})

t.test('nobody waits long for a worker that stays busy', async (t) => {
  const pool = fakePool(t, 2)
  const ticket = pool.admit()
  const { worker } = await ticket.run<ScanAnswer>(taskFor('ok', ticket.cancel))
  const busy = pool.admit()
  const occupied = busy.run<ScanAnswer>(taskFor('busy:60000', busy.cancel), { only: worker })
  const { worker: other } = await ticket.run<ScanAnswer>(taskFor('ok', ticket.cancel))
  t.not(other, worker)
  busy.stop()
  await occupied
})
