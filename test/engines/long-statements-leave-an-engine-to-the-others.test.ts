import t from 'tap'
import { fakeEngines } from './engines.ts'

t.test('one that turns long in the last engine begins again when another long one has ended', async (t) => {
  const { lease, told } = fakeEngines(t, 2)
  const first = await lease('held:1')
  const firstOpened = first.open()
  await told('open held:1')
  const second = await lease('held:2')
  await t.rejects(second.open(), { code: 'statement_lost' })
  second.lease.release()
  const again = lease('held:2')
  for (let i = 0; i < 3; i++) {
    const quick = await lease(`quick ${i}`)
    await t.resolves(quick.open(), 'others have an engine')
    quick.lease.release()
  }
  first.letGo()
  await firstOpened
  first.lease.release()
  const granted = await again
  const opened = granted.open()
  granted.letGo()
  await t.resolves(opened)
})

t.test('one of which rows have left goes on', async (t) => {
  const { lease, told } = fakeEngines(t, 2)
  const first = await lease('held:1')
  const firstOpened = first.open()
  await told('open held:1')
  const second = await lease('busy:400')
  second.lease.rowsHaveLeft()
  await t.resolves(second.open())
  first.letGo()
  await t.resolves(firstOpened)
})

t.test('one that is expected to be long waits before it runs', async (t) => {
  const { lease, told } = fakeEngines(t, 2)
  const first = await lease('held:1')
  first.lease.expectLong()
  const opened = first.open()
  await told('open held:1')
  const second = await lease('pairs')
  t.throws(() => second.lease.expectLong(), { code: 'statement_lost' })
  second.lease.release()
  const again = lease('pairs')
  await t.resolves((await lease('quick')).open())
  first.letGo()
  await opened
  first.lease.release()
  const granted = await again
  t.doesNotThrow(() => granted.lease.expectLong())
})

t.test('a single engine runs long statements too', async (t) => {
  const { lease } = fakeEngines(t, 1)
  const statement = await lease('busy:300')
  statement.lease.expectLong()
  await t.resolves(statement.open())
  statement.lease.release()
  const again = await lease('busy:300')
  await t.resolves(again.open())
})
