import t from 'tap'
import type { Ticket } from '../../src/main/dispatch/scheduler.ts'
import type { ScanAnswer, ScanTask } from '../../src/plan/task.ts'
import { fakePool } from './pool.ts'
import { taskFor } from './tasks.ts'

function taskOf(ticket: Ticket, key: string, segment: number): ScanTask {
  const task = taskFor(key, ticket.cancel)
  const unit = { ...task.unit, segment }
  return { ...task, unit, fragment: { kind: 'count' }, caching: ticket.caching }
}

function ask(ticket: Ticket, keys: readonly string[]) {
  return Promise.all(
    keys.map(async (key, segment) => {
      const { answer, worker } = await ticket.run<ScanAnswer>(taskOf(ticket, key, segment))
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

t.test('what is quick is shared between idle workers', async (t) => {
  const pool = fakePool(t, 2)
  for (let round = 0; round < 4; round++) await ask(pool.admit(), EIGHT)
  const answers = await ask(pool.admit(), EIGHT)
  t.strictSame([...new Set(answers.map(({ worker }) => worker))].toSorted(), [0, 1])
})

t.test('an error is that of one task, and a worker that dies costs them all', async (t) => {
  const pool = fakePool(t, 1)
  const ticket = pool.admit()
  await ask(ticket, EIGHT)
  t.ok(ticket.isQuick(taskOf(ticket, 'kept', 0)))
  const outcomes = (keys: readonly string[]) =>
    Promise.allSettled(keys.map((key, segment) => ticket.run<ScanAnswer>(taskOf(ticket, key, segment))))
  const codes = (settled: Awaited<ReturnType<typeof outcomes>>) =>
    settled.map((each) => (each.status === 'rejected' ? each.reason.code : 'ok'))
  t.strictSame(codes(await outcomes(['kept', 'fail:cut short', 'kept'])), ['ok', 'unreadable_file', 'ok'])
  t.strictSame(codes(await outcomes(['kept', 'exit', 'kept'])), ['worker_lost', 'worker_lost', 'worker_lost'])
})
