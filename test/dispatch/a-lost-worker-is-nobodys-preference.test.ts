import t from 'tap'
import { type Affinity, createAffinity } from '../../src/main/dispatch/workers/affinity.ts'
import type { ScanAnswer, ScanTask } from '../../src/plan/task/task.ts'
import { askQuick, fakePool } from './pool.ts'
import { NO_METRICS, quickTaskFor, taskFor, unitOf } from './tasks.ts'

const CANCEL = new SharedArrayBuffer(4)

function taskOf(segment: number, column?: string): ScanTask {
  const task = taskFor('ok', CANCEL)
  const columns = column === undefined ? [] : [{ name: column, type: { kind: 'bool' } as const }]
  return {
    ...task,
    unit: unitOf(segment),
    scan: { ...task.scan, columns },
    fragment: { kind: 'count' },
  }
}

/** The answer of a quick task: all columns were cached. */
const QUICK: ScanAnswer = {
  kind: 'rows',
  parts: [],
  skipped: 0,
  resume: null,
  metrics: { ...NO_METRICS, unitsRead: 1, columnHits: 1 },
}

function preferred(affinity: Affinity, task: ScanTask): readonly number[] | undefined {
  const place = affinity.of(task)
  return place && 'prefer' in place ? place.prefer : undefined
}

t.test('what a worker had decoded is forgotten with it, and nothing else', async (t) => {
  const affinity = createAffinity()
  affinity.note(taskOf(0), QUICK, 0)
  affinity.note(taskOf(1), QUICK, 0)
  affinity.note(taskOf(1), QUICK, 1)
  affinity.note(taskOf(2), QUICK, 1)
  affinity.lost(0)
  t.equal(preferred(affinity, taskOf(0)), undefined)
  t.strictSame(preferred(affinity, taskOf(1)), [1])
  t.strictSame(preferred(affinity, taskOf(2)), [1])
  t.equal(affinity.quickMs(taskOf(0)), undefined, 'the columns that made it quick are gone')
  t.type(affinity.quickMs(taskOf(1)), 'number', 'another worker has them')
  t.type(affinity.quickMs(taskOf(2)), 'number')
})

t.test('the worker in its place is remembered for what it decodes itself', async (t) => {
  const affinity = createAffinity()
  affinity.note(taskOf(0), QUICK, 0)
  affinity.note(taskOf(1), QUICK, 0)
  affinity.lost(0)
  affinity.note(taskOf(1), QUICK, 0)
  affinity.lost(1)
  t.equal(preferred(affinity, taskOf(0)), undefined)
  t.strictSame(preferred(affinity, taskOf(1)), [0], 'a loss of others costs it nothing')
  t.type(affinity.quickMs(taskOf(1)), 'number')
  affinity.lost(0)
  t.equal(preferred(affinity, taskOf(1)), undefined)
})

t.test('a worker that has the file open is preferred when those with the columns are gone', async (t) => {
  const affinity = createAffinity()
  affinity.note(taskOf(0, 'a'), QUICK, 0)
  affinity.note(taskOf(0, 'b'), QUICK, 1)
  affinity.lost(0)
  t.strictSame(preferred(affinity, taskOf(0, 'a')), [1])
  t.equal(affinity.quickMs(taskOf(0, 'a')), undefined)
})

t.test('a worker that ends while it has nothing to do is noticed', async (t) => {
  // An idle worker does not keep the process from ending, which the test must not do before it has heard of it.
  const alive = setInterval(() => {}, 60_000)
  t.teardown(() => clearInterval(alive))
  const { promise: replaced, resolve } = Promise.withResolvers<number>()
  const pool = fakePool(t, 1, 60_000, resolve)
  const first = pool.admit()
  await askQuick(first, 'last')
  const second = pool.admit()
  t.ok(second.isQuick(quickTaskFor('kept', second)))
  first.release()
  t.equal(await replaced, 0)
  t.notOk(second.isQuick(quickTaskFor('kept', second)))
  await t.resolves(askQuick(second, 'kept'))
})

t.test('a worker that dies under its tasks is noticed', async (t) => {
  const replaced: number[] = []
  const pool = fakePool(t, 1, 60_000, (worker) => replaced.push(worker))
  const ticket = pool.admit()
  await askQuick(ticket, 'kept')
  await t.rejects(askQuick(ticket, 'exit', 1), { code: 'worker_lost' })
  t.strictSame(replaced, [0])
  t.notOk(ticket.isQuick(quickTaskFor('kept', ticket)))
})
