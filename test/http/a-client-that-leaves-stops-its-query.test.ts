import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import t from 'tap'
import type { QueryService } from '../../src/main/query/run/service.ts'
import { answering, post, runningQuery, startTestServer } from './test-server.ts'

const BODY = '{"select":["a"]}'

function ask(url: string) {
  const client = request(`${url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': BODY.length },
  })
  client.on('error', () => {})
  client.end(BODY)
  return client
}

t.test('while it waits for the first byte', async (t) => {
  const started = Promise.withResolvers<AbortSignal>()
  const run: QueryService['run'] = (_query, _caller, signal) => {
    started.resolve(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const { url } = await startTestServer(t, { queries: { run } })
  const client = ask(url)
  const signal = await started.promise
  t.notOk(signal.aborted, 'the body has been read, and that is no reason to stop')
  client.destroy()
  await once(signal, 'abort')
  t.match(signal.reason, { code: 'cancelled' })
})

t.test('while it reads', async (t) => {
  const started = Promise.withResolvers<AbortSignal>()
  const body = new Readable({ read() {} })
  body.on('error', () => {})
  body.push('first')
  const run: QueryService['run'] = async (_query, _caller, signal) => {
    started.resolve(signal)
    return runningQuery(body)
  }
  const { url } = await startTestServer(t, { queries: { run } })
  const client = ask(url)
  const signal = await started.promise
  const [answer] = await once(client, 'response')
  await once(answer, 'data')
  const closed = once(body, 'close').catch(() => {})
  client.destroy()
  await Promise.all([once(signal, 'abort'), closed])
  t.ok(body.destroyed)
})

t.test('and one that has read everything has not left', async (t) => {
  const signals: AbortSignal[] = []
  const { run } = answering('rows')
  const { url } = await startTestServer(t, {
    queries: {
      run: (query, caller, signal) => {
        signals.push(signal)
        return run(query, caller, signal)
      },
    },
  })
  await (await post(`${url}/api/query`, BODY)).text()
  await (await post(`${url}/api/query`, BODY, { connection: 'close' })).text()
  t.same(
    signals.map((signal) => signal.aborted),
    [false, false],
  )
})

t.test('a body that was made for a client that had already left is closed', async (t) => {
  const body = new Readable({ read() {} })
  body.on('error', () => {})
  const closed = once(body, 'close').catch(() => {})
  const started = Promise.withResolvers<void>()
  const run: QueryService['run'] = async (_query, _caller, signal) => {
    started.resolve()
    await once(signal, 'abort')
    body.push('first')
    return runningQuery(body)
  }
  const { url } = await startTestServer(t, { queries: { run } })
  const client = ask(url)
  await started.promise
  client.destroy()
  await closed
  t.ok(body.destroyed)
})
