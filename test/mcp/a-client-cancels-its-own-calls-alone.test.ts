import { once } from 'node:events'
import t, { type Test } from 'tap'
import type { QueryService } from '../../src/main/query/run/service.ts'
import { SUPER_USER, startTestServer } from '../http/test-server.ts'
import { ACCEPT, connect, postMessage, toolMessage } from './mcp-client.ts'

/** A service in which each query waits until it is ended. */
async function startWaiting(t: Test) {
  const started: AbortSignal[] = []
  let wake = (): void => {}
  const waiting = (_query: unknown, _caller: unknown, signal: AbortSignal): Promise<never> => {
    started.push(signal)
    wake()
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const queries: Partial<QueryService> = { run: waiting, answerColumns: waiting }
  const { url } = await startTestServer(t, { queries })
  /** The signals of so many queries, when they run. */
  async function signals(count: number): Promise<readonly AbortSignal[]> {
    while (started.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return started
  }
  return { url, signals }
}

const CANCELLED = /The client has cancelled the call/

/** The session that an answer to `initialize` names. */
async function sessionOf(url: string, headers: Record<string, string> = {}): Promise<string> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  }
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  })
  await answer.text()
  return answer.headers.get('mcp-session-id') ?? ''
}

function cancel(requestId: unknown): object {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'a test' } }
}

t.test('by the client of the SDK', async (t) => {
  const { url, signals } = await startWaiting(t)
  const [one, other] = [await connect(t, url), await connect(t, url)]
  const abort = new AbortController()
  const cancelled = one.client.callTool({ name: 'run_sql', arguments: { sql: 'SELECT 1' } }, undefined, {
    signal: abort.signal,
  })
  // Its number is the same, because each client counts by itself.
  const still = other.call('run_sql', { sql: 'SELECT 2' })
  const [first, second] = await signals(2)
  if (first === undefined || second === undefined) throw new Error('no query runs')
  abort.abort()
  await t.rejects(cancelled)
  const isFirst = await Promise.race([
    once(first, 'abort').then(() => true),
    once(second, 'abort').then(() => false),
  ])
  const ended = isFirst ? first : second
  t.match(ended.reason, { code: 'cancelled' })
  t.notOk((isFirst ? second : first).aborted, 'the query of the other client goes on')
  await other.client.close()
  await t.rejects(still)
})

t.test('the call is answered, and its number can be used again', async (t) => {
  const { url, signals } = await startWaiting(t)
  const headers = { 'mcp-session-id': await sessionOf(url) }
  for (const [index, id] of [7, 'seven', 7].entries()) {
    const call = postMessage(url, toolMessage('run_sql', { sql: 'SELECT 1' }, id), headers)
    await signals(index + 1)
    t.match(await postMessage(url, cancel(id), headers), { status: 202, text: '' })
    const answer = await call
    t.equal(answer.status, 200)
    t.match(JSON.parse(answer.text), {
      id,
      result: { isError: true, content: [{ text: CANCELLED }] },
    })
  }
})

t.test('nobody else does', async (t) => {
  const { url, signals } = await startWaiting(t)
  const [session, other] = [await sessionOf(url), await sessionOf(url)]
  t.not(session, other)
  const headers = { 'mcp-session-id': session }
  const call = postMessage(url, toolMessage('run_sql', { sql: 'SELECT 1' }, 1), headers)
  const [signal] = await signals(1)
  for (const [message, from] of [
    [cancel(1), {}],
    [cancel(1), { 'mcp-session-id': other }],
    [cancel(1), { 'mcp-session-id': 'x' }],
    [cancel(1), { ...headers, ...SUPER_USER }],
    [cancel('1'), headers],
    [cancel(2), headers],
    [cancel(null), headers],
    [cancel({ toString: 1 }), headers],
    [{ ...cancel(1), params: null }, headers],
    [{ ...cancel(1), params: [1] }, headers],
    [{ ...cancel(1), id: 5 }, headers],
    [{ ...cancel(1), method: 'notifications/progress' }, headers],
  ] as const) {
    const { status } = await postMessage(url, message, from)
    t.ok([200, 202, 400].includes(status), `${status}`)
    t.notOk(signal?.aborted, JSON.stringify([message, from]))
  }
  await postMessage(url, cancel(1), headers)
  t.ok(signal?.aborted)
  t.match((await call).text, CANCELLED)
})

t.test('without a session nothing is cancelled', async (t) => {
  const { url, signals } = await startWaiting(t)
  const abort = new AbortController()
  const call = fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT },
    body: JSON.stringify(toolMessage('run_sql', { sql: 'SELECT 1' }, 1)),
    signal: abort.signal,
  })
  const [signal] = await signals(1)
  t.equal((await postMessage(url, cancel(1))).status, 202)
  t.notOk(signal?.aborted)
  abort.abort()
  await t.rejects(call)
})
