import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { openInflatingStream, type StreamCodec } from '../../src/wasm/codecs/inflating-stream.ts'
import { fc } from '../support/generate.ts'

const LINES = Array.from({ length: 20_000 }, (_, n) => `${n},${(n * n) % 997},${'é'.repeat(n % 4)}\n`)
/** What `fixtures/compressed/make.py` has compressed. */
const TABLE = Buffer.from(`number,square,text\n${LINES.join('')}`)

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/compressed/${name}`, import.meta.url))

/** Inflates bytes that are handed over in pieces of at most so many, and asked for in pieces of others. */
function inflate(codec: StreamCodec, stored: Uint8Array, handed = 65_536, asked = 1 << 20): Buffer {
  let at = 0
  const stream = openInflatingStream(codec, (target) => {
    const piece = stored.subarray(at, at + Math.min(handed, target.length))
    target.set(piece)
    at += piece.length
    return piece.length
  })
  const pieces: Buffer[] = []
  for (;;) {
    const piece = Buffer.from(stream.next(asked))
    pieces.push(piece)
    if (piece.length < asked) return Buffer.concat(pieces)
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const SAMPLES = [
  ['xz', 'table.csv.xz'],
  ['xz', 'table-sha256.csv.xz'],
  ['bzip2', 'table.csv.bz2'],
] as const

for (const [codec, name] of SAMPLES) {
  const stored = fixture(name)
  t.test(`${name}: whatever the pieces are`, async (t) => {
    await fc.assert(
      fc.property(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 900_000 }), (handed, asked) =>
        inflate(codec, stored, handed, asked).equals(TABLE),
      ),
      { numRuns: 8 },
    )
    t.equal(digest(inflate(codec, stored)), digest(TABLE))
  })

  t.test(`${name}: every member counts`, async (t) => {
    t.equal(digest(inflate(codec, Buffer.concat([stored, stored]))), digest(Buffer.concat([TABLE, TABLE])))
  })

  t.test(`${name}: cut, or with something behind it`, async (t) => {
    const cut = stored.subarray(0, stored.length >> 1)
    t.throws(() => inflate(codec, cut), { code: 'unreadable_file', message: /the data end before/ })
    const more = Buffer.concat([stored, Buffer.from('more than that')])
    t.throws(() => inflate(codec, more), { code: 'unreadable_file' })
  })

  t.test(`${name}: damaged bytes are an error and never other values`, async () => {
    await fc.assert(
      fc.property(fc.nat(stored.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(stored)
        damaged[at] = (damaged[at] ?? 0) ^ change
        try {
          return inflate(codec, damaged).equals(TABLE)
        } catch (error) {
          return (error as { code?: string }).code === 'unreadable_file' || isMemory(error)
        }
      }),
      { numRuns: 40 },
    )
  })
}

/** A damaged header may ask for a dictionary of any size. */
function isMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'memory_limit'
}

t.test('a dictionary that is too large is refused before it is made', async (t) => {
  const stored = fixture('huge-dictionary.csv.xz')
  t.throws(() => inflate('xz', stored), { code: 'memory_limit' })
})

t.test('an error while bytes are handed over is that of the caller', async (t) => {
  const stop = new Error('stopped')
  for (const codec of ['xz', 'bzip2'] as const) {
    const stream = openInflatingStream(codec, () => {
      throw stop
    })
    t.throws(() => stream.next(10), stop)
  }
})

t.test('padding between members of xz is allowed in fours', async (t) => {
  const stored = fixture('table.csv.xz')
  const padded = (bytes: number) => Buffer.concat([stored, Buffer.alloc(bytes), stored])
  t.equal(inflate('xz', padded(8)).length, 2 * TABLE.length)
  t.throws(() => inflate('xz', padded(7)), { code: 'unreadable_file' })
})
