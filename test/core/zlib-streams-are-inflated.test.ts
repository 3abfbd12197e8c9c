import assert from 'node:assert/strict'
import { constants, deflateSync, inflateSync } from 'node:zlib'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { fc, generator } from '../support/generate.ts'

const core = createCore({ maximumBytes: 64 << 20 })

function inflated(stream: Uint8Array, most: number): Uint8Array {
  const bytes = core.inflateZlib(stream, most)
  const copy = new Uint8Array(bytes.copy())
  assert.equal(bytes.length, copy.length)
  return copy
}

/** Bytes of runs, of noise, and of what came before. */
const pieces = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('run' as const), byte: fc.nat(255), length: fc.nat(2000) }),
    fc.record({ kind: fc.constant('noise' as const), bytes: fc.uint8Array({ maxLength: 300 }) }),
    fc.record({ kind: fc.constant('again' as const), back: fc.nat(40_000), length: fc.nat(500) }),
  ),
  { maxLength: 40 },
)
type Pieces = typeof pieces extends fc.Arbitrary<infer T> ? T : never

function bytesOf(pieces: Pieces): Uint8Array {
  const bytes: number[] = []
  for (const piece of pieces) {
    if (piece.kind === 'noise') bytes.push(...piece.bytes)
    else if (piece.kind === 'run') bytes.push(...Array<number>(piece.length).fill(piece.byte))
    else
      for (let i = 0; i < piece.length; i++)
        bytes.push(bytes.at(-1 - (piece.back % (bytes.length || 1))) ?? 7)
  }
  return Uint8Array.from(bytes)
}

const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
  windowBits: fc.integer({ min: 9, max: 15 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
})

t.test('what zlib has deflated comes back', async (t) => {
  const property = fc.property(pieces, options, (pieces, options) => {
    const bytes = bytesOf(pieces)
    const stream = deflateSync(bytes, options)
    assert.deepEqual(inflated(stream, bytes.length), bytes)
    assert.deepEqual(inflated(Buffer.concat([stream, Buffer.from('more')]), bytes.length + 9), bytes)
    if (bytes.length > 0)
      assert.throws(() => core.inflateZlib(stream, bytes.length - 1), { code: 'unreadable_file' })
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 300 }))
})

t.test('large chunks', async (t) => {
  const random = generator('chunks')
  const chunk = Uint8Array.from({ length: 3 << 20 }, (_, i) =>
    i % 4 === 3 ? 65 : i % 4 === 2 ? (i >> 12) & 255 : random(256),
  )
  t.same(Buffer.compare(inflated(deflateSync(chunk), chunk.length), chunk), 0)
})

t.test('of a damaged stream nothing else comes', async (t) => {
  const random = generator('damage')
  const bytes = Uint8Array.from({ length: 20_000 }, (_, i) => (i % 3 === 0 ? random(256) : (i >> 6) & 255))
  for (const level of [0, 1, 6, 9]) {
    const stream = deflateSync(bytes, { level })
    for (let i = 0; i < 1500; i++) {
      const damaged = Uint8Array.from(stream)
      for (let j = random(3); j >= 0; j--) damaged[random(damaged.length)] = random(256)
      if (Buffer.compare(damaged, stream) === 0) continue
      try {
        const found = inflated(damaged, bytes.length)
        // Some bits mean nothing. Of the others Adler-32 misses a few: zlib itself gives the same bytes then.
        if (Buffer.compare(found, bytes) !== 0 && Buffer.compare(found, inflateSync(damaged)) !== 0)
          t.fail('other bytes')
      } catch (error) {
        if ((error as { code?: string }).code !== 'unreadable_file') throw error
      }
    }
    for (let length = 0; length < stream.length; length += 1 + random(40))
      t.throws(() => core.inflateZlib(stream.subarray(0, length), bytes.length), { code: 'unreadable_file' })
  }
})

t.test('sizes are checked before memory is taken', async (t) => {
  const stream = deflateSync(new Uint8Array(1000))
  for (const most of [2 ** 31, 2 ** 32 - 1, 1 << 24])
    t.equal(inflated(stream, most).length, 1000, 'memory is taken for what so few bytes may hold')
  t.equal(core.isDead(), false)
  t.equal(core.usedBytes(), 0)
})
