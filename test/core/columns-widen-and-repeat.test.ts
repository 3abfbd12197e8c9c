import * as arrow from 'apache-arrow'
import t from 'tap'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType, TimeUnit } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { bitmap, type CArray, place } from './c-array.ts'
import { decode } from './decode.ts'
import { SAMPLES } from './samples.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const int = (bits: 8 | 16 | 32 | 64, signed: boolean): DataType => ({ kind: 'int', bits, signed })
const f64: DataType = { kind: 'float', bits: 64 }
const timestamp = (unit: TimeUnit, zone: string | null = null): DataType => ({
  kind: 'timestamp',
  unit,
  zone,
})

function load(array: CArray, type: DataType): Column {
  const placed = place(array)
  return core.importArray(placed.memory, placed.array, placed.schema, type)
}

function values(column: Column, type: DataType, arrowType: arrow.DataType): unknown[] {
  return (
    decode([arrowType], core.encodeBatch([column], [type], core.rows(column), null, 0, 100, 1e6).bytes)[0] ??
    []
  )
}

t.test('the widening table', async (t) => {
  const cases: [string, ArrayBufferView, DataType, DataType, arrow.DataType, unknown[]][] = [
    ['c', Int8Array.of(-128, 0, 127), int(8, true), int(16, true), new arrow.Int16(), [-128, null, 127]],
    ['C', Uint8Array.of(255, 0, 1), int(8, false), int(32, true), new arrow.Int32(), [255, null, 1]],
    [
      'I',
      Uint32Array.of(2 ** 32 - 1, 0, 1),
      int(32, false),
      int(64, true),
      new arrow.Int64(),
      [2n ** 32n - 1n, null, 1n],
    ],
    [
      'w:16',
      Uint8Array.from({ length: 48 }, () => 171),
      { kind: 'uuid' },
      { kind: 'fixed_binary', width: 16 },
      new arrow.FixedSizeBinary(16),
      ['ab'.repeat(16), null, 'ab'.repeat(16)],
    ],
    [
      'L',
      BigUint64Array.of(2n ** 64n - 1n, 0n, 1n),
      int(64, false),
      f64,
      new arrow.Float64(),
      [2 ** 64, null, 1],
    ],
    [
      'f',
      Float32Array.of(0.1, 0, Number.NaN),
      { kind: 'float', bits: 32 },
      f64,
      new arrow.Float64(),
      [Math.fround(0.1), null, Number.NaN],
    ],
    [
      'tss:',
      BigInt64Array.of(-1n, 0n, 2n),
      timestamp('second'),
      timestamp('nanosecond', 'UTC'),
      new arrow.Int64(),
      [-(10n ** 9n), null, 2n * 10n ** 9n],
    ],
    [
      'tsm:Europe/Oslo',
      BigInt64Array.of(5n, 0n, 2n),
      timestamp('millisecond', 'Europe/Oslo'),
      timestamp('millisecond', 'UTC'),
      new arrow.Int64(),
      [5n, null, 2n],
    ],
    [
      'tdD',
      Int32Array.of(-1, 0, 2),
      { kind: 'date', unit: 'day' },
      { kind: 'date', unit: 'millisecond' },
      new arrow.Int64(),
      [-86_400_000n, null, 172_800_000n],
    ],
    [
      'tts',
      Int32Array.of(1, 0, 2),
      { kind: 'time', unit: 'second' },
      { kind: 'time', unit: 'microsecond' },
      new arrow.Int64(),
      [1_000_000n, null, 2_000_000n],
    ],
  ]
  for (const [format, buffer, from, to, arrowType, expected] of cases) {
    const column = load({ format, length: 3, buffers: [bitmap([1, 0, 1]), buffer] }, from)
    const wider = core.cast(column, from, to)
    t.same(values(wider, to, arrowType), expected, format)
    core.free(column)
    core.free(wider)
  }
  t.equal(core.usedBytes(), 0)
})

t.test('a timestamp that the finer unit cannot hold is a type mismatch', async (t) => {
  const [from, to] = [timestamp('second'), timestamp('nanosecond')]
  const column = load({ format: 'tss:', length: 2, buffers: [null, BigInt64Array.of(0n, 10n ** 10n)] }, from)
  t.throws(() => core.cast(column, from, to), { code: 'type_mismatch', message: /row 1/ })
})

t.test('nulls become a column of any type', async (t) => {
  const column = load({ format: 'n', length: 3, buffers: [] }, { kind: 'null' })
  for (const sample of SAMPLES) {
    const nulls = core.cast(column, { kind: 'null' }, sample.type)
    t.same(values(nulls, sample.type, sample.arrow), [null, null, null], sample.name)
  }
})

t.test('a constant of every flat type', async (t) => {
  const whole: Scalar = { kind: 'int', value: -1n }
  const cases: [DataType, Scalar, arrow.DataType, unknown][] = [
    [{ kind: 'bool' }, { kind: 'bool', value: true }, new arrow.Bool(), true],
    [int(8, true), whole, new arrow.Int8(), -1],
    [int(64, true), whole, new arrow.Int64(), -1n],
    [int(64, false), { kind: 'int', value: 2n ** 64n - 1n }, new arrow.Uint64(), 2n ** 64n - 1n],
    [{ kind: 'float', bits: 16 }, { kind: 'float', value: -1.5 }, new arrow.Float16(), -1.5],
    [{ kind: 'float', bits: 16 }, { kind: 'float', value: 2 ** -24 }, new arrow.Float16(), 2 ** -24],
    [
      { kind: 'float', bits: 16 },
      { kind: 'float', value: Number.POSITIVE_INFINITY },
      new arrow.Float16(),
      Number.POSITIVE_INFINITY,
    ],
    [{ kind: 'float', bits: 32 }, { kind: 'float', value: 0.5 }, new arrow.Float32(), 0.5],
    [f64, { kind: 'float', value: Number.NaN }, new arrow.Float64(), Number.NaN],
    [
      { kind: 'decimal', bits: 128, precision: 3, scale: 1 },
      whole,
      new arrow.Decimal(1, 3, 128),
      'f'.repeat(32),
    ],
    [{ kind: 'utf8' }, { kind: 'bytes', value: Buffer.from('é') }, new arrow.Utf8(), 'é'],
    [{ kind: 'utf8' }, { kind: 'bytes', value: Buffer.from('') }, new arrow.Utf8(), ''],
    [
      { kind: 'fixed_binary', width: 2 },
      { kind: 'bytes', value: Buffer.from('ab') },
      new arrow.FixedSizeBinary(2),
      '6162',
    ],
    [timestamp('second'), whole, new arrow.Int64(), -1n],
  ]
  for (const [type, value, arrowType, expected] of cases) {
    const column = core.constant(type, value, 70)
    t.same(values(column, type, arrowType), Array(70).fill(expected), JSON.stringify(type))
    core.free(column)
  }
  t.equal(core.usedBytes() > 0, true, 'the columns of the tests above')
})
