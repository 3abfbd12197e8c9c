import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService, type TestService } from '../service.ts'

const ROWS = 60_000
const VERSIONS = 30

/** The first id of an answer, which must be one whole version of the file. Null: the query failed, or the answer broke off. */
async function versionOf(t: Tap, service: TestService): Promise<number | null> {
  const response = await service.query({ from: { parquet: { paths: ['a.parquet'] } }, select: ['id'] })
  const bytes = await response.arrayBuffer().catch(() => null)
  if (response.status !== 200 || bytes === null) return null
  const ids = tableFromIPC(new Uint8Array(bytes)).getChild('id')?.toArray() as Int32Array
  const first = ids[0] ?? 0
  if (ids.length !== ROWS || first % ROWS !== 0 || ids.some((id, row) => id !== first + row)) {
    t.fail(`a mixture: ${ids.length} rows from ${first}`)
  }
  return first / ROWS
}

type Tap = Pick<typeof t, 'fail'>

t.test('a file that is replaced and rewritten while it is queried', async (t) => {
  const service = await startTestService(t, { workers: 2 })
  const path = join(service.datasets, 'a.parquet')
  const write = (version: number): void => {
    const inPlace = version % 2 === 0
    writeParquetFile(inPlace ? path : `${path}.new`, numberedRows(ROWS, version * ROWS), 2000)
    if (!inPlace) renameSync(`${path}.new`, path)
  }
  write(1)
  let isWriting = true
  const clients = Array.from({ length: 4 }, async () => {
    while (isWriting) await versionOf(t, service)
  })
  for (let version = 2; version <= VERSIONS; version++) {
    // Time itself: each version of the file exists for the time of some queries.
    await setTimeout(50)
    write(version)
  }
  isWriting = false
  await Promise.all(clients)
  t.equal(await versionOf(t, service), VERSIONS, 'the last version is seen by the next query')
})
