import t from 'tap'
import type { Codec, ElementData, ZarrArray } from '../../../src/workers/formats/zarr/stored-zarr.ts'
import { memoryObjects } from '../../formats/objects.ts'
import { madeArray, readBox } from './made-array.ts'

const LITTLE: Codec = { name: 'bytes', configuration: { endian: 'little' } }
const BIG: Codec = { name: 'bytes', configuration: { endian: 'big' } }

const INT32: ElementData = { kind: 'int', bits: 32, signed: true }
const INT64: ElementData = { kind: 'int', bits: 64, signed: true }
const UINT8: ElementData = { kind: 'int', bits: 8, signed: false }
const FLOAT32: ElementData = { kind: 'float', bits: 32 }
const FLOAT64: ElementData = { kind: 'float', bits: 64 }

/** An array of one chunk whose elements have passed these codecs of arrays. */
function coded(data: ElementData, count: number, arrays: readonly Codec[], bytes: Codec = LITTLE): ZarrArray {
  return madeArray([count], [count], { data, codecs: { arrays, bytes, compression: [] } })
}

function read(array: ZarrArray, chunk: NodeJS.TypedArray): readonly (Buffer | string)[] {
  const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return readBox(
    memoryObjects(
      new Map([
        ['zarr.json', new Uint8Array()],
        ['group/values/c/0', bytes],
      ]),
    ),
    array,
  )
}

function elements(numbers: NodeJS.TypedArray): readonly Buffer[] {
  const { BYTES_PER_ELEMENT: width } = numbers
  const bytes = Buffer.from(numbers.buffer)
  return Array.from({ length: numbers.length }, (_, at) => bytes.subarray(at * width, (at + 1) * width))
}

const delta = (dtype: string, astype?: string): Codec => ({
  name: 'numcodecs.delta',
  configuration: { dtype, ...(astype !== undefined && { astype }) },
})

t.test('numbers', async (t) => {
  // Each right side is what numcodecs 0.16.6 makes of the left one, except for scale_offset and cast_value, which are those of version 3.
  const summed = read(coded(INT32, 3, [delta('<i4')]), Int32Array.of(5, -7, 1))
  t.strictSame(summed, elements(Int32Array.of(5, -2, -1)), 'delta')
  const narrow = read(coded(INT64, 3, [delta('<i8', '<i2')]), Int16Array.of(30_000, 30_000, -1))
  t.strictSame(narrow, elements(BigInt64Array.of(30_000n, 60_000n, 59_999n)), 'delta of a narrower type')
  const swapped = Buffer.from(Int32Array.of(5, -7, 1).buffer).swap32()
  const big = read(coded(INT32, 3, [delta('>i4')], BIG), swapped)
  t.strictSame(big, elements(Int32Array.of(5, -2, -1)), 'delta, big-endian')
  const scaled = {
    name: 'numcodecs.fixedscaleoffset',
    configuration: { scale: 10, offset: 273.15, dtype: '<f4', astype: '|u1' },
  }
  t.strictSame(
    read(coded(FLOAT32, 2, [scaled]), Uint8Array.of(1, 255)),
    elements(Float32Array.of(1 / 10 + 273.15, 255 / 10 + 273.15)),
    'fixedscaleoffset',
  )
  const packed: readonly Codec[] = [
    { name: 'scale_offset', configuration: { offset: 2, scale: 4 } },
    { name: 'cast_value', configuration: { data_type: 'int16', scalar_map: { decode: [[-1, 'NaN']] } } },
  ]
  t.strictSame(
    read(coded(FLOAT64, 3, packed), Int16Array.of(4, 6, -1)),
    elements(Float64Array.of(3, 3.5, Number.NaN)),
    'scale_offset and cast_value',
  )
  const rounded = { name: 'bitround', configuration: { keepbits: 3 } }
  t.strictSame(
    read(coded(FLOAT32, 1, [rounded]), Float32Array.of(1.5)),
    elements(Float32Array.of(1.5)),
    'bitround',
  )
})

t.test('texts of json2', async (t) => {
  const json = coded({ kind: 'variable', encoding: 'utf8' }, 3, [], {
    name: 'numcodecs.json2',
    configuration: {},
  })
  const stored = (items: readonly unknown[]): Buffer => Buffer.from(JSON.stringify(items))
  t.strictSame(read(json, stored(['a', null, 'ü', '|O', [3]])), ['a', '', 'ü'])
  for (const items of [
    ['a', 'b', '|O', [2]],
    ['a', 'b', 1, '|O', [3]],
    ['a', 'b', 'c'],
    [],
    null,
    { length: 5 },
  ])
    t.throws(
      () => read(json, Buffer.from(JSON.stringify(items))),
      { code: 'unreadable_file' },
      JSON.stringify(items),
    )
  t.throws(() => read(json, Buffer.from('["a"')), { code: 'unreadable_file' })
})

t.test('what cannot be decoded is an error of the file', async (t) => {
  const cases: readonly [ElementData, Codec, RegExp][] = [
    [INT32, delta('<i2'), /dtype "<i2"/],
    [INT32, delta('<i4', 'S3'), /astype "S3"/],
    [
      INT64,
      { name: 'numcodecs.fixedscaleoffset', configuration: { scale: 1, offset: 0, dtype: '<i8' } },
      /fixedscaleoffset/,
    ],
    [FLOAT32, { name: 'cast_value', configuration: { data_type: 'complex64' } }, /"complex64"/],
    [UINT8, { name: 'cast_value', configuration: { data_type: 'float64' } }, /cast_value.*NaN/],
    [FLOAT32, { name: 'bitround', configuration: { keepbits: -1 } }, /bitround.*keepbits/],
    [{ kind: 'bool' }, delta('|b1'), /codec numcodecs\.delta, which is not read/],
    [INT32, { name: 'numcodecs.quantize', configuration: {} }, /numcodecs\.quantize, which is not read/],
  ]
  for (const [data, codec, message] of cases)
    t.throws(() => read(coded(data, 1, [codec]), Float64Array.of(Number.NaN)), {
      code: 'unreadable_file',
      message,
    })
})
