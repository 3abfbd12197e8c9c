import t from 'tap'
import { createReadiness } from '../../src/main/gauges/readiness.ts'
import { startTestService } from '../e2e/service.ts'
import { startTestServer } from '../http/test-server.ts'

t.test('a service whose workers run is ready', async (t) => {
  const { url } = await startTestService(t)
  const answer = await fetch(`${url}/api/ready`)
  t.equal(answer.status, 200)
  t.equal(await answer.text(), 'Ready')
})

t.test('one whose workers do not start is alive, and not ready', async (t) => {
  const { url } = await startTestService(t, { worker: new URL('./no-such-worker.ts', import.meta.url) })
  t.equal((await fetch(`${url}/api/health`)).status, 200)
  const answer = await fetch(`${url}/api/ready`)
  t.equal(answer.status, 503)
  t.equal(await answer.text(), 'No worker has started.')
})

t.test('what is missing is said with 503', async (t) => {
  const { url } = await startTestServer(t, { notReady: 'The service is stopping.' })
  const answer = await fetch(`${url}/api/ready`)
  t.equal(answer.status, 503)
  t.equal(await answer.text(), 'The service is stopping.')
  t.equal((await fetch(`${url}/api/health`)).status, 200)
})

t.test('one worker is enough, a lost catalog and a stop are not', async (t) => {
  const starts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isReadable = true
  const readiness = createReadiness(
    2,
    (worker) => starts[worker]?.promise ?? Promise.reject(),
    () => isReadable,
  )
  const started = readiness.started()
  t.equal(readiness.notReady(), 'No worker has started.')
  starts[0]?.reject(new Error('out of memory'))
  starts[1]?.resolve()
  await started
  t.equal(readiness.notReady(), null)
  isReadable = false
  t.equal(readiness.notReady(), 'The catalog or the metrics cannot be read.')
  isReadable = true
  readiness.stop()
  t.equal(readiness.notReady(), 'The service is stopping.')
})

t.test('a worker that fails to start again is missing until it answers', async (t) => {
  let next = Promise.withResolvers<void>()
  const readiness = createReadiness(
    1,
    () => next.promise,
    () => true,
  )
  next.resolve()
  await readiness.started()
  next = Promise.withResolvers()
  readiness.workerFailed(0)
  t.equal(readiness.notReady(), 'No worker has started.')
  next.resolve()
  await next.promise
  t.equal(readiness.notReady(), null)
})
