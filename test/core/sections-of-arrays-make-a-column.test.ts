import t from 'tap'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import type { Section, StoredElements } from '../../src/wasm/core/sections/section-column.ts'

const core = createCore({ maximumBytes: 16 << 20 })

const int = (bits: 8 | 16 | 32 | 64, signed = true): DataType => ({ kind: 'int', bits, signed })
const float = (bits: 32 | 64): DataType => ({ kind: 'float', bits })
const timestamp = (unit: 'second' | 'millisecond' | 'nanosecond'): DataType => ({
  kind: 'timestamp',
  unit,
  zone: null,
})
const TEXT: DataType = { kind: 'utf8' }
const BOOL: DataType = { kind: 'bool' }

type Plain = bigint | number | string | boolean | null

function elements(
  type: DataType,
  values: Uint8Array,
  count: number,
  more: Partial<StoredElements> = {},
): StoredElements {
  return { type, elements: count, bit: 0, validity: null, offsets: null, values, runs: null, ...more }
}

/** Values in a row. */
function along(stored: StoredElements): Section {
  return { shape: [stored.elements], dimensions: [{ axis: 0, stride: 1 }], stored }
}

function plain(value: Scalar | null): Plain {
  return value === null ? null : value.kind === 'bytes' ? Buffer.from(value.value).toString() : value.value
}

function columnOf(type: DataType, rows: number, sections: readonly Section[]): readonly Plain[] {
  const column = core.sectionColumn(type, rows, sections)
  try {
    return Array.from({ length: rows }, (_, row) => plain(core.valueAt(column, type, row)))
  } finally {
    core.free(column)
  }
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}

function texts(values: readonly string[]): StoredElements {
  const offsets = new Int32Array(values.length + 1)
  for (const [index, text] of values.entries())
    offsets[index + 1] = (offsets[index] ?? 0) + Buffer.byteLength(text)
  return elements(TEXT, Buffer.from(values.join('')), values.length, { offsets: bytesOf(offsets) })
}

t.test('values are converted, and null where the type does not have them', async (t) => {
  const doubles = [
    1.9,
    -1.9,
    127.5,
    128,
    -128.9,
    -129,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 63,
    -(2 ** 63),
    2 ** 64,
  ]
  const stored = along(elements(float(64), bytesOf(Float64Array.from(doubles)), doubles.length))
  t.strictSame(columnOf(int(8), doubles.length, [stored]), [
    1n,
    -1n,
    127n,
    null,
    -128n,
    null,
    null,
    null,
    null,
    null,
    null,
  ])
  const wide = columnOf(int(64), doubles.length, [stored])
  t.strictSame(wide.slice(6), [null, null, null, -(2n ** 63n), null])
  t.strictSame(columnOf(int(64, false), doubles.length, [stored]).slice(0, 2), [1n, null])
  t.strictSame(columnOf(int(64, false), doubles.length, [stored]).slice(8), [2n ** 63n, null, null])
  const integers = [0n, -1n, 255n, 256n, 2n ** 53n + 1n]
  const numbers = along(elements(int(64), bytesOf(BigInt64Array.from(integers)), integers.length))
  t.strictSame(columnOf(int(8, false), 5, [numbers]), [0n, null, 255n, null, null])
  t.strictSame(columnOf(float(64), 5, [numbers]), [0, -1, 255, 256, 2 ** 53])
  t.strictSame(columnOf(TEXT, 5, [numbers]), ['0', '-1', '255', '256', '9007199254740993'])
  t.strictSame(columnOf(BOOL, 5, [numbers]), [false, true, true, true, true])
  const floats = along(elements(float(32), bytesOf(Float32Array.of(0.1, 1, Number.NaN, -1e30)), 4))
  t.strictSame(columnOf(TEXT, 4, [floats]), ['0.1', '1.0', 'NaN', '-1e30'])
  t.strictSame(columnOf(float(64), 4, [floats]).slice(0, 2), [Math.fround(0.1), 1])
  const written = ['7', '1e3', ' 7', '3.5', 'true', '2024-01-01T00:00:00.5', '', '+5', '-9']
  t.strictSame(columnOf(int(16), 9, [along(texts(written))]), [
    7n,
    null,
    null,
    null,
    null,
    null,
    null,
    5n,
    -9n,
  ])
  t.strictSame(columnOf(float(64), 9, [along(texts(written))]), [7, 1000, null, 3.5, null, null, null, 5, -9])
  t.strictSame(columnOf(BOOL, 9, [along(texts(written))]).slice(3, 5), [null, true])
  t.strictSame(columnOf(timestamp('second'), 9, [along(texts(written))])[5], 1_704_067_200n)
})

t.test('timestamps are cut towards zero, multiplied, or counts', async (t) => {
  const counts = [-1n, 1999n, -1999n, 2n ** 62n]
  const stored = along(elements(timestamp('millisecond'), bytesOf(BigInt64Array.from(counts)), 4))
  t.strictSame(columnOf(timestamp('second'), 4, [stored]), [0n, 1n, -1n, 2n ** 62n / 1000n])
  t.strictSame(columnOf(timestamp('nanosecond'), 4, [stored]), [
    -1_000_000n,
    1_999_000_000n,
    -1_999_000_000n,
    null,
  ])
  t.strictSame(columnOf(int(64), 4, [stored]), counts)
  t.equal(columnOf(TEXT, 4, [stored])[1], '1970-01-01T00:00:01.999')
})

t.test('sections of many shapes follow each other', async (t) => {
  const six = elements(int(32), bytesOf(Int32Array.of(0, 1, 2, 3, 4, 5)), 6)
  const known = elements(int(32), bytesOf(Int32Array.of(7, 8, 9)), 3, {
    validity: Uint8Array.of(0b1010_0),
    bit: 2,
  })
  const runs = elements(int(32), bytesOf(Int32Array.of(1, 2)), 2, {
    runs: { ends: bytesOf(Int32Array.of(3, 10)), first: 1 },
  })
  const sections: readonly Section[] = [
    along(known),
    {
      shape: [3, 2],
      dimensions: [
        { axis: 0, stride: 1 },
        { axis: 1, stride: 3 },
      ],
      stored: six,
    },
    { shape: [2], dimensions: [], stored: null },
    { shape: [2, 3], dimensions: [{ axis: 1, stride: 1 }], stored: { ...six, elements: 3 } },
    { shape: [4], dimensions: [{ axis: 0, stride: 1 }], stored: runs },
    { shape: [], dimensions: [], stored: { ...six, elements: 1, values: six.values.subarray(0, 4) } },
    along(six),
  ]
  const expected = [
    ...[7n, null, 9n],
    ...[0n, 3n, 1n, 4n, 2n, 5n],
    ...[null, null],
    ...[0n, 1n, 2n, 0n, 1n, 2n],
    ...[1n, 1n, 2n, 2n],
    0n,
    ...[0n, 1n, 2n, 3n, 4n, 5n],
  ]
  t.strictSame(columnOf(int(32), expected.length, sections), expected)
  t.strictSame(columnOf(int(64), expected.length, sections), expected)
  t.strictSame(
    columnOf({ kind: 'null' }, expected.length, sections),
    expected.map(() => null),
  )
  t.strictSame(columnOf(int(32), 0, []), [])
  t.strictSame(columnOf(TEXT, 0, []), [])
  t.equal(core.usedBytes(), 0)
})

t.test('what is too short, or no text, is an error', async (t) => {
  const three = elements(int(32), bytesOf(Int32Array.of(1, 2, 3)), 3)
  const unreadable = { code: 'unreadable_file' }
  t.throws(() => columnOf(int(32), 4, [{ ...along(three), shape: [4] }]), unreadable)
  for (const type of [int(32), int(64)])
    t.throws(() => columnOf(type, 3, [along({ ...three, values: three.values.subarray(0, 8) })]), unreadable)
  t.throws(() => columnOf(TEXT, 1, [along({ ...texts(['a']), values: Buffer.of(0xff) })]), unreadable)
  t.throws(() => columnOf(int(32), 3, [along({ ...three, validity: new Uint8Array(0) })]), unreadable)
  const ends = bytesOf(Int32Array.of(1, 2, 3))
  const section = { ...along({ ...three, runs: { ends, first: 1 } }) }
  t.throws(() => columnOf(int(32), 3, [section]), unreadable, 'there are fewer elements than the runs have')
  t.throws(() => columnOf(int(32), 2, [along(three)]), { code: 'internal' })
  t.throws(() => columnOf(int(32), 4, [along(three)]), { code: 'internal' })
  t.equal(core.usedBytes(), 0)
  t.equal(core.isDead(), false)
})
