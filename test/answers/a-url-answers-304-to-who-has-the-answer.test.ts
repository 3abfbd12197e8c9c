import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { post, SUPER_USER, send, startTestServer } from '../http/test-server.ts'
import { answers, fakeRuns } from './fake-runs.ts'

const QUERY = { select: ['a b', 'ä+ö&c'], from: { csv: { paths: ['*.csv'] } } }
const ROWS = Buffer.from('some rows')
const pathOf = (query: object) => `/api/query?q=${encodeURIComponent(JSON.stringify(query))}`

t.test('a query is a URL', async (t) => {
  const received: unknown[] = []
  const runs = answers(ROWS, { contentType: 'text/csv', fileName: 'output.csv' })
  const { url } = await startTestServer(t, {
    queries: {
      run(query, caller, signal) {
        received.push(query.json)
        return runs.run(query, caller, signal)
      },
    },
  })
  const got = await fetch(url + pathOf(QUERY))
  t.equal(got.status, 200)
  t.equal(await got.text(), 'some rows')
  t.same(received, [QUERY])
  t.equal(got.headers.get('content-type'), 'text/csv')
  t.equal(got.headers.get('content-disposition'), 'attachment; filename="output.csv"')
  t.equal(got.headers.get('content-length'), String(ROWS.length))
  t.equal(got.headers.get('cache-control'), 'no-cache')
  t.match(got.headers.get('vary'), /authorization, accept-encoding/)
  t.match(got.headers.get('etag'), /^"[\w-]{22}"$/)
  t.ok(got.headers.get('x-service-query-id'))
  const form = `/api/query?q=${encodeURIComponent(JSON.stringify(QUERY)).replaceAll('%20', '+')}&other=1`
  t.equal(await (await fetch(url + form)).text(), 'some rows', 'a blank may be a plus')
  const posted = await post(`${url}/api/query`, QUERY)
  t.equal(posted.headers.get('etag'), got.headers.get('etag'), 'a POST tells the tag, too')
  t.equal(posted.headers.get('cache-control'), null)
})

t.test('a client that names the tag has the answer', async (t) => {
  const { url } = await startTestServer(t, { queries: answers(ROWS) })
  const tag = (await fetch(url + pathOf(QUERY))).headers.get('etag') ?? ''
  for (const header of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const { message, text } = await send(url + pathOf(QUERY), { headers: { 'if-none-match': header } })
    t.equal(message.statusCode, 304, header)
    t.equal(text, '')
    t.equal(message.headers.etag, tag)
    t.equal(message.headers['cache-control'], 'no-cache')
    t.match(message.headers.vary, /authorization/)
    t.equal(message.headers['content-type'], undefined)
  }
  for (const header of ['"other"', tag.slice(1, -1), '']) {
    const answer = await fetch(url + pathOf(QUERY), { headers: { 'if-none-match': header } })
    t.equal(answer.status, 200, header)
    t.equal(await answer.text(), 'some rows')
  }
  const posted = await post(`${url}/api/query`, QUERY, { 'if-none-match': tag })
  t.equal(posted.status, 200, 'never to a POST')
  t.equal(await posted.text(), 'some rows')
})

t.test('the tag depends on the bytes, the content type and the file name', async (t) => {
  const tags = new Set<string | null>()
  const other = { contentType: 'text/csv', fileName: 'output.csv' }
  for (const runs of [answers(ROWS), answers(Buffer.from('other rows')), answers(ROWS, other)]) {
    const { url } = await startTestServer(t, { queries: runs })
    tags.add((await fetch(url + pathOf(QUERY))).headers.get('etag'))
  }
  t.equal(tags.size, 3)
})

t.test('a GET waits for the end of a small answer, however slow it is', async (t) => {
  const runs = fakeRuns()
  const { url } = await startTestServer(t, { queries: runs })
  const got = fetch(url + pathOf(QUERY))
  const run = await runs.at(0)
  run.begin()
  run.body.push('some ')
  // Time itself: the rest comes later than the first bytes of an answer otherwise wait for.
  await setTimeout(100)
  run.body.push('rows')
  run.body.push(null)
  t.ok((await got).headers.get('etag'))
  t.equal(await (await got).text(), 'some rows')
})

t.test('HEAD tells the same without the body', async (t) => {
  const { url } = await startTestServer(t, { queries: answers(ROWS) })
  const get = await fetch(url + pathOf(QUERY))
  const head = await fetch(url + pathOf(QUERY), { method: 'HEAD' })
  t.equal(head.status, 200)
  t.equal(await head.text(), '')
  for (const name of ['etag', 'content-type', 'content-length', 'vary', 'cache-control'])
    t.equal(head.headers.get(name), get.headers.get(name), name)
})

t.test('HEAD of a long answer does not run it to its end', async (t) => {
  const runs = fakeRuns()
  const { url } = await startTestServer(t, { queries: runs })
  const head = fetch(url + pathOf(QUERY), { method: 'HEAD' })
  const run = await runs.at(0)
  run.begin()
  run.body.push(Buffer.alloc(2 << 20))
  t.equal((await head).status, 200)
  t.ok(run.signal.aborted || run.body.destroyed)
})

t.test('errors are those of POST', async (t) => {
  const { url } = await startTestServer(t, { env: { SERVICE_ENABLE_SQL: 'false' } })
  const cases = [
    ['/api/query', 400, /`q` is missing/],
    ['/api/query?q=1&q=2', 400, /given twice/],
    ['/api/query?q=', 400, /JSON/],
    ['/api/query?q=[]', 422, /a JSON object, .* not an array/],
    [pathOf({}), 400, /expected a query/],
    [pathOf({ sql: 'SELECT 1' }), 400, /SQL queries are not enabled/],
  ] as const
  for (const [path, status, text] of cases) {
    const answer = await fetch(url + path)
    t.equal(answer.status, status, path)
    t.match(await answer.text(), text)
    t.equal(answer.headers.get('etag'), null)
  }
})

t.test('the gate comes before the answer', async (t) => {
  const { url } = await startTestServer(t, { queries: answers(ROWS) })
  const alias = `${url}/admin${pathOf(QUERY)}`
  t.equal((await fetch(alias, { headers: SUPER_USER })).status, 200)
  t.equal((await fetch(alias)).status, 401)
  t.equal((await fetch(url + pathOf(QUERY), { headers: { authorization: 'Basic bad' } })).status, 401)
})

t.test('the origin stays among what the answer varies by', async (t) => {
  const env = { SERVICE_CORS_ALLOWED_ORIGINS: 'https://a.example' }
  const { url } = await startTestServer(t, { env, queries: answers(ROWS) })
  const answer = await fetch(url + pathOf(QUERY), { headers: { origin: 'https://a.example' } })
  t.match(answer.headers.get('vary'), /^origin, authorization, accept-encoding$/)
})

t.test('a client that leaves a GET stops its query', async (t) => {
  const runs = fakeRuns()
  const { url } = await startTestServer(t, { queries: runs })
  const client = request(url + pathOf(QUERY)).on('error', () => {})
  client.end()
  const run = await runs.at(0)
  client.destroy()
  await new Promise((resolve) => run.signal.addEventListener('abort', resolve))
  t.match(run.signal.reason, { code: 'cancelled' })
})
