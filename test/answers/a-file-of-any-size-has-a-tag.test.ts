import t from 'tap'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { idOf, startAskedService } from './asking.ts'

const QUERY = {
  from: { parquet: { paths: ['*.parquet'] } },
  select: ['id', 'noise', 'name'],
  output: { format: 'arrow' },
}

const service = await startAskedService(t, { settings: { SERVICE_IPC_COMPRESSION: 'none' } })
writeParquetFile(service.at('a.parquet'), numberedRows(100_000), 50_000)
await service.settle()

const metricsOf = (response: Response) => fetch(`${service.url}/api/query/metrics/${idOf(response)}`)

t.test('who names it has the file, and no row is read', async (t) => {
  const made = await service.get(QUERY)
  const bytes = await made.arrayBuffer()
  t.ok(bytes.byteLength > 1 << 20, 'larger than any answer that is kept')
  t.equal(made.headers.get('content-length'), String(bytes.byteLength))
  const tag = made.headers.get('etag') ?? ''
  t.match(tag, /^"[\w-]{22}"$/)
  t.equal((await metricsOf(made)).status, 200)

  for (const header of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const same = await service.get(QUERY, { 'if-none-match': header })
    t.equal(same.status, 304, header)
    t.equal(same.headers.get('etag'), tag)
    t.equal((await same.arrayBuffer()).byteLength, 0)
    t.equal((await metricsOf(same)).status, 404, 'it has cost nothing')
  }
  const posted = await service.post(QUERY, { 'if-none-match': tag })
  t.equal(posted.status, 200, 'never to a POST')
  t.equal(posted.headers.get('etag'), tag)
  await posted.arrayBuffer()
})

t.test('each coding has a tag of its own', async (t) => {
  const accepting = { 'accept-encoding': 'zstd' }
  const made = await service.get(QUERY, accepting)
  await made.arrayBuffer()
  const tag = made.headers.get('etag') ?? ''
  t.match(tag, /^"[\w-]{22}-zstd"$/)
  t.equal((await service.get(QUERY, { ...accepting, 'if-none-match': tag })).status, 304)
  const other = await service.get(QUERY, { 'accept-encoding': 'identity', 'if-none-match': tag })
  t.equal(other.status, 200)
  await other.arrayBuffer()
})

t.test('clients that ask at once have what they asked for', async (t) => {
  const tag = (await service.get(QUERY)).headers.get('etag') ?? ''
  const small = { ...QUERY, limit: 10 }
  const known = (await service.get(small)).headers.get('etag') ?? ''
  const statuses = await Promise.all([
    service.get(QUERY, { 'if-none-match': tag }),
    service.get(QUERY),
    service.get(QUERY, { 'if-none-match': '"other"' }),
    service.get(small, { 'if-none-match': known }),
    service.get(small),
  ])
  t.same(
    statuses.map(({ status }) => status),
    [304, 200, 200, 304, 200],
  )
  for (const response of statuses.filter(({ status }) => status === 200))
    t.ok((await response.arrayBuffer()).byteLength > 0)
})

t.test('another version of a file gives another tag', async (t) => {
  const tag = (await service.get(QUERY)).headers.get('etag') ?? ''
  writeParquetFile(service.at('a.parquet'), numberedRows(90_000), 50_000)
  await service.settle()
  const changed = await service.get(QUERY, { 'if-none-match': tag })
  t.equal(changed.status, 200)
  t.not(changed.headers.get('etag'), tag)
  await changed.arrayBuffer()
})
