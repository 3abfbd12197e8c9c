import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

/** Sends a query and reads only the head of its answer. */
async function openWithoutReading(url: string, body: object) {
  const client = request(`${url}/api/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  client.end(JSON.stringify(body))
  const [response] = await once(client, 'response')
  response.pause()
  return client
}

for (const output of [null, { format: 'csv' }, { format: 'json' }])
  t.test(
    `ten times as many stalled clients as workers leave the workers free: ${output?.format ?? 'Arrow'}`,
    async (t) => {
      const service = await startTestService(t, { workers: 2 })
      writeParquetFile(join(service.datasets, 'large.parquet'), numberedRows(400_000), 50_000)
      const from = { parquet: { paths: ['large.parquet'] } }
      const large = {
        from,
        select: Array.from({ length: 8 }, (_, i) => ({ column: 'noise', alias: `noise${i}` })),
        output,
      }
      const stalled = await Promise.all(
        Array.from({ length: 20 }, () => openWithoutReading(service.url, large)),
      )
      const answer = await service.rows({ from, select: ['id'], filters: [{ column: 'id', eq: 399_999 }] })
      t.equal(answer.numRows, 1)
      for (const client of stalled) client.destroy()
      t.equal((await service.rows({ from, select: ['id'], limit: 3 })).numRows, 3, 'and when they have left')
    },
  )
