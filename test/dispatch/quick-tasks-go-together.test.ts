import t from 'tap'
import type { Ticket } from '../../src/main/dispatch/ticket.ts'
import type { ScanAnswer } from '../../src/plan/task/task.ts'
import { scans } from '../../src/workers/tasks/scans.ts'
import { askQuick, codesOf, fakePool } from './pool.ts'
import { NO_METRICS, quickTaskFor, taskFor } from './tasks.ts'

/** For each task of a query: the worker that ran it, and the number of the message that it came with. */
function ask(ticket: Ticket, keys: readonly string[]) {
  return Promise.all(
    keys.map(async (key, segment) => {
      const { answer, worker } = await askQuick(ticket, key, segment)
      return { message: answer.skipped, worker }
    }),
  )
}

const EIGHT = Array.from({ length: 8 }, () => 'kept')

t.test('tasks that were quick go to a worker in one message, and the others do not', async (t) => {
  const pool = fakePool(t, 1)
  const messagesOf = async (keys: readonly string[], caching = true) => {
    const answers = await ask(pool.admit(caching), keys)
    return answers.map(({ message }) => message)
  }
  t.equal(new Set(await messagesOf(EIGHT)).size, 8, 'nothing is known of them')
  t.equal(new Set(await messagesOf(EIGHT)).size, 1)
  t.equal(new Set(await messagesOf(EIGHT, false)).size, 8, 'those that use nothing that is kept')
  t.equal(new Set(await messagesOf(EIGHT.map(() => 'ok'))).size, 1)
  t.equal(new Set(await messagesOf(EIGHT)).size, 8, 'they were not quick the last time')
})

t.test('quick tasks of many queries go together', async (t) => {
  const pool = fakePool(t, 1)
  await ask(pool.admit(), EIGHT)
  const messagesOf = async (caching: boolean) => {
    const tickets = EIGHT.map(() => pool.admit(caching))
    const outcomes = await Promise.all(tickets.map((ticket, place) => askQuick(ticket, 'kept', place)))
    return outcomes.map(({ answer }) => answer.skipped)
  }
  t.equal(new Set(await messagesOf(true)).size, 1)
  t.equal(new Set(await messagesOf(false)).size, 8, 'those that use nothing that is kept')
})

t.test('what is quick is shared between idle workers', async (t) => {
  const pool = fakePool(t, 2)
  for (let round = 0; round < 4; round++) await ask(pool.admit(), EIGHT)
  const answers = await ask(pool.admit(), EIGHT)
  t.strictSame([...new Set(answers.map(({ worker }) => worker))].toSorted(), [0, 1])
})

t.test('an error is that of one task', async (t) => {
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, EIGHT)
  t.ok(ticket.isQuick(quickTaskFor('kept', ticket)))
  const outcomes = ['kept', 'fail:cut short', 'kept'].map((key, segment) => askQuick(ticket, key, segment))
  t.strictSame(await codesOf(outcomes), ['ok', 'unreadable_file', 'ok'])
})

t.test('jobs behind one that takes long after all are sent again, and do not wait for it', async (t) => {
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, EIGHT)
  const keys = ['kept', 'numb:30', 'kept', 'kept']
  const answers = await Promise.all(keys.map((key, segment) => askQuick(pool.admit(), key, segment)))
  const [first, long, ...behind] = answers.map(({ answer }) => answer.skipped)
  t.equal(long, first)
  for (const message of behind) t.not(message, long)
})

t.test('a task with a large answer is the last one run of its message', async (t) => {
  const answer: ScanAnswer = {
    kind: 'rows',
    parts: [{ rows: 1, from: 0, payload: { kind: 'groups', bytes: new ArrayBuffer(1 << 20) } }],
    skipped: 0,
    resume: null,
    metrics: NO_METRICS,
  }
  const tasks = EIGHT.map((key) => taskFor(key, new SharedArrayBuffer(4)))
  t.equal(scans(tasks, () => answer).answers.length, 2)
})

t.test('where quick and long queries keep coming, neither wait for ever', async (t) => {
  const pool = fakePool(t, 1)
  await ask(pool.admit(), EIGHT)
  const long = pool.admit()
  const order: string[] = []
  const run = async (key: string, segment: number): Promise<void> => {
    await askQuick(long, key, segment)
    order.push('long')
  }
  // Units that no worker has decoded before.
  const tasks = Array.from({ length: 20 }, (_, index) => run('numb:5', 100 + index))
  let isDone = false
  const client = async (segment: number): Promise<void> => {
    while (!isDone) {
      const ticket = pool.admit()
      await askQuick(ticket, 'kept', segment)
      ticket.release()
      order.push('quick')
    }
  }
  const clients = EIGHT.map((_, segment) => client(segment))
  await Promise.all(tasks)
  isDone = true
  await Promise.all(clients)
  t.ok(
    order.indexOf('quick') < order.lastIndexOf('long'),
    'some are answered before the long query has ended',
  )
})
