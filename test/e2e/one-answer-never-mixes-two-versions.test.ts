import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { numberedRows, writeParquetFile } from './parquet-file.ts'
import { startTestService } from './service.ts'

const ROWS = 60_000

t.test('a file that is replaced and rewritten while it is queried', async (t) => {
  const service = await startTestService(t, { workers: 2 })
  const path = join(service.datasets, 'a.parquet')
  const write = (version: number, inPlace: boolean): void => {
    const target = inPlace ? path : `${path}.new`
    writeParquetFile(target, numberedRows(ROWS, version * ROWS), 2000)
    if (!inPlace) renameSync(target, path)
  }
  write(0, false)
  let version = 0
  let whole = 0
  let refused = 0
  const until = Date.now() + 4000
  const writer = (async () => {
    while (Date.now() < until) {
      version++
      write(version, version % 2 === 0)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  })()
  const clients = Array.from({ length: 4 }, async () => {
    while (Date.now() < until) {
      const response = await service.query({ from: { parquet: { paths: ['a.parquet'] } }, select: ['id'] })
      const bytes = await response.arrayBuffer().catch(() => null)
      if (response.status !== 200 || bytes === null) {
        refused++
        continue
      }
      const ids = tableFromIPC(new Uint8Array(bytes)).getChild('id')?.toArray() as Int32Array
      const first = ids[0] ?? 0
      if (ids.length !== ROWS || first % ROWS !== 0 || ids.some((id, row) => id !== first + row)) {
        t.fail(`a mixture: ${ids.length} rows from ${first}`)
      }
      whole++
    }
  })
  await Promise.all([writer, ...clients])
  t.ok(whole > 0, `${whole} whole answers, ${refused} refused`)
})
