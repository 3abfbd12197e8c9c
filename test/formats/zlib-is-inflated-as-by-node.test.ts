import { deflateSync, inflateSync } from 'node:zlib'
import t from 'tap'
import { inflateZlibInto } from '../../src/workers/formats/zlib-context.ts'
import { generator } from '../support/generate.ts'

const random = generator('zlib')

/** The stream with what may befall it, or the stream itself. */
function altered(stream: Buffer): Buffer {
  const kind = random(5)
  if (kind === 0) return stream.subarray(0, random(stream.length + 1))
  if (kind === 1) return Buffer.concat([stream, Buffer.alloc(1 + random(9), random(256))])
  const other = Buffer.from(stream)
  if (kind === 2) other[random(other.length)] = random(256)
  return other
}

/** What Node makes of it. Null: it is damaged, or cut off. */
function byNode(stream: Buffer): Buffer | null {
  try {
    return inflateSync(stream)
  } catch {
    return null
  }
}

t.test('a checksum is checked where the stream ends with its room', async (t) => {
  const bytes = Buffer.from(Uint8Array.from({ length: 1000 }, () => random(256)))
  const stream = deflateSync(bytes)
  stream[stream.length - 1] = (stream.at(-1) ?? 0) ^ 1
  t.equal(inflateZlibInto(stream, new Uint8Array(1000)), null)
  t.equal(inflateZlibInto(stream, new Uint8Array(990)), 990, 'not where it goes on')
  t.equal(inflateZlibInto(deflateSync(bytes), new Uint8Array(1000)), 1000)
})

t.test('a stream is inflated into its room until that is full, whatever came before it', async (t) => {
  for (let round = 0; round < 600; round++) {
    const length = random([2, 100, 30_000][random(3)] ?? 1)
    const letters = [1, 4, 256][random(3)] ?? 1
    const stream = altered(
      deflateSync(
        Uint8Array.from({ length }, () => random(letters)),
        { level: random(10) },
      ),
    )
    const expected = byNode(stream)
    const size = Math.max(0, random(4) === 0 ? length - 1 + random(3) : length)
    const room = new Uint8Array(size + 1)
    const inflated = inflateZlibInto(stream, room)
    if (expected === null || expected.length <= size) {
      // Damage behind a room that is full is not noticed.
      const isRight =
        inflated === (expected?.length ?? null) || (expected === null && inflated === room.length)
      if (!isRight) t.fail(`round ${round}: ${inflated} bytes`)
    } else if (inflated !== room.length) t.fail(`round ${round}: ${inflated} of ${room.length} bytes`)
    if (
      inflated !== null &&
      expected !== null &&
      !expected.subarray(0, inflated).equals(room.subarray(0, inflated))
    )
      t.fail(`round ${round} has other bytes`)
  }
})
