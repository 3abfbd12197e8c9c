import * as arrow from 'apache-arrow'
import { readParquet } from 'parquet-wasm'
import t from 'tap'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { place } from '../../core/c-array.ts'
import { decode } from '../../core/decode.ts'
import { SAMPLES } from '../../core/samples.ts'
import { encodedFile, readBack } from './encoded-file.ts'

const core = createCore({ maximumBytes: 256 << 20 })

/** The samples of decimals have any bytes, which are more digits than their types have. */
const samples = SAMPLES.filter(({ type }) => type.kind !== 'decimal')

for (const { name, type, array, arrow: arrowType, rows } of samples) {
  t.test(name, async (t) => {
    const placed = place(array)
    const column = core.importArray(placed.memory, placed.array, placed.schema, type)
    const used = core.usedBytes()
    for (const runRows of [2, 5]) {
      const file = encodedFile(core, { fields: [field('c', type)], columns: [column], rows: 5 }, runRows)
      const { fields, batches } = readBack(core, file)
      t.equal(fields[0]?.type.kind, type.kind, 'the type')
      t.same(batches.length, Math.ceil(5 / runRows), 'row groups')
      t.same(decode([arrowType], ...batches)[0], rows, 'read here')
      const table = arrow.tableFromIPC(readParquet(file).intoIPCStream())
      t.equal(table.numRows, 5, 'read by parquet-wasm')
    }
    t.equal(core.usedBytes(), used, 'nothing is left in the core')
    core.free(column)
  })
}

t.test('all of them in one file', async (t) => {
  const columns = samples.map(({ array, type }) => {
    const { memory, array: address, schema } = place(array)
    return core.importArray(memory, address, schema, type)
  })
  const fields = samples.map(({ type }, i) => field(`c${i}`, type))
  const file = encodedFile(core, { fields, columns, rows: 5 }, 3)
  const { batches } = readBack(core, file)
  const types = samples.map((sample) => sample.arrow)
  t.same(
    decode(types, ...batches),
    samples.map(({ rows }) => rows),
  )
})

t.test('no rows', async (t) => {
  const fields = samples.map(({ type }, i) => field(`c${i}`, type))
  const file = encodedFile(core, { fields, columns: [], rows: 0 }, 3)
  const found = readBack(core, file)
  t.same(found.batches, [])
  t.same(
    found.fields.map(({ type }) => type.kind),
    fields.map(({ type }) => type.kind),
  )
  t.equal(arrow.tableFromIPC(readParquet(file).intoIPCStream()).numRows, 0, 'read by parquet-wasm')
})

t.test('a value that Parquet has no place for is named', async (t) => {
  const write = (format: string, type: DataType, values: ArrayBufferView): Uint8Array => {
    const { memory, array, schema } = place({ format, length: 2, buffers: [null, values] })
    const column = core.importArray(memory, array, schema, type)
    return encodedFile(core, { fields: [field('the column', type)], columns: [column], rows: 2 }, 2)
  }
  const seconds: DataType = { kind: 'timestamp', unit: 'second', zone: null }
  const milliseconds: DataType = { kind: 'date', unit: 'millisecond' }
  const months: DataType = { kind: 'interval', unit: 'year_month' }
  const message = /column "the column"/
  t.throws(() => write('tss:', seconds, BigInt64Array.of(1n, 2n ** 60n)), { code: 'type_mismatch', message })
  t.throws(() => write('tdm', milliseconds, BigInt64Array.of(0n, 1n)), { code: 'type_mismatch', message })
  t.throws(() => write('tiM', months, Int32Array.of(0, -1)), { code: 'type_mismatch', message })
})
