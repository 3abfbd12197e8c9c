import t from 'tap'
import { fakeEngines } from './engines.ts'

t.test('once it is free, and another takes its place', async (t) => {
  const { lease, told } = fakeEngines(t, 1)
  const large = await lease('large')
  await large.open()
  large.lease.release()
  await told('close large')
  await told('boot again')
  await t.resolves((await lease('next')).open())
})

t.test('functions are known from the first start on', async (t) => {
  const { engines, signal } = fakeEngines(t, 1)
  t.strictSame([...(await engines.functions(signal))], ['f'])
  await t.rejects(engines.functions(AbortSignal.abort()), { code: 'cancelled' })
})
