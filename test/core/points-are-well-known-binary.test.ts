import * as arrow from 'apache-arrow'
import t from 'tap'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc } from '../support/generate.ts'
import { bitmap, place } from './c-array.ts'
import { decode } from './decode.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const f64: DataType = { kind: 'float', bits: 64 }
const binary: DataType = { kind: 'binary' }

function load(format: string, type: DataType, values: ArrayBufferView, known: readonly boolean[]): Column {
  const placed = place({ format, length: known.length, buffers: [bitmap(known), values] })
  return core.importArray(placed.memory, placed.array, placed.schema, type)
}

function floats(values: readonly (number | null)[]): Column {
  const known = values.map((value) => value !== null)
  return load(
    'g',
    f64,
    Float64Array.from(values, (value) => value ?? 5),
    known,
  )
}

/** A point in hexadecimal digits. */
function point(x: number, y: number): string {
  const bytes = Buffer.alloc(21)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(1, 1)
  bytes.writeDoubleLE(x, 5)
  bytes.writeDoubleLE(y, 13)
  return bytes.toString('hex')
}

function rowsOf(column: Column, rows: number): readonly unknown[] {
  const { bytes } = core.encodeBatch([column], [binary], rows, null, 0, rows, 1 << 24)
  return decode([new arrow.Binary()], bytes)[0] ?? []
}

const coordinate = fc.oneof(fc.double(), fc.constant(null), fc.integer({ min: -180, max: 180 }))

t.test('any coordinates', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 200 }), (rows) => {
      const [x, y] = [floats(rows.map(([x]) => x)), floats(rows.map(([, y]) => y))]
      const { column, box } = core.points(x, f64, y, f64)
      const isPoint = ([x, y]: (typeof rows)[number]) =>
        Number.isFinite(x ?? Number.NaN) && Number.isFinite(y ?? Number.NaN)
      t.same(
        rowsOf(column, rows.length),
        rows.map((row) => (isPoint(row) ? point(Number(row[0]), Number(row[1])) : null)),
      )
      const found = rows.filter(isPoint).map(([x, y]) => [Number(x), Number(y)] as const)
      const [xs, ys] = [found.map(([x]) => x), found.map(([, y]) => y)]
      // Of 0 and -0, which are equal, either may be a bound.
      const plain = (numbers: readonly number[] | null) => numbers?.map((number) => number + 0) ?? null
      const expected = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
      t.same(plain(box), found.length === 0 ? null : plain(expected))
      for (const each of [x, y, column]) core.free(each)
    }),
  )
})

t.test('integers and decimals', async (t) => {
  const known = [true, false, true]
  const i32: DataType = { kind: 'int', bits: 32, signed: true }
  const decimal: DataType = { kind: 'decimal', bits: 128, precision: 10, scale: 2 }
  const wide = BigInt64Array.of(-1234n, -1n, 0n, 0n, 5025n, 0n)
  const x = load('i', i32, Int32Array.of(7, 8, -9), known)
  const y = load('d:10,2', decimal, wide, [true, true, true])
  const { column, box } = core.points(x, i32, y, decimal)
  t.same(rowsOf(column, 3), [point(7, -12.34), null, point(-9, 50.25)])
  t.same(box, [-9, -12.34, 7, 50.25])
})

t.test('other columns are no coordinates', async (t) => {
  const text: DataType = { kind: 'utf8' }
  const x = core.constant(text, { kind: 'bytes', value: Buffer.from('7') }, 3)
  t.throws(() => core.points(x, text, floats([1, 2, 3]), f64), { code: 'not_supported' })
  t.throws(() => core.points(floats([1]), f64, floats([1, 2, 3]), f64), { code: 'internal' })
})
