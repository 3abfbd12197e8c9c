import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RecordBatchReader, tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'

const ROWS = 2_000_000
const HIT = 7

t.test('a hit in the first row group leaves before the file is read through', async (t) => {
  const { datasets, query, rows } = await startTestService(t, { workers: 1 })
  const id = Int32Array.from({ length: ROWS }, (_, row) => row)
  const scatter = Float64Array.from(id, (row) => (Math.imul(row, 0x9e3779b1) >>> 0) / 2 ** 32)
  const path = join(datasets, 'whole.parquet')
  writeParquetFile(path, tableFromArrays({ id, scatter }), 10_000)
  // Reading the file to its end fails: the bytes of its last rows are damaged, but not its footer.
  const bytes = readFileSync(path)
  const footer = bytes.readUInt32LE(bytes.length - 8) + 8
  bytes.fill(0xff, Math.floor(0.9 * bytes.length), bytes.length - footer)
  writeFileSync(join(datasets, 'broken.parquet'), bytes)

  // Statistics do not tell where the row is.
  const where = `WHERE scatter BETWEEN ${scatter[HIT]} AND ${scatter[HIT]}`
  const response = await query({
    sql: `SELECT id, now() AS time FROM read_parquet('broken.parquet') ${where}`,
  })
  t.equal(response.status, 200, response.ok ? 'rows came' : await response.clone().text())
  const received: Uint8Array[] = []
  await t.rejects(async () => {
    for await (const chunk of response.body ?? []) received.push(chunk)
  })
  const [batch] = RecordBatchReader.from(Buffer.concat(received))
  t.same(
    batch?.toArray().map((row) => row.toJSON().id),
    [HIT],
  )

  const wide = await rows({
    sql: `SELECT id, now() AS time FROM read_parquet('whole.parquet') WHERE scatter < 0.5 AND (id < 20000 OR id % 400000 < 3)`,
  })
  const ids = Array.from(wide.getChild('id') ?? [], Number)
  t.same(
    ids,
    Array.from(id).filter((row) => (scatter[row] ?? 1) < 0.5 && (row < 20_000 || row % 400_000 < 3)),
  )
  t.equal(new Set(Array.from(wide.getChild('time') ?? [], Number)).size, 1, 'in parts, at one time')
})
