import assert from 'node:assert/strict'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../src/workers/formats/arrays/array-provider.ts'
import { tiff } from '../../src/workers/formats/tiff/tiff.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readSegment } from '../formats/values.ts'
import { writeTiff } from './write-tiff.ts'

const WIDTH = 1920
const HEIGHT = 40_000

/** So many rows are read at the end. */
const ROWS = 3

/** The bytes repeat, and neither programs nor rows end with them. */
const PERIOD = 1913

const LZW = 5
const PACKBITS = 32_773

function patternByte(at: number): number {
  return (at % PERIOD) % 251
}

/** Codes of 9 bits: a CLEAR before 240 single bytes each, so that codes never get longer. */
function lzwOfPattern(bytes: number): Buffer {
  const stored = Buffer.alloc(Math.ceil((bytes + bytes / 240 + 2) * (9 / 8)) + 8)
  let bit = 0
  const put = (code: number): void => {
    const at = bit >> 3
    stored.writeUInt16BE(stored.readUInt16BE(at) | (code << (7 - (bit & 7))), at)
    bit += 9
  }
  // What 8 periods give is a whole number of bytes, and repeats.
  const period = 240 * 8 * PERIOD
  for (let at = 0; at < Math.min(bytes, period); at++) {
    if (at % 240 === 0) put(256)
    put(patternByte(at))
  }
  const length = bit >> 3
  let filled = length
  while (bytes > period && filled < stored.length) {
    stored.copy(stored, filled, 0, Math.min(filled, stored.length - filled))
    filled *= 2
  }
  return stored
}

function packBitsOfPattern(bytes: number): Buffer {
  const period = Buffer.concat(
    Array.from({ length: PERIOD }, (_, part) =>
      Buffer.from([99, ...Array.from({ length: 100 }, (__, at) => patternByte(part * 100 + at))]),
    ),
  )
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / (100 * PERIOD)) }, () => period))
}

t.test('a strip of more bytes than the memory of a worker is read in parts', async (t) => {
  for (const [name, compression, encode] of [
    ['LZW', LZW, lzwOfPattern],
    ['PackBits', PACKBITS, packBitsOfPattern],
  ] as const) {
    const stored = encode(WIDTH * HEIGHT)
    const small = writeTiff({ width: 1, height: 1, bits: 8, samples: [[0n]] })
    const long = (value: number) => ({ kind: 'long', values: [value] }) as const
    const tags = { 256: long(WIDTH), 257: long(HEIGHT), 278: long(HEIGHT), 259: long(compression) }
    const place = { 273: long(1 << 16), 279: long(stored.length) }
    const head = writeTiff({ width: 1, height: 1, bits: 8, samples: [[0n]], tags: { ...tags, ...place } })
    assert.ok(small.length < 1 << 16)
    const bytes = Buffer.concat([head, Buffer.alloc((1 << 16) - head.length), stored])

    const context = readContext(createCore({ maximumBytes: 48 << 20 }))
    const store = memorySource(bytes, 'large.tif')
    const file = createArrayProvider(tiff, { dimensions: null, isNanValue: true }).open(store, context)
    const [field] = file.schema.fields
    assert.ok(field?.name === 'band.0')
    const origin = [HEIGHT - ROWS, 0]
    const range = { kind: 'box', dimensions: [0, 1], origin, extent: [ROWS, WIDTH] } as const
    const values = readSegment(file, store, range, [field], context).values[0]
    const first = WIDTH * (HEIGHT - ROWS)
    const expected = Array.from({ length: ROWS * WIDTH }, (_, at) => BigInt(patternByte(first + at)))
    t.strictSame(values, expected, name)
  }
})
