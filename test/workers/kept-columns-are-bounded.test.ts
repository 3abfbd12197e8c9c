import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ServiceError } from '../../src/plan/errors.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { fileRef } from '../formats/source.ts'
import { untilSettled } from '../support/settled.ts'
import { oneWorker } from './one-worker.ts'

const NETCDF = FORMATS.withOptions(FORMATS.row('netcdf'))
const ROWS = 4000
const GROUPS = 20
/** The bytes of the column `noise` in one row group. */
const BYTES = ROWS * 8

async function settledFile(t: Test): Promise<FileRef> {
  const location = join(t.testdir({}), 'a.parquet')
  writeParquetFile(location, numberedRows(ROWS * GROUPS), ROWS)
  await untilSettled(location)
  return fileRef(location)
}

t.test('never more than the cache may hold, and none of what is too large for it', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(BYTES * 5.5)
  for (let round = 0; round < 4; round++) {
    for (let segment = 0; segment < GROUPS; segment++) {
      const { metrics } = worker.read(file, ['noise', 'id'], { segment: (segment * 7) % GROUPS })
      t.ok((metrics.columnBytes ?? Number.NaN) <= BYTES * 5.5)
    }
  }
  t.equal(worker.state.core.usedBytes(), worker.state.columns?.bytes, 'nothing else is left')

  const small = oneWorker(BYTES * 2)
  small.read(file, ['noise'])
  t.equal(small.state.columns?.bytes, 0)
})

t.test('a single scan does not evict what is asked for repeatedly', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(BYTES * 5)
  for (let time = 0; time < 3; time++) worker.read(file, ['noise'])
  for (let segment = 1; segment < GROUPS; segment++) worker.read(file, ['noise'], { segment })
  for (let segment = 1; segment < GROUPS; segment++) worker.read(file, ['noise'], { segment })
  t.equal(worker.read(file, ['noise']).metrics.columnHits, 1)
})

t.test('what is asked for more often than what is kept takes its place', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(BYTES * 5)
  for (let segment = 0; segment < 5; segment++) worker.read(file, ['noise'], { segment })
  worker.read(file, ['noise'], { segment: 10 })
  t.equal(worker.read(file, ['noise'], { segment: 10 }).metrics.columnEvictions, 1)
  t.equal(worker.read(file, ['noise'], { segment: 10 }).metrics.columnHits, 1)
})

t.test('of a file that has changed nothing is kept, however often it was asked for', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(BYTES * 5)
  for (let time = 0; time < 9; time++)
    for (let segment = 0; segment < 5; segment++) worker.read(file, ['noise'], { segment })
  const { atime, mtime } = statSync(file.location)
  utimesSync(file.location, atime, mtime)
  await untilSettled(file.location)
  const changed = fileRef(file.location)
  t.equal(worker.read(changed, ['noise']).metrics.columnEvictions, 5)
  t.equal(worker.read(changed, ['noise']).metrics.columnHits, 1)
})

t.test('cached columns are evicted when the core needs their memory', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(BYTES * 100)
  for (let segment = 0; segment < GROUPS; segment++) worker.read(file, ['noise'], { segment })
  const half = worker.state.core.usedBytes()
  t.ok(half > 0)
  // The core has 64 MiB, and this unit may need all of the half that is not for cached columns.
  const { metrics } = worker.read(file, ['noise'], { decodedBytes: 16 << 20 })
  t.equal(metrics.columnEvictions, GROUPS)
  t.equal(metrics.columnHits, 0)
})

t.test(
  'they are evicted for the values of coordinates too, which are read when a file is inspected',
  async (t) => {
    const worker = oneWorker(BYTES * 100)
    worker.read(await settledFile(t), ['noise'])
    t.ok(worker.state.columns?.bytes)
    const { core } = worker.state
    const { boxColumn } = core
    let isFull = true
    Object.assign(core, {
      boxColumn(...args: Parameters<typeof boxColumn>) {
        if (isFull && worker.state.columns?.bytes) throw new ServiceError('memory_limit', 'the core is full')
        isFull = false
        return boxColumn(...args)
      },
    })
    const grid = fileRef(join(import.meta.dirname, '..', 'fixtures', 'netcdf', 'grid-cdf1.nc'))
    const { summary, metrics } = worker.inspect(grid, NETCDF, ['lat'])
    t.notOk(isFull)
    t.equal(metrics.columnEvictions, 1)
    t.match(summary.segments, { kind: 'grid', axes: [{ column: 'lat' }] })
  },
)

t.test('the columns of a core that has trapped are gone', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(BYTES * 100)
  const { bytes } = worker.read(file, ['noise'])
  const { state } = worker
  const dead = state.core
  // Only an error in the core makes it trap, so the trap is simulated.
  Object.assign(dead, { isDead: () => true })
  t.not(state.core, dead)
  t.equal(state.columns?.bytes, 0)
  const again = worker.read(file, ['noise'])
  t.equal(again.metrics.columnMisses, 1)
  t.equal(again.bytes, bytes)
})
