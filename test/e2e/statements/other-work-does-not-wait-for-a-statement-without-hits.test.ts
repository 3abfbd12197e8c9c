import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { toldOn } from '../../support/told.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'
import { TASKS } from '../workers/told-tasks.ts'

const worker = new URL('../workers/worker-that-tells-its-tasks.ts', import.meta.url)

const FILES = 24

t.test('other work does not wait until a statement has found its rows', async (t) => {
  const told = toldOn(t, TASKS)
  const { datasets, rows } = await startTestService(t, { workers: 1, worker })
  const id = Int32Array.from({ length: 1_000_000 }, (_, row) => row)
  const scatter = Float64Array.from(id, (row) => (Math.imul(row, 0x9e3779b1) >>> 0) / 2 ** 32)
  writeParquetFile(join(datasets, '0.parquet'), tableFromArrays({ id, scatter }), 100_000)
  for (let file = 1; file < FILES; file++)
    linkSync(join(datasets, '0.parquet'), join(datasets, `${file}.parquet`))
  await rows({ sql: 'SELECT 1' })
  await told('sql_open')
  const order: string[] = []
  const [counted] = await Promise.all([
    rows({
      sql: `SELECT count(*) AS n, count(id) AS m, sum(abs(id) | 0) AS s FROM read_parquet('*.parquet') WHERE scatter = ${scatter[7]}`,
    }).finally(() => order.push('statement')),
    told('sql_open')
      .then(() => rows({ select: ['id'], from: { parquet: { paths: ['0.parquet'] } }, limit: 3 }))
      .finally(() => order.push('scan')),
  ])
  t.same(counted.get(0)?.toJSON(), { n: BigInt(FILES), m: BigInt(FILES), s: BigInt(7 * FILES) })
  t.same(order, ['scan', 'statement'])
})
