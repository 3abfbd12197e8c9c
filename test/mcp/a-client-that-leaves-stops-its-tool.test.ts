import { once } from 'node:events'
import { request } from 'node:http'
import t from 'tap'
import type { QueryService } from '../../src/main/query/run/service.ts'
import { post, startTestServer } from '../http/test-server.ts'
import { ACCEPT, toolMessage } from './mcp-client.ts'

function ask(url: string, message: object) {
  const client = request(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT },
  })
  client.on('error', () => {})
  client.end(JSON.stringify(message))
  return client
}

for (const [name, args] of [
  ['run_sql', { sql: 'SELECT 1' }],
  ['run_sql', { sql: 'SHOW TABLES' }],
  ['export_query', { sql: 'SELECT 1', format: 'csv' }],
] as const)
  t.test(`${name} ${args.sql}`, async (t) => {
    const started = Promise.withResolvers<AbortSignal>()
    const waiting = (_query: unknown, _caller: unknown, signal: AbortSignal): Promise<never> => {
      started.resolve(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const queries: Partial<QueryService> = { run: waiting, answerColumns: waiting }
    const { url } = await startTestServer(t, { queries })
    const client = ask(url, toolMessage(name, args))
    const signal = await started.promise
    t.notOk(signal.aborted)
    client.destroy()
    await once(signal, 'abort')
    t.match(signal.reason, { code: 'cancelled' })
    t.equal(
      (await post(`${url}/api/parse-query`, { sql: 'SELECT 1' })).status,
      200,
      'and the service goes on',
    )
  })
