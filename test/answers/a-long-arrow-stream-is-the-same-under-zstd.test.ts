import { request } from 'node:http'
import { zstdDecompressSync } from 'node:zlib'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { startAskedService } from './asking.ts'

t.test('a stream under zstd has the same bytes', async (t) => {
  const service = await startAskedService(t)
  writeParquetFile(service.at('a.parquet'), numberedRows(200_000), 50_000)
  const query = { from: { parquet: { paths: ['a.parquet'] } }, select: ['id', 'noise', 'name'] }
  const plain = Buffer.from(await (await service.post(query)).arrayBuffer())
  const { coding, bytes } = await new Promise<{ coding: unknown; bytes: Buffer }>((resolve, reject) => {
    const asked = request(`${service.url}/api/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'zstd' },
    })
    asked.on('error', reject)
    asked.on('response', (message) => {
      message
        .toArray()
        .then((chunks) =>
          resolve({ coding: message.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
        )
        .catch(reject)
    })
    asked.end(JSON.stringify(query))
  })
  t.equal(coding, 'zstd')
  t.ok(plain.length > 2 << 20)
  t.ok(bytes.length < plain.length)
  t.ok(zstdDecompressSync(bytes).equals(plain))
})
