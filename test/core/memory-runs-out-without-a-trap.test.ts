import t from 'tap'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { type CArray, place, texts } from './c-array.ts'

const f64: DataType = { kind: 'float', bits: 64 }
const utf8: DataType = { kind: 'utf8' }
const ROWS = 100_000

t.test('a full core refuses, and works again once something is freed', async (t) => {
  const core = createCore({ maximumBytes: 8 << 20 })
  const placed = place({ format: 'g', length: ROWS, nullCount: 0, buffers: [null, new Float64Array(ROWS)] })
  const load = () => core.importArray(placed.memory, placed.array, placed.schema, f64)
  const columns: Column[] = []
  t.throws(
    () => {
      for (;;) columns.push(load())
    },
    { code: 'memory_limit', message: /8388608 bytes/ },
  )
  t.ok(columns.length > 4, `${columns.length} columns of 800 kB fit into 8 MiB`)
  t.ok(core.usedBytes() < 8 << 20)

  const full = { code: 'memory_limit' }
  const types = columns.map(() => f64)
  t.throws(() => core.encodeBatch(columns, types, ROWS, null, 0, ROWS, 1 << 30), full)
  t.throws(() => core.encodeCsv(columns, types, ROWS, null, 0, ROWS, 1 << 30), full)
  t.throws(() => core.concat(columns), full)
  t.throws(() => core.constant({ kind: 'list', item: field('item', f64) }, null, 1_000_000), full)
  // Of flat types they take as much as one value.
  columns.push(
    core.constant(f64, { kind: 'float', value: 1 }, 1_000_000),
    core.constant(f64, null, 1_000_000),
  )
  t.throws(() => core.filled(2_000_000_000, true), full)
  t.throws(() => core.constant({ kind: 'fixed_binary', width: 0x7fff_ffff }, null, 0x7fff_ffff), full)
  t.notOk(core.isDead())

  for (const column of columns) core.free(column)
  t.equal(core.usedBytes(), 0)
  const again = load()
  t.equal(core.rows(again), ROWS)
  t.equal(core.encodeBatch([again], [f64], ROWS, null, 0, ROWS, 1 << 30).rows, ROWS)
})

t.test('masks too', async (t) => {
  const core = createCore({ maximumBytes: 4 << 20 })
  t.throws(
    () => {
      for (;;) core.filled(1_000_000, true)
    },
    { code: 'memory_limit' },
  )
  t.notOk(core.isDead())
})

t.test('and what an encoding makes larger', async (t) => {
  const core = createCore({ maximumBytes: 8 << 20 })
  const value = 'x'.repeat(1000)
  const dictionary = { format: 'u', length: 1, buffers: [null, ...texts([value])] }
  const repeated: CArray = {
    format: 'c',
    length: ROWS,
    nullCount: 0,
    buffers: [null, new Int8Array(ROWS)],
    dictionary,
  }
  const whole = place(repeated)
  const column = core.importArray(whole.memory, whole.array, whole.schema, utf8)
  t.throws(() => core.encodeBatch([column], [utf8], ROWS, null, 0, ROWS, 1 << 30), { code: 'memory_limit' })
  t.ok(core.encodeBatch([column], [utf8], ROWS, null, 0, ROWS, 1 << 20).rows > 1000)
  core.free(column)
  const struct = place({ format: '+s', length: ROWS, buffers: [null], children: [repeated] })
  const type: DataType = { kind: 'struct', fields: [field('text', utf8)] }
  t.throws(() => core.importArray(struct.memory, struct.array, struct.schema, type), { code: 'memory_limit' })
  t.equal(core.usedBytes(), 0)
})

t.test('deep nesting does not use the stack up', async (t) => {
  const core = createCore({ maximumBytes: 16 << 20 })
  let type: DataType = f64
  for (let level = 1; level < 64; level++) type = { kind: 'list', item: field('item', type) }
  const nulls = core.constant(type, null, 10)
  const joined = core.concat([nulls, nulls])
  t.equal(core.encodeBatch([joined], [type], 20, null, 0, 20, 1 << 20).rows, 20)
  const deeper: DataType = { kind: 'list', item: field('item', type) }
  t.throws(() => core.constant(deeper, null, 10), { code: 'unreadable_file', message: /64 levels/ })
  core.free(nulls)
  core.free(joined)
  t.equal(core.usedBytes(), 0)
})
