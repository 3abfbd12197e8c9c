import { constants, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { compressByContext } from '../../src/wasm/core/zstd-context.ts'
import { generator } from '../support/generate.ts'

const random = generator('compress')

const SENTINEL = 0xa5

/** Bytes of few letters, of numbers in steps, or of noise. */
function anyBytes(): Buffer {
  const length = random([10, 1000, 160_000, 300_000][random(4)] ?? 1)
  const letters = [1, 4, 256][random(3)] ?? 1
  const step = random(2) === 0 ? 0 : random(100)
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i >> 3) * step + random(letters)))
}

function byNode(bytes: Uint8Array, level: number): Buffer {
  const params = { [constants.ZSTD_c_compressionLevel]: level }
  return zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length })
}

t.test('a context that is kept makes the bytes of a new one, and writes no others', async (t) => {
  for (let i = 0; i < 200; i++) {
    const level = random(2) === 0 ? 1 : 3
    const bytes = anyBytes()
    const output = Buffer.alloc(bytes.length + (bytes.length >> 8) + 65 + random(100), SENTINEL)
    const made = compressByContext(bytes, output, level) ?? Number.NaN
    const expected = byNode(bytes, level)
    t.equal(made, expected.length)
    t.ok(expected.equals(output.subarray(0, made)), `${bytes.length} bytes, level ${level}`)
  }
})

t.test('without room for the worst case the context is left alone', async (t) => {
  const bytes = Buffer.alloc(1000)
  const output = Buffer.alloc(1067, SENTINEL)
  t.equal(compressByContext(bytes, output, 3), null)
  t.ok(output.every((byte) => byte === SENTINEL))
  t.equal(compressByContext(bytes, Buffer.alloc(1068), 3), byNode(bytes, 3).length)
})
