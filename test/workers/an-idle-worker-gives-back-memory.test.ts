import { join } from 'node:path'
import t, { type Test } from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import type { Answer, TrimmedAnswer } from '../../src/plan/task/task.ts'
import { createWorker } from '../../src/workers/create-worker.ts'
import { PROVIDERS } from '../../src/workers/formats/providers.ts'
import { tableOf } from '../../src/workers/rows/typed-table.ts'
import { perform } from '../../src/workers/tasks/perform.ts'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { fileRef } from '../formats/source.ts'
import { untilSettled } from '../support/settled.ts'
import { oneWorker } from './one-worker.ts'

const MIB = 1 << 20
const ROWS = 600_000

const LIMITS = {
  coreBytes: 256 * MIB,
  sqlBytes: 0,
  columnBytes: 0,
  maxChunkBytes: MIB,
  product: { name: 'service', version: '0' },
}

function emptyWorker() {
  return createWorker(LIMITS, { formats: FORMATS, providers: PROVIDERS })
}

async function trim(worker: ReturnType<typeof emptyWorker>): Promise<TrimmedAnswer> {
  const answer: Answer = await perform({ kind: 'trim' }, worker)
  if (answer.kind !== 'trimmed') throw new TypeError(`an answer of the kind ${answer.kind}`)
  return answer
}

/** A column of so many bytes in the core of a worker. */
function columnOf({ state: { core } }: ReturnType<typeof emptyWorker>, bytes: number) {
  return core.assemble({
    layout: 'fixed',
    parameter: 8,
    rows: bytes / 8,
    buffers: [null, new Uint8Array(bytes)],
  })
}

t.test('a core that has grown for one query makes room for a new one', async (t) => {
  const worker = emptyWorker()
  const before = worker.state.core.memoryBytes()
  const { core } = worker.state
  core.free(columnOf(worker, 128 * MIB))
  t.ok(core.memoryBytes() > before + 32 * MIB)
  const { coreBytes } = await trim(worker)
  // It grows ahead by a step.
  t.ok(coreBytes < before + 16 * MIB)
  t.not(worker.state.core, core)
})

t.test('a unit that waits to be resumed stays', async (t) => {
  const worker = emptyWorker()
  const { core, units } = worker.state
  const cancel = new SharedArrayBuffer(4)
  units.keep('a', tableOf([columnOf(worker, MIB)], MIB / 8), cancel)
  await trim(worker)
  t.equal(worker.state.core, core)
  t.ok(units.take('a'))
})

async function settledFile(t: Test) {
  const location = join(t.testdir({}), 'a.parquet')
  writeParquetFile(location, numberedRows(ROWS), ROWS)
  await untilSettled(location)
  return fileRef(location)
}

t.test('the same rows are read again afterwards, whether columns were kept or not', async (t) => {
  const file = await settledFile(t)
  // The memory of this core is 64 MiB: few kept columns are dropped with it, many are not.
  for (const names of [['name'], ['id', 'noise', 'name']]) {
    const worker = oneWorker(32 * MIB)
    const read = () => worker.read(file, names)
    read()
    const { bytes, metrics } = read()
    t.equal(metrics.columnHits + metrics.columnMisses, names.length)
    const kept = worker.state.columns?.bytes ?? 0
    const isRenewed = kept <= worker.state.core.memoryBytes() / 8
    await worker.trim()
    t.equal(isRenewed, names.length === 1)
    t.equal(worker.state.columns?.bytes, isRenewed ? 0 : kept)
    t.equal(read().bytes, bytes)
  }
})
