import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { generator } from '../../support/generate.ts'
import { tellOn, toldOn } from '../../support/told.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'
import { GATE, TASKS } from '../workers/told-tasks.ts'

const random = generator('noise')
const noise = (): number => random(2 ** 31) / 7

const worker = new URL('../workers/worker-with-faults.ts', import.meta.url)
const waitingWorker = new URL('../workers/worker-that-waits.ts', import.meta.url)

t.test('a worker that dies under a stream breaks the connection, and only that one', async (t) => {
  const told = toldOn(t, TASKS)
  const service = await startTestService(t, { workers: 1, worker: waitingWorker })
  const wait = Float64Array.from({ length: 1_000_000 }, noise)
  writeParquetFile(join(service.datasets, 'wait.parquet'), tableFromArrays({ wait }), 500_000)
  writeParquetFile(join(service.datasets, 'good.parquet'), numberedRows(1000), 1000)
  const response = await service.query({ from: { parquet: { paths: ['wait.parquet'] } }, select: ['wait'] })
  t.equal(response.status, 200, 'the first rows were sent')
  await told('waits')
  tellOn(GATE)('die')
  await t.rejects(response.arrayBuffer(), 'the body has no end')
  const good = await service.rows({ from: { parquet: { paths: ['good.parquet'] } }, select: ['id'] })
  t.equal(good.numRows, 1000, 'the next query is answered')
})

t.test('the same fault under a file output is an error answer', async (t) => {
  const service = await startTestService(t, { workers: 1, worker, textHoldMs: 60_000 })
  const die = Float64Array.from({ length: 3000 }, noise)
  writeParquetFile(join(service.datasets, 'die.parquet'), tableFromArrays({ die }), 1000)
  const body = { from: { parquet: { paths: ['die.parquet'] } }, select: ['die'] }
  for (const format of ['csv', 'json', 'ndjson', 'ipc']) {
    const response = await service.query({ ...body, output: { format } })
    t.ok(response.status >= 400, `${format}: ${response.status}`)
    t.type(await response.json(), 'string')
  }
})

t.test('a scan that hangs is given up when its client leaves after the first rows of a text', async (t) => {
  const told = toldOn(t, TASKS)
  const service = await startTestService(t, { workers: 1, worker })
  const hang = Float64Array.from({ length: 3000 }, noise)
  writeParquetFile(join(service.datasets, 'hang.parquet'), tableFromArrays({ hang }), 1000)
  writeParquetFile(join(service.datasets, 'good.parquet'), numberedRows(10), 10)
  const leaving = new AbortController()
  const response = await service.query(
    { from: { parquet: { paths: ['hang.parquet'] } }, select: ['hang'], output: { format: 'csv' } },
    { signal: leaving.signal },
  )
  await told('hang')
  const reader = response.body?.getReader()
  t.match(String(Buffer.from((await reader?.read())?.value ?? [])), /^hang\n/)
  leaving.abort()
  const good = await service.rows({ from: { parquet: { paths: ['good.parquet'] } }, select: ['id'] })
  t.equal(good.numRows, 10)
})

t.test('a scan that hangs is given up when its client leaves', async (t) => {
  const told = toldOn(t, TASKS)
  const service = await startTestService(t, { workers: 1, worker })
  const hang = Float64Array.from({ length: 3000 }, noise)
  writeParquetFile(join(service.datasets, 'hang.parquet'), tableFromArrays({ hang }), 1000)
  writeParquetFile(join(service.datasets, 'good.parquet'), numberedRows(10), 10)
  const from = { parquet: { paths: ['hang.parquet'] } }
  await service.rows({ from: { parquet: { paths: ['good.parquet'] } }, select: ['id'] })
  const leaving = new AbortController()
  const pending = service.query(
    { from, select: ['hang'], output: { format: 'csv' } },
    { signal: leaving.signal },
  )
  const rejected = t.rejects(pending)
  await told('hang')
  leaving.abort()
  await rejected
  t.equal(
    (await service.rows({ from: { parquet: { paths: ['good.parquet'] } }, select: ['id'] })).numRows,
    10,
  )
})
