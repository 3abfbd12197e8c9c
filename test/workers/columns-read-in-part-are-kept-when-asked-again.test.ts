import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as arrow from 'apache-arrow'
import { Compression, EnabledStatistics, Table, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm'
import t from 'tap'
import { negation } from '../../src/plan/condition/combine.ts'
import { between, type Condition, compare } from '../../src/plan/condition/condition.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { fileRef } from '../formats/source.ts'
import { untilSettled } from '../support/settled.ts'
import { oneWorker } from './one-worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'in-part-'))
t.teardown(() => rmSync(folder, { recursive: true }))

/** A file of 60 000 rows that is settled, so that its columns may be cached. `id` ascends, `noise` does not compress. */
async function write(name: string, pageBytes: number): Promise<FileRef> {
  const rows = Array.from({ length: 60_000 }, (_, row) => row)
  let state = 1
  const noise = (): number => {
    state = Math.imul(state, 48_271) >>> 0
    return state / 7
  }
  const table = new arrow.Table({
    id: arrow.vectorFromArray(rows, new arrow.Float64()),
    noise: arrow.vectorFromArray(rows.map(noise), new arrow.Float64()),
  })
  const properties = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setDictionaryEnabled(false)
    .setDataPageSizeLimit(pageBytes)
    .setStatisticsEnabled(EnabledStatistics.Page)
    .build()
  const location = join(folder, name)
  writeFileSync(location, writeParquet(Table.fromIPCStream(arrow.tableToIPC(table, 'stream')), properties))
  await untilSettled(location)
  return fileRef(location)
}

const ID = columnExpression('id', { kind: 'float', bits: 64 })
const equals = (value: number): Condition => compare(ID, 'eq', { kind: 'float', value })

t.test('of a few pages the others are read too when they are asked for again', async (t) => {
  const file = await write('few-pages.parquet', 64 << 20)
  const worker = oneWorker(32 << 20)
  const ask = () => worker.read(file, ['id', 'noise'], { filter: equals(1000) })
  const first = ask()
  t.match(first.metrics, { columnHits: 0, columnMisses: 2 })
  t.match(ask().metrics, { columnHits: 1, columnMisses: 1 }, 'of the other column one page was enough')
  const third = ask()
  t.match(third.metrics, { columnHits: 2, columnMisses: 0, bytesRead: 0 })
  t.equal(third.bytes, first.bytes)
  t.equal(oneWorker(0).read(file, ['id', 'noise'], { filter: equals(1000) }).bytes, first.bytes)
})

t.test('of many pages a few are read however often', async (t) => {
  const file = await write('many-pages.parquet', 16 << 10)
  const worker = oneWorker(32 << 20)
  const ask = (filter: Condition) => worker.read(file, ['id', 'noise'], { filter })
  const first = ask(equals(30_000))
  t.ok(first.metrics.pagesSkipped > 20)
  t.ok(first.metrics.bytesRead < 200_000)
  for (let again = 0; again < 3; again++) {
    const { bytes, metrics } = ask(equals(30_000))
    t.equal(bytes, first.bytes)
    t.ok(metrics.bytesRead > 0 && metrics.bytesRead < 40_000, `${metrics.bytesRead} bytes`)
  }
  const most = negation(between(ID, { kind: 'float', value: 0 }, { kind: 'float', value: 20_000 }))
  const all = ask(most)
  ask(most)
  t.match(
    ask(most).metrics,
    { columnHits: 2, bytesRead: 0, pagesSkipped: 0 },
    'most of them are kept, all of them',
  )
  t.equal(ask(most).bytes, all.bytes)
  t.equal(ask(equals(30_000)).bytes, first.bytes)
})
