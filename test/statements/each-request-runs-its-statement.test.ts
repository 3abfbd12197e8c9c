import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { emptyAnswer } from '../../src/main/statements/empty-answer.ts'
import { NO_LOOKUPS } from '../catalog/no-lookups.ts'
import { answering, post, QUERY_ID, SUPER_USER, startTestServer } from '../http/test-server.ts'

t.test('equal ones at the same time, and one that was run before', async (t) => {
  let runs = 0
  const all = Promise.withResolvers<void>()
  const statements = {
    async run() {
      if (++runs === 8) all.resolve()
      await all.promise
      return emptyAnswer(QUERY_ID, NO_LOOKUPS)
    },
  }
  const { url } = await startTestServer(t, { statements })
  const send = () => post(`${url}/api/query`, { sql: 'DROP TABLE IF EXISTS t' }, SUPER_USER)
  await Promise.all(Array.from({ length: 8 }, send))
  t.equal(runs, 8)
  await send()
  t.equal(runs, 9)
})

t.test('its answer has no tag, and without rows it is a stream with an empty schema', async (t) => {
  const statements = { run: async () => emptyAnswer(QUERY_ID, NO_LOOKUPS) }
  const { url } = await startTestServer(t, { statements })
  const answer = await post(`${url}/api/query`, { sql: 'DROP TABLE t' }, SUPER_USER)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('etag'), null)
  t.equal(answer.headers.get('content-type'), 'application/vnd.apache.arrow.stream')
  t.equal(answer.headers.get('x-service-query-id'), QUERY_ID)
  const table = tableFromIPC(new Uint8Array(await answer.arrayBuffer()))
  t.same([table.numCols, table.numRows], [0, 0])
})

t.test('words of statements elsewhere in a query make it none', async (t) => {
  let runs = 0
  const queries = {
    run: (...args: Parameters<ReturnType<typeof answering>['run']>) => {
      runs++
      return answering('rows').run(...args)
    },
  }
  const { url } = await startTestServer(t, {
    queries,
    statements: { run: () => Promise.reject(new Error()) },
  })
  for (const sql of [
    'SELECT "CREATE"',
    '(SELECT 1) -- DROP',
    '/* SHOW */ SELECT 1',
    "FROM t WHERE a = 'DROP'",
  ])
    t.equal((await post(`${url}/api/query`, { sql })).status, 200)
  t.equal(runs, 4)
})
