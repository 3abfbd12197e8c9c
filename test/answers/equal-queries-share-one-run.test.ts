import { once } from 'node:events'
import t from 'tap'
import { createFingerprint } from '../../src/main/datasets/fingerprint/fingerprint.ts'
import { ServiceError } from '../../src/plan/errors.ts'
import { post, startTestServer } from '../http/test-server.ts'
import { fakeRuns } from './fake-runs.ts'

const QUERY = '{"sql":"SELECT 1"}'
const MIB = 1 << 20

const textOf = async (response: Promise<Response>): Promise<string> => (await response).text()

t.test('a small answer is given to all who wait', async (t) => {
  const runs = fakeRuns()
  const { url, asked } = await startTestServer(t, { queries: runs })
  const ask = () => post(`${url}/api/query`, QUERY)
  const responses = Array.from({ length: 5 }, ask)
  const run = await runs.at(0)
  await asked(5)
  run.begin()
  run.body.push('some ')
  // Its first bytes have waited for the rest as long as they may, and are sent.
  await Promise.any(responses)
  run.body.push('rows')
  run.body.push(null)
  for (const response of responses) t.equal(await textOf(response), 'some rows')
  t.equal(runs.all.length, 1)
})

t.test('a query with a large answer is run by each', async (t) => {
  const runs = fakeRuns()
  const { url, asked } = await startTestServer(t, { queries: runs })
  const large = Buffer.alloc(3 * MIB, 'x')
  const leader = post(`${url}/api/query`, QUERY)
  const first = await runs.at(0)
  const follower = post(`${url}/api/query`, QUERY)
  await asked(2)
  for (const run of [first, runs.at(1)]) {
    const { begin, body } = await run
    begin()
    for (let at = 0; at < large.length; at += MIB / 2) body.push(large.subarray(at, at + MIB / 2))
    body.push(null)
  }
  for (const response of [leader, follower]) {
    t.equal((await response).headers.get('etag'), null)
    t.ok(Buffer.from(await (await response).arrayBuffer()).equals(large))
  }
})

t.test('an answer that is not the same twice is run by each', async (t) => {
  const runs = fakeRuns(null)
  const { url, asked } = await startTestServer(t, { queries: runs })
  const responses = [post(`${url}/api/query`, QUERY), post(`${url}/api/query`, QUERY)]
  for (const index of [0, 1]) {
    const { begin, body } = await runs.at(index)
    await asked(2)
    begin()
    body.push(String(index))
    body.push(null)
  }
  t.same((await Promise.all(responses.map(textOf))).toSorted(), ['0', '1'])
})

t.test('the one who asked first may leave', async (t) => {
  const runs = fakeRuns()
  const { url, asked } = await startTestServer(t, { queries: runs })
  const leaving = new AbortController()
  const leader = fetch(`${url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: QUERY,
    signal: leaving.signal,
  })
  const run = await runs.at(0)
  const follower = post(`${url}/api/query`, QUERY)
  const [first] = await asked(2)
  leaving.abort()
  await t.rejects(leader)
  if (first?.aborted === false) await once(first, 'abort')
  t.notOk(run.signal.aborted)
  run.begin()
  run.body.push('rows')
  run.body.push(null)
  t.equal(await textOf(follower), 'rows')
  t.equal(runs.all.length, 1)
})

t.test('when all have left, the run is stopped', async (t) => {
  const runs = fakeRuns()
  const { url, asked } = await startTestServer(t, { queries: runs })
  for (const isBegun of [false, true]) {
    const leaving = new AbortController()
    const requests = Array.from({ length: 3 }, () =>
      fetch(`${url}/api/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"sql":"SELECT ${isBegun}"}`,
        signal: leaving.signal,
      }),
    )
    const run = await runs.at(isBegun ? 1 : 0)
    await asked(isBegun ? 6 : 3)
    if (isBegun) {
      run.begin()
      run.body.push('first rows')
      await Promise.any(requests)
    }
    leaving.abort()
    for (const request of requests) await request.then((answer) => answer.text()).catch(() => {})
    if (!run.signal.aborted) await once(run.signal, 'abort')
    t.match(run.signal.reason, { code: 'cancelled' })
    if (isBegun && !run.body.destroyed) await once(run.body, 'close')
  }
  const next = post(`${url}/api/query`, '{"sql":"SELECT true"}')
  const run = await runs.at(2)
  run.begin()
  run.body.push(null)
  t.equal(await textOf(next), '', 'and the next one begins anew')
})

t.test('a run that is lost is begun again by the next, an error of the query is told to all', async (t) => {
  const runs = fakeRuns()
  const { url, asked } = await startTestServer(t, { queries: runs })
  const responses = [post(`${url}/api/query`, QUERY)]
  await runs.at(0)
  for (let i = 0; i < 3; i++) responses.push(post(`${url}/api/query`, QUERY))
  await asked(4)
  ;(await runs.at(0)).fail(new ServiceError('worker_lost', 'the worker is gone'))
  ;(await runs.at(1)).fail(new ServiceError('invalid_sql', 'no such function'))
  const statuses = await Promise.all(responses.map(async (response) => (await response).status))
  t.same(statuses, [500, 400, 400, 400])
  t.equal(runs.all.length, 2)
})

t.test('a body that fails breaks the answer of the client that had some of it', async (t) => {
  const runs = fakeRuns()
  const { url, asked } = await startTestServer(t, { queries: runs })
  const leader = post(`${url}/api/query`, QUERY)
  const first = await runs.at(0)
  const follower = post(`${url}/api/query`, QUERY)
  await asked(2)
  first.begin()
  first.body.push('some ')
  const { status, body } = await leader
  t.equal(status, 200)
  first.body.destroy(new ServiceError('file_changed', 'changed'))
  await t.rejects(new Response(body).text())
  const second = await runs.at(1)
  second.begin()
  second.body.push('rows')
  second.body.push(null)
  t.equal(await textOf(follower), 'rows')
})

t.test('who came after the run began is given its answer only if no file has changed', async (t) => {
  const fingerprint = createFingerprint()
  const runs = fakeRuns(fingerprint)
  const { url, asked } = await startTestServer(t, { queries: runs })
  const responses = [post(`${url}/api/query`, QUERY)]
  const run = await runs.at(0)
  fingerprint.recordRealpath('/nowhere/at/all', '/nowhere/at/all')
  for (let i = 0; i < 3; i++) responses.push(post(`${url}/api/query`, QUERY))
  await asked(4)
  run.begin()
  run.body.push('old')
  run.body.push(null)
  const second = await runs.at(1)
  second.begin()
  second.body.push('new')
  second.body.push(null)
  t.same(await Promise.all(responses.map(textOf)), ['old', 'new', 'new', 'new'])
  t.equal(runs.all.length, 2, 'the second run began after all of them came')
})
