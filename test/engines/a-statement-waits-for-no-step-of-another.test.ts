import t from 'tap'
import { type FakeStatement, fakeEngines } from './engines.ts'

t.test('another engine is started while all are busy', async (t) => {
  const { lease, told } = fakeEngines(t, 2)
  const slow = await lease('held:1')
  const opened = slow.open()
  await told('open held:1')
  const quick = await lease('quick')
  await t.resolves(quick.open())
  await told('boot again')
  slow.letGo()
  await t.resolves(opened)
})

t.test('what waits in the same engine begins again, if none of its rows has left', async (t) => {
  const { lease, told } = fakeEngines(t, 1)
  const [first, second] = [await lease('held:1'), lease('second')]
  await first.prepare()
  const waiting = await second
  const opened = first.open()
  await told('open held:1')
  await t.rejects(waiting.open(), { code: 'statement_lost' })
  first.letGo()
  await t.resolves(opened)
  waiting.lease.release()
  await told('close second')
})

t.test('one of which rows have left waits', async (t) => {
  const { lease, told } = fakeEngines(t, 1)
  const reader = await lease('reader')
  await reader.open()
  reader.lease.rowsHaveLeft()
  const slow = await lease('held:1')
  const opened = slow.open()
  await told('open held:1')
  const pulled = reader.pull()
  const other = lease('other').then((granted) => granted.open())
  // The one whose rows have not left is answered by then that it has to begin again.
  slow.letGo()
  await t.resolves(opened)
  await t.resolves(pulled)
  await t.resolves(other)
})

t.test('statements that end together with an engine are lost, and those elsewhere are not', async (t) => {
  const { lease, told } = fakeEngines(t, 2)
  const slow = await lease('held:1')
  const opened = slow.open()
  await told('open held:1')
  const reader = await lease('reader')
  await reader.open()
  const dying = await lease('exit')
  await t.rejects(dying.open(), { code: 'worker_lost' })
  await t.rejects(reader.pull(), { code: 'statement_lost' })
  reader.lease.release()
  slow.letGo()
  await t.resolves(opened)
  await t.resolves((await lease('next')).open())
})

t.test('a statement that is stopped and does not end costs its engine, and is replaced', async (t) => {
  const { lease, told } = fakeEngines(t, 1)
  const slow = await lease('held:1')
  const opened = slow.open()
  await told('open held:1')
  slow.ticket.stop()
  await t.rejects(opened, { code: 'cancelled' })
  slow.lease.release()
  await t.resolves((await lease('next')).open())
})

t.test('a client that leaves while it waits gets no engine', async (t) => {
  const { lease, told } = fakeEngines(t, 1)
  const slow = await lease('held:1')
  const opened = slow.open()
  await told('open held:1')
  const leaving = new AbortController()
  const left = lease('left', leaving.signal)
  const next = lease('next')
  leaving.abort()
  await t.rejects(left, { code: 'cancelled' })
  await t.rejects(lease('gone', leaving.signal), { code: 'cancelled' })
  slow.letGo()
  await opened
  await t.resolves((await next).open())
})

t.test('an engine has at most as many statements as it has connections', async (t) => {
  const { lease, told } = fakeEngines(t, 1)
  const open: FakeStatement[] = []
  for (let index = 0; index < 32; index++) {
    const statement = await lease(`${index}`)
    await statement.open()
    statement.lease.rowsHaveLeft()
    open.push(statement)
  }
  const next = lease('next')
  await t.resolves(open[0]?.pull() ?? Promise.reject(), 'those that are open go on')
  open[0]?.lease.release()
  await told('close 0')
  await t.resolves((await next).open())
})

t.test('all of the work of a statement counts towards its limit', async (t) => {
  const { lease } = fakeEngines(t, 1, { statementMs: 1000 })
  const statement = await lease('busy:600')
  await t.resolves(statement.open())
  await t.rejects(statement.open(), { code: 'time_limit' })
  statement.lease.release()
  await t.resolves((await lease('next')).open())
})
