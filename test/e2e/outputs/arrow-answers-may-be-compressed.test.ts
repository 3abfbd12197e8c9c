import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import * as arrow from 'apache-arrow'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, {
  encode: (bytes: Uint8Array) => zstdCompressSync(bytes),
  decode: (bytes: Uint8Array) => zstdDecompressSync(bytes),
})

const from = { parquet: { paths: ['a.parquet'] } }
const QUERIES = [
  { from, select: ['id', 'noise', 'name'] },
  { from, select: ['id', 'noise', 'name'], output: { format: 'ipc' } },
  { from, select: ['id', 'name'], sort_by: [{ Desc: 'noise' }], limit: 20_000 },
  { sql: "SELECT name, median(id) AS m FROM read_parquet(['a.parquet']) GROUP BY name ORDER BY name" },
  { from, select: ['id'], filters: [{ column: 'id', min: -2, max: -1 }] },
]

t.test('streams and files hold the same rows, and take fewer bytes', async (t) => {
  const answers: { bytes: number; rows: string }[][] = []
  for (const compression of ['none', 'zstd']) {
    const settings = { SERVICE_IPC_COMPRESSION: compression }
    await t.test(compression, async (t) => {
      const service = await startTestService(t, { workers: 2, settings })
      writeParquetFile(join(service.datasets, 'a.parquet'), numberedRows(30_000), 5000)
      const found: { bytes: number; rows: string }[] = []
      for (const query of QUERIES) {
        const response = await service.query(query)
        t.equal(response.status, 200)
        const bytes = new Uint8Array(await response.arrayBuffer())
        found.push({ bytes: bytes.length, rows: arrow.tableFromIPC(bytes).toString() })
      }
      answers.push(found)
    })
  }
  const [plain = [], packed = []] = answers
  t.equal(packed.length, QUERIES.length)
  t.strictSame(
    packed.map(({ rows }) => rows),
    plain.map(({ rows }) => rows),
  )
  t.ok((packed[0]?.bytes ?? 0) < 0.8 * (plain[0]?.bytes ?? 0))
})
