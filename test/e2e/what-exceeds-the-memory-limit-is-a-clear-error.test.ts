import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { numberedRows, writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'

t.test('a worker with little memory', async (t) => {
  const service = await startTestService(t, { workers: 1, settings: { SERVICE_WORKER_MEMORY_MB: '64' } })
  const from = (name: string) => ({ parquet: { paths: [name] } })
  writeParquetFile(join(service.datasets, 'small.parquet'), numberedRows(1000), 1000)

  t.test('reads a row group that is larger than its memory, piece by piece', async (t) => {
    const value = Float64Array.from({ length: 3_000_000 }, (_, row) => row)
    writeParquetFile(join(service.datasets, 'large.parquet'), tableFromArrays({ value }), 3_000_000)
    const select = Array.from({ length: 4 }, (_, i) => ({ column: 'value', alias: `value${i}` }))
    const table = await service.rows({ from: from('large.parquet'), select })
    t.equal(table.numRows, 3_000_000)
    t.equal(table.getChild('value3')?.get(2_999_999), 2_999_999)
  })

  t.test('refuses what cannot be cut, and stays', async (t) => {
    const text = ['x'.repeat(80 << 20)]
    writeParquetFile(join(service.datasets, 'text.parquet'), tableFromArrays({ text }), 1)
    const refused = await service.query({ from: from('text.parquet'), select: ['text'] })
    t.equal(refused.status, 400)
    t.match(await refused.json(), /memory|bytes/)
    const table = await service.rows({ from: from('small.parquet'), select: ['id'] })
    t.equal(table.numRows, 1000)
  })
})
