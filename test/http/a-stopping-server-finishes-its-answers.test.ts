import { once } from 'node:events'
import { Readable } from 'node:stream'
import t from 'tap'
import { closeServer } from '../../src/main/server.ts'
import { post, runningQuery, startTestServer } from './test-server.ts'

const LONG_MS = 600_000

t.test('an answer under way is read to its end, then the server is closed', async (t) => {
  const body = new Readable({ read() {} })
  body.push('first')
  const { url, app } = await startTestServer(t, { queries: { run: async () => runningQuery(body) } })
  await (await fetch(`${url}/api/health`)).text()
  const answer = await post(`${url}/api/query`, { select: ['a'] })
  const closed = closeServer(app, LONG_MS)
  await t.rejects(fetch(`${url}/api/health`, { headers: { connection: 'close' } }), 'nobody new is let in')
  body.push('last')
  body.push(null)
  t.equal(await answer.text(), 'firstlast')
  await closed
})

t.test('an answer that does not end in time is broken off', async (t) => {
  const body = new Readable({ read() {} })
  body.on('error', () => {})
  body.push('first')
  const { url, app } = await startTestServer(t, { queries: { run: async () => runningQuery(body) } })
  const answer = await post(`${url}/api/query`, { select: ['a'] })
  const gone = once(body, 'close').catch(() => {})
  await closeServer(app, 0)
  await t.rejects(answer.text())
  await gone
})
