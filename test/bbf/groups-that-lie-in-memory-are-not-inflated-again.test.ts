import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { post } from '../http/test-server.ts'
import { CODES, writeBbf } from './writer.ts'

const FLOAT = CODES.indexOf('Float64')
const COLUMNS = 24
const ENTRIES = 250
const EACH = 500

/** Groups of 1 MB, of which a worker with 64 MiB has room for 16. */
function wideFile(): Buffer {
  return writeBbf({
    columns: Array.from({ length: COLUMNS }, (_, column) => ({ name: `c${column}`, code: FLOAT })),
    entries: Array.from({ length: ENTRIES }, (_, entry) => ({ name: `${entry}` })),
    array: (column, entry) => ({
      code: FLOAT,
      dimensions: [{ name: 'row', size: EACH }],
      length: EACH,
      values: new Uint8Array(
        Float64Array.from({ length: EACH }, (_, row) => (entry * EACH + row) * COLUMNS + column).buffer,
      ),
    }),
    groups: () => [ENTRIES],
    compression: () => 'zstd',
  })
}

t.test('of columns that exceed the memory of a worker the last ones are read first', async (t) => {
  const settings = { SERVICE_WORKER_MEMORY_MB: '64', SERVICE_CACHE_BYTES: '0' }
  const service = await startTestService(t, { workers: 1, settings })
  writeFileSync(join(service.datasets, 'wide.bbf'), wideFile())
  const body = { sql: "SELECT * FROM read_bbf('wide.bbf')" }
  const table = await service.rows(body)
  t.equal(table.numRows, ENTRIES * EACH)
  for (let column = 0; column < COLUMNS; column++) {
    let next = column
    for (const value of table.getChild(`c${column}`) ?? []) {
      if (value !== next) t.fail(`${value} in the place of ${next} of column ${column}`)
      next += COLUMNS
    }
  }
  const response = await post(`${service.url}/api/explain-analyze-query`, body)
  const [{ Plan }] = (await response.json()) as [{ Plan: { Extras: Record<string, number> } }]
  const { chunks_read = 0, chunks_found = 0 } = Plan.Extras
  // Grids are read before values, and both once for the first rows and once for all. Without an order none would lie in memory.
  t.ok(chunks_found >= chunks_read / 2, `${chunks_found} found, ${chunks_read} read`)
  const { rowsOf } = answersOf(service)
  t.same(await rowsOf({ sql: "SELECT c3, c1 FROM read_bbf('wide.bbf') WHERE c2 = 242 AND c0 > 0" }), [
    { c3: 243, c1: 241 },
  ])
})
