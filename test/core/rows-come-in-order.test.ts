import t from 'tap'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { OrderKey } from '../../src/wasm/core/core.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { place } from './c-array.ts'
import { columnOf, valuesOf } from './columns.ts'
import { SAMPLES } from './samples.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const i64: DataType = { kind: 'int', bits: 64, signed: true }
const f32: DataType = { kind: 'float', bits: 32 }
const utf8: DataType = { kind: 'utf8' }

const int = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })
const float = (value: number): Scalar => ({ kind: 'float', value })
const text = (value: string): Scalar => ({ kind: 'bytes', value: new Uint8Array(Buffer.from(value)) })

const numbers = columnOf(
  core,
  f32,
  [2, 1, null, Number.NaN, 1, -0, 0].map((value) => (value === null ? null : float(value))),
)
const places = columnOf(core, i64, [0, 1, 2, 3, 4, 5, 6].map(int))
const letters = columnOf(
  core,
  utf8,
  ['b', 'c', 'a', null, 'b', '', 'ab'].map((value) => (value === null ? null : text(value))),
)

/** The places of the rows in an order. */
function order(keys: readonly OrderKey[], limit = Number.POSITIVE_INFINITY): (bigint | undefined)[] {
  const mask = core.compare(places, i64, 'neq', int(0))
  const sorted = core.sort(keys, 7, mask, limit)
  const taken = core.take(places, sorted, 0, core.orderRows(sorted))
  const values = valuesOf(core, taken, i64).map((value) => value?.value as bigint)
  core.freeOrder(sorted)
  core.freeMask(mask)
  core.free(taken)
  return values
}
const key = (column: OrderKey['column'], type: DataType, isDescending: boolean, areNullsFirst: boolean) => ({
  column,
  type,
  isDescending,
  areNullsFirst,
})

t.test('by one key, ties in the order of the rows', async (t) => {
  t.strictSame(order([key(numbers, f32, false, false)]), [5n, 6n, 1n, 4n, 3n, 2n])
  t.strictSame(order([key(numbers, f32, true, true)]), [2n, 3n, 1n, 4n, 5n, 6n])
  t.strictSame(order([key(numbers, f32, true, false)], 3), [3n, 1n, 4n])
  t.strictSame(order([key(letters, utf8, false, true)], 3), [3n, 5n, 2n])
})

t.test('by several keys', async (t) => {
  t.strictSame(order([key(numbers, f32, false, true), key(letters, utf8, true, false)]), [
    2n,
    6n,
    5n,
    1n,
    4n,
    3n,
  ])
  t.strictSame(order([], 2), [1n, 2n])
})

t.test('rows past the end, and keys without an order, are errors', async (t) => {
  const sorted = core.sort([key(places, i64, false, false)], 7, null, 3)
  t.throws(() => core.take(places, sorted, 2, 4), { code: 'internal' })
  const interval: DataType = { kind: 'interval', unit: 'month_day_nano' }
  const intervals = core.constant(interval, null, 7)
  t.throws(() => core.sort([key(intervals, interval, false, false)], 7, null, 3), { code: 'not_supported' })
  core.free(intervals)
  core.freeOrder(sorted)
})

t.test('a value is read as it was put in', async (t) => {
  const scalars: [DataType, Scalar][] = [
    [{ kind: 'bool' }, { kind: 'bool', value: true }],
    [{ kind: 'int', bits: 8, signed: true }, int(-5)],
    [
      { kind: 'int', bits: 64, signed: false },
      { kind: 'int', value: 2n ** 64n - 1n },
    ],
    [{ kind: 'float', bits: 16 }, float(-1.5)],
    [{ kind: 'float', bits: 16 }, float(2 ** -24)],
    [{ kind: 'float', bits: 16 }, float(Number.NEGATIVE_INFINITY)],
    [f32, float(-0)],
    [
      { kind: 'decimal', bits: 256, precision: 50, scale: 3 },
      { kind: 'int', value: -(10n ** 49n) },
    ],
    [{ kind: 'timestamp', unit: 'nanosecond', zone: null }, int(-1)],
    [utf8, text('wört')],
    [{ kind: 'fixed_binary', width: 3 }, text('abc')],
    [
      { kind: 'dictionary', index: { kind: 'int', bits: 8, signed: true }, value: utf8, ordered: false },
      text('x'),
    ],
  ]
  for (const [type, value] of scalars) {
    const column = core.constant(type, value, 2)
    t.strictSame(core.valueAt(column, type, 1), value, type.kind)
    core.free(column)
    const nulls = core.constant(type, null, 2)
    t.equal(core.valueAt(nulls, type, 1), null)
    core.free(nulls)
  }
  t.throws(() => core.valueAt(places, i64, 7), { code: 'internal' })
})

t.test('a column of any type is taken', async (t) => {
  const sorted = core.sort([key(places, i64, true, false)], 7, null, 7)
  for (const { name, array, type } of SAMPLES) {
    const placed = place(array)
    const five = core.importArray(placed.memory, placed.array, placed.schema, type)
    const seven = core.concat([five, core.constant(type, null, 2)])
    const back = core.take(seven, sorted, 0, 7)
    const again = core.take(back, sorted, 2, 7)
    t.equal(core.rows(again), 5, name)
    const batch = (column: typeof five, rows: number) =>
      Buffer.from(core.encodeBatch([column], [type], rows, null, 0, rows, 1 << 20).bytes)
    t.ok(batch(again, 5).length > 0)
  }
  core.freeOrder(sorted)
})

t.test('text whose values begin alike', async (t) => {
  const words = ['station-0009', null, 'station-0010', 'station-', 'station-0009', 'station-00', '']
  for (const rows of [words, words.slice(0, -1)]) {
    const column = columnOf(
      core,
      utf8,
      rows.map((value) => (value === null ? null : text(value))),
    )
    const sorted = core.sort([key(column, utf8, false, false)], rows.length, null, rows.length)
    const taken = core.take(column, sorted, 0, rows.length)
    const values = valuesOf(core, taken, utf8).map((value) =>
      value?.kind === 'bytes' ? Buffer.from(value.value).toString() : null,
    )
    t.same(values, [...rows.filter((word) => word !== null).sort(), null])
    core.freeOrder(sorted)
    core.free(column)
    core.free(taken)
  }
})
