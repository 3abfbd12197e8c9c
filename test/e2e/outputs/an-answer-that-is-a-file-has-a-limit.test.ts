import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../../support/until.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const MIB = 1 << 20

async function start(t: Test, settings: Record<string, string>) {
  const service = await startTestService(t, { settings })
  writeParquetFile(join(service.datasets, 'rows.parquet'), numberedRows(100_000), 50_000)
  const rows = {
    from: { parquet: { paths: ['rows.parquet'] } },
    select: Array.from({ length: 12 }, (_, i) => ({ column: 'noise', alias: `noise${i}` })),
  }
  return { ...service, rows, file: { ...rows, output: { format: 'ipc' } } }
}

t.test('beyond it the query fails and says what to do, while a stream and text have none', async (t) => {
  const { query, rows, file } = await start(t, { SERVICE_MAX_OUTPUT_BYTES: String(MIB) })
  const refused = await query(file)
  t.equal(refused.status, 400)
  t.match(await refused.json(), /more than 1048576 bytes.*SERVICE_MAX_OUTPUT_BYTES/)
  const sql = "SELECT count(*) OVER () AS n, noise AS a, noise AS b FROM read_parquet('rows.parquet')"
  const statement = await query({ sql, output: { format: 'ipc' } })
  t.equal(statement.status, 400)
  t.match(await statement.json(), /SERVICE_MAX_OUTPUT_BYTES/, 'a statement of DuckDB')
  for (const output of [null, { format: 'csv' }, { format: 'json' }, { format: 'ndjson' }]) {
    const answer = await query({ ...rows, output })
    t.equal(answer.status, 200)
    t.ok((await answer.arrayBuffer()).byteLength > 8 * MIB)
  }
  t.equal((await query({ ...file, limit: 10 })).status, 200)
})

t.test('files of others may leave no room, until they are gone', async (t) => {
  const { url, query, rows, file } = await start(t, { SERVICE_MAX_TEMP_BYTES: String(15 * MIB) })
  const client = request(`${url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  client.on('error', () => {})
  client.end(JSON.stringify(file))
  const [response] = await once(client, 'response')
  response.pause()
  const refused = await query({ ...file, limit: 99_999 })
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '10')
  t.match(await refused.json(), /SERVICE_MAX_TEMP_BYTES/)
  const text = await query({ ...rows, output: { format: 'csv' } })
  t.equal(text.status, 200, 'text needs none')
  t.equal((await text.text()).split('\n').length, 100_002)
  client.destroy()
  // The file is closed when the service has noticed that the client has left.
  const again = await until('there is room', async () => {
    const answer = await query({ ...file, limit: 99_999 })
    if (answer.status === 503) await answer.text()
    return answer.status !== 503 && answer
  })
  t.equal(again.status, 200)
  await again.arrayBuffer()
})

t.test('files leave room for the catalog on their volume', async (t) => {
  const { query, rows, file } = await start(t, { SERVICE_MIN_FREE_BYTES: String(2 ** 46) })
  const refused = await query({ ...file, limit: 1 })
  t.equal(refused.status, 400)
  t.match(await refused.json(), /SERVICE_MIN_FREE_BYTES/)
  t.equal((await query({ ...rows, limit: 1 })).status, 200)
})
