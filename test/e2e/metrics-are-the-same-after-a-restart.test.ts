import { join } from 'node:path'
import Database from 'better-sqlite3'
import { pino } from 'pino'
import t from 'tap'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/main/settings/config.ts'

const FILES = 'observations/*.parquet'

/** A comment that makes a request longer than metrics keep. */
const COMMENT = `/*${' 23.2'.repeat(20_000)} */`

const BODIES = [
  `{"select":["time","temperature"],"from":{"parquet":{"paths":["${FILES}"]}},"limit":18446744073709551615}`,
  `{"select":["time","temperature"],"from":{"parquet":{"paths":["${FILES}"]}},"filters":[{"column":"temperature","min":1.5}]}`,
  `{"select":["time","temperature"],"from":{"parquet":{"paths":["${FILES}"]}},"filters":[{"column":"temperature","min":2.5}]}`,
  `{"select":["time","temperature"],"from":{"parquet":{"paths":["${FILES}"]}},"filters":[{"column":"temperature","min":3.5}]}`,
  JSON.stringify({ sql: `EXPLAIN SELECT time FROM read_parquet('${FILES}') WHERE temperature > 3` }),
  JSON.stringify({ sql: `SELECT count(*) FROM read_parquet('${FILES}') ${COMMENT} WHERE temperature < 0` }),
]

t.test('metrics are JSON, and the same at once and after a restart', async (t) => {
  const { config } = readConfig({
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: '0',
    SERVICE_WORKERS: '2',
    SERVICE_SHUTDOWN_SECS: '0',
    SERVICE_DATA_DIR: join(t.testdir(), 'data'),
  })
  const parts = { isWarmedUp: false }
  const start = () => startService({ ...config, makesSample: true }, pino({ level: 'silent' }), parts)
  const first = await start()
  const ids: string[] = []
  for (const body of BODIES) {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${first.address}/api/query`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    t.equal(answer.status, 200)
    ids.push(answer.headers.get('x-service-query-id') ?? '')
  }
  const metrics = (address: string) =>
    Promise.all(ids.map((id) => fetch(`${address}/api/query/metrics/${id}`).then((answer) => answer.text())))
  const before = await metrics(first.address)
  await first.close()
  const second = await start()
  t.same(await metrics(second.address), before)

  const catalog = new Database(join(config.tablesDir, 'metrics.db'))
  catalog.exec('ALTER TABLE query_metrics RENAME TO lost')
  catalog.close()
  const lost = await fetch(`${second.address}/api/query/metrics/${ids[0]}`)
  t.equal(lost.status, 500)
  t.equal(await lost.json(), 'Internal error; the log of the service has the details.')
  await second.close()

  const parsed = before.map((body) => JSON.parse(body))
  t.match(before[0], '"limit":18446744073709551615')
  for (const [n, { query_id, node_metrics, file_paths }] of parsed.entries()) {
    t.equal(query_id, ids[n])
    t.equal(node_metrics.metrics.files, file_paths.length)
  }
  t.same(
    parsed.slice(1, 4).map(({ query }) => query.filters[0].min),
    [1.5, 2.5, 3.5],
  )
  const [cut] = parsed.slice(-1)
  t.match(cut.query, { sql: /^SELECT count.*…$/s, output: null })
  t.ok((before.at(-1) ?? '').length < 4 * 65_536)
})
