import t from 'tap'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { bitmap, type CArray, place, texts } from './c-array.ts'

const core = createCore({ maximumBytes: 16 << 20 })

/** The lines of one column. */
function lines(type: DataType, array: CArray): string[] {
  const placed = place(array)
  const column = core.importArray(placed.memory, placed.array, placed.schema, type)
  const encoded = core.encodeCsv([column, column], [type, type], array.length, null, 0, 100, 1e6)
  t.equal(encoded.metadataBytes, 0)
  return Buffer.from(encoded.bytes)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(0, (line.length - 1) / 2))
}

const three = [new Uint8Array([0b101])] as const

t.test('numbers', async (t) => {
  const float = (bits: 16 | 32 | 64): DataType => ({ kind: 'float', bits })
  t.same(
    lines(float(64), {
      format: 'g',
      length: 5,
      buffers: [null, Float64Array.of(1, 0.1, 1e16, 1e-5, Number.NaN)],
    }),
    ['1.0', '0.1', '1e16', '1e-5', 'NaN'],
  )
  t.same(lines(float(32), { format: 'f', length: 3, buffers: [...three, Float32Array.of(0.1, 0, -1e13)] }), [
    '0.1',
    '',
    '-1e13',
  ])
  t.same(lines(float(16), { format: 'e', length: 1, buffers: [null, Uint16Array.of(0x3800)] }), ['0.5'])
  const decimal: DataType = { kind: 'decimal', bits: 128, precision: 10, scale: 2 }
  const unscaled = BigInt64Array.of(-5n, -1n, 12345n, 0n)
  t.same(lines(decimal, { format: 'd:10,2', length: 2, buffers: [null, unscaled] }), ['-0.05', '123.45'])
  const uint64: DataType = { kind: 'int', bits: 64, signed: false }
  t.same(lines(uint64, { format: 'L', length: 1, buffers: [null, BigInt64Array.of(-1n)] }), [
    '18446744073709551615',
  ])
})

t.test('times and zones', async (t) => {
  const zoned = (zone: string | null): DataType => ({ kind: 'timestamp', unit: 'millisecond', zone })
  const array: CArray = {
    format: 'tsm:',
    length: 2,
    buffers: [null, BigInt64Array.of(1_704_067_200_000n, -1n)],
  }
  t.same(lines(zoned(null), array), ['2024-01-01T00:00:00', '1969-12-31T23:59:59.999'])
  t.same(lines(zoned('UTC'), array), ['2024-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z'])
  t.same(lines(zoned('+02:00'), array), ['2024-01-01T02:00:00+02:00', '1970-01-01T01:59:59.999+02:00'])
  t.same(lines(zoned('-0530'), array), ['2023-12-31T18:30:00-05:30', '1969-12-31T18:29:59.999-05:30'])
  t.same(lines(zoned('Europe/Oslo'), array), ['2024-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z'])
  t.same(
    lines(
      { kind: 'date', unit: 'day' },
      { format: 'tdD', length: 1, buffers: [null, Int32Array.of(19_723)] },
    ),
    ['2024-01-01'],
  )
})

t.test('text and bytes', async (t) => {
  const words = ['plain', 'a,b', 'say "x"', 'é']
  t.same(lines({ kind: 'utf8' }, { format: 'u', length: 4, buffers: [null, ...texts(words)] }), [
    'plain',
    '"a,b"',
    '"say ""x"""',
    'é',
  ])
  t.same(lines({ kind: 'binary' }, { format: 'z', length: 1, buffers: [null, ...texts(['\u0001z'])] }), [
    '017a',
  ])
  t.same(lines({ kind: 'bool' }, { format: 'b', length: 3, buffers: [...three, bitmap([1, 0, 0])] }), [
    'true',
    '',
    'false',
  ])
})

t.test('nested values have none', async (t) => {
  const type: DataType = { kind: 'list', item: field('item', { kind: 'utf8' }) }
  const column = core.constant(type, null, 1)
  t.throws(() => core.encodeCsv([column], [type], 1, null, 0, 1, 100), {
    code: 'not_supported',
    message: /List<Utf8>/,
  })
})
