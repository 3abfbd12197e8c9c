import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import * as arrow from 'apache-arrow'
import t from 'tap'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import type { Compression } from '../../src/wasm/core/core.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { decode } from './decode.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const ROWS = 5000

const LZ4: arrow.Codec = {
  // A frame that says how many bytes it holds, as the core's do.
  decode: (frame) =>
    core.inflateLz4(frame, Number(new DataView(frame.buffer, frame.byteOffset).getBigUint64(6, true))),
}
arrow.compressionRegistry.set(arrow.CompressionType.LZ4_FRAME, LZ4)
arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, {
  encode: (bytes: Uint8Array) => zstdCompressSync(bytes),
  decode: (bytes: Uint8Array) => zstdDecompressSync(bytes),
})

const FLOAT64: DataType = { kind: 'float', bits: 64 }
const INT32: DataType = { kind: 'int', bits: 32, signed: true }
const TEXT: DataType = { kind: 'utf8' }

function fixed(values: Float64Array | Int32Array, validity: Uint8Array | null): Column {
  const buffers = [validity, new Uint8Array(values.buffer)]
  return core.assemble({ layout: 'fixed', parameter: values.BYTES_PER_ELEMENT, rows: ROWS, buffers })
}

function texts(values: readonly string[]): Column {
  const offsets = new Int32Array(values.length + 1)
  const bytes = values.map((value) => Buffer.from(value))
  for (const [i, each] of bytes.entries()) offsets[i + 1] = (offsets[i] ?? 0) + each.length
  const buffers = [null, new Uint8Array(offsets.buffer), Buffer.concat(bytes)]
  return core.assemble({ layout: 'utf8', rows: values.length, buffers })
}

const noise = (row: number): number => (Math.imul(row, 0x9e3779b1) >>> 0) / 2 ** 32
const columns = [
  fixed(
    Int32Array.from({ length: ROWS }, (_, row) => row >> 3),
    Uint8Array.from({ length: ROWS / 8 }, (_, i) => i % 251),
  ),
  fixed(
    Float64Array.from({ length: ROWS }, (_, row) => noise(row)),
    null,
  ),
  texts(Array.from({ length: ROWS }, (_, row) => `name ${row % 11}`)),
  core.constant(TEXT, null, ROWS),
]
const types = [INT32, FLOAT64, TEXT, TEXT]
const arrowTypes = [new arrow.Int32(), new arrow.Float64(), new arrow.Utf8(), new arrow.Utf8()]

function encode(compression: Compression, from: number, rows: number) {
  return core.encodeBatch(columns, types, ROWS, null, from, rows, 1 << 24, compression)
}

for (const compression of ['lz4', 'zstd'] as const) {
  t.test(`bodies under ${compression} hold the same rows`, async (t) => {
    for (const [from, rows] of [
      [0, ROWS],
      [17, 1000],
      [ROWS - 1, 1],
      [ROWS, 1],
    ] as const) {
      const plain = encode('none', from, rows)
      const packed = encode(compression, from, rows)
      t.equal(packed.rows, plain.rows)
      t.equal(packed.bytes.byteLength % 8, 0)
      t.equal(packed.metadataBytes % 8, 0)
      t.same(decode(arrowTypes, packed.bytes), decode(arrowTypes, plain.bytes))
      if (rows === ROWS) t.ok(packed.bytes.byteLength < 0.8 * plain.bytes.byteLength, 'and are shorter')
    }
  })

  t.test(`a dictionary under ${compression} holds the same values`, async (t) => {
    const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), 0)
    const values = texts(Array.from({ length: 500 }, (_, i) => `value ${i}`))
    const indices = Int32Array.from({ length: ROWS }, (_, row) => (row * 7) % 500)
    const column = core.assemble({
      layout: 'dictionary',
      parameter: 2,
      rows: ROWS,
      buffers: [null, new Uint8Array(indices.buffer)],
      children: [values],
    })
    const dictionary: DataType = { kind: 'dictionary', index: INT32, value: TEXT, ordered: false }
    const messages = (each: Compression) => [
      core.encodeDictionary(column, 0, each),
      core.encodeBatch([column], [dictionary], ROWS, null, 0, ROWS, 1 << 24, each).bytes,
    ]
    t.same(decode([type], ...messages(compression)), decode([type], ...messages('none')))
    core.free(column)
  })
}

t.test('all memory is given back', async (t) => {
  for (const column of columns) core.free(column)
  t.equal(core.usedBytes(), 0)
})
