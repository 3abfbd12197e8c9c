import t from 'tap'
import { fakeEngines } from './engines.ts'

// An engine was lost in this way only where the user may not raise priorities again.
t.test('when its thread had a low priority', async (t) => {
  const { lease, told } = fakeEngines(t, 1, { areThreadsKnown: true })
  const other = await lease('other')
  await other.open()
  other.lease.release()
  await told('close other')
  const slow = await lease('held:1')
  slow.lease.expectLong()
  const opened = slow.open()
  await told('open held:1')
  const next = lease('next')
  slow.ticket.stop()
  slow.lease.release()
  await t.rejects(opened, { code: 'cancelled' })
  await t.resolves(next.then((granted) => granted.open()))
})

t.test('when its memory had grown', async (t) => {
  const { lease, told } = fakeEngines(t, 1)
  const large = await lease('large')
  await large.open()
  const slow = await lease('held:1')
  large.lease.release()
  await told('close large')
  const opened = slow.open()
  await told('open held:1')
  slow.ticket.stop()
  slow.lease.release()
  await t.rejects(opened, { code: 'cancelled' })
  // A large engine ends after a second of idleness.
  await t.resolves((await lease('busy:1500')).open())
})
