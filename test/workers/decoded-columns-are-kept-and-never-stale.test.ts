import { renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compare } from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { openFileStore } from '../../src/workers/store/file-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { PARQUET } from '../formats/product.ts'
import { fileRef } from '../formats/source.ts'
import { untilSettled } from '../support/settled.ts'
import { oneWorker } from './one-worker.ts'

const ROWS = 4000
const ALL = ['id', 'noise', 'name']
const MIB = 1 << 20

/** A file of ten row groups that is settled, so that its columns may be cached. */
async function settledFile(t: Test, first = 0): Promise<FileRef> {
  const location = join(t.testdir({}), 'a.parquet')
  writeParquetFile(location, numberedRows(ROWS * 10, first), ROWS)
  await untilSettled(location)
  return fileRef(location)
}

t.test('columns of a unit are decoded once, and give the same rows', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(16 * MIB)
  const first = worker.read(file, ALL)
  const again = worker.read(file, ALL)
  const uncached = oneWorker(0).read(file, ALL)
  t.equal(again.bytes, first.bytes)
  t.equal(uncached.bytes, first.bytes)
  t.equal(first.metrics.columnMisses, 3)
  t.match(again.metrics, { columnHits: 3, columnMisses: 0, bytesRead: 0 })
  t.equal(again.metrics.columnBytes, worker.state.columns?.bytes)
  t.match(uncached.metrics, { columnHits: 0, columnMisses: 0, columnBytes: null })

  const id = columnExpression('id', { kind: 'int', bits: 32, signed: true })
  const filter = compare(id, 'lt', { kind: 'int', value: 100n })
  const filtered = worker.read(file, ['name', 'id', 'name'], { filter })
  t.equal(filtered.bytes, oneWorker(0).read(file, ['name', 'id', 'name'], { filter }).bytes)
  t.match(filtered.metrics, { columnHits: 2, columnMisses: 0, bytesRead: 0 })
  t.equal(worker.read(file, ALL).bytes, first.bytes, 'the kept columns are as they were')
})

t.test('a column is kept for its row group, and in its type', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(16 * MIB)
  worker.read(file, ['id'])
  const other = worker.read(file, ['id'], { segment: 1 })
  t.equal(other.bytes, oneWorker(0).read(file, ['id'], { segment: 1 }).bytes)
  const widened = { id: { kind: 'float', bits: 64 } } as const
  const wide = worker.read(file, ['id'], { widened })
  t.equal(wide.metrics.columnHits, 0)
  t.equal(wide.bytes, oneWorker(0).read(file, ['id'], { widened }).bytes)
  t.equal(worker.read(file, ['id'], { widened }).bytes, wide.bytes)
})

t.test('a query that bypasses caches neither reads nor fills them', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(16 * MIB)
  const kept = worker.read(file, ['id'])
  const bypassing = worker.read(file, ['id', 'noise'], { caching: false })
  t.match(bypassing.metrics, { columnHits: 0, columnMisses: 0 })
  t.ok(bypassing.metrics.bytesRead > kept.metrics.bytesRead, 'the footer, too')
  t.equal(worker.read(file, ['noise']).metrics.columnMisses, 1)
})

t.test('a file that has changed is an error although its columns are kept', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(16 * MIB)
  worker.read(file, ALL)
  const { location } = file

  await t.test('rewritten in place', async (t) => {
    writeParquetFile(location, numberedRows(ROWS * 10, 7), ROWS)
    t.throws(() => worker.read(file, ALL), { code: 'file_changed' })
    const now = fileRef(location)
    t.equal(worker.read(now, ALL).bytes, oneWorker(0).read(now, ALL).bytes)
  })
  await t.test('replaced', async (t) => {
    const old = fileRef(location)
    worker.read(old, ALL)
    writeParquetFile(`${location}.new`, numberedRows(ROWS * 10, 9), ROWS)
    renameSync(`${location}.new`, location)
    t.throws(() => worker.read(old, ALL), { code: 'file_changed' })
    const now = fileRef(location)
    t.equal(worker.read(now, ALL).bytes, oneWorker(0).read(now, ALL).bytes)
  })
  await t.test('with its old time restored', async (t) => {
    await untilSettled(location)
    const old = fileRef(location)
    worker.read(old, ALL)
    const seconds = Number(old.version.mtimeNs) / 1e9
    writeParquetFile(location, numberedRows(ROWS * 10, 11), ROWS)
    utimesSync(location, seconds, seconds)
    t.throws(() => worker.read(old, ALL), { code: 'file_changed' })
  })
  await t.test('removed, and something else in its place', async (t) => {
    const old = fileRef(location)
    renameSync(location, `${location}.gone`)
    t.throws(() => worker.read(old, ALL), { code: 'file_changed' })
    writeFileSync(location, 'no rows')
    t.throws(() => worker.read(old, ALL), { code: 'file_changed' })
  })
})

t.test('a version that is not settled is not kept', async (t) => {
  const file = await settledFile(t)
  const worker = oneWorker(16 * MIB)
  const ctimeNs = BigInt(Date.now() + 60_000) * 1_000_000n
  const young = { ...file, version: { ...file.version, ctimeNs } }
  const columns = worker.state.columns?.of(
    PARQUET,
    openFileStore(young, createStopwatch()),
    { kind: 'rows', file: 0, segment: 0, from: 0, to: 1, decodedBytes: 4 },
    { count() {} } as never,
  )
  const column = worker.state.core.constant({ kind: 'bool' }, null, 1)
  columns?.offer({ name: 'a', type: { kind: 'bool' } }, column, [])
  columns?.keep()
  t.equal(worker.state.columns?.bytes, 0)
})
