import { gzipSync, zstdCompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { Codec, Encoding } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { dataPage, dictionaryPage, textFile } from './text-file.ts'

const core = createCore({ maximumBytes: 256 << 20 })
const context = readContext(core)

function read(bytes: Uint8Array): unknown {
  const source = memorySource(bytes, 'bomb.parquet')
  return readAll(parquet.open(source, context), source, context)
}

/** The end of every test: nothing is left in the core, and the next file can be read. */
function recovered(t: Test): void {
  t.equal(core.usedBytes(), 0)
  t.equal(core.isDead(), false)
  const good = dataPage(1, Encoding.plain, Buffer.from('\u0002\0\0\0ok'), 6)
  t.same(read(textFile(Codec.uncompressed, 1, [good])), [['ok']])
}

for (const [codec, compress] of [
  [Codec.zstd, zstdCompressSync],
  [Codec.gzip, gzipSync],
] as const) {
  t.test(`a page that inflates to more than it says (codec ${codec})`, async (t) => {
    const page = dataPage(1, Encoding.plain, compress(Buffer.alloc(16 << 20)), 100)
    t.throws(() => read(textFile(codec, 1, [page])), {
      code: 'unreadable_file',
      message: /bomb.parquet.*cannot be inflated/,
    })
    recovered(t)
  })

  t.test(`pages that inflate to more than is allowed (codec ${codec})`, async (t) => {
    const size = 64 << 20
    const page = dataPage(1, Encoding.plain, compress(Buffer.alloc(size)), size)
    t.throws(() => read(textFile(codec, 8, Array(8).fill(page))), {
      code: 'memory_limit',
      message: /bomb.parquet/,
    })
    recovered(t)
  })
}

t.test('a page that claims the whole address space', async (t) => {
  const page = dataPage(1, Encoding.plain, Buffer.alloc(100), 0x7fff_ffff)
  for (const codec of [Codec.zstd, Codec.snappy, Codec.lz4Raw, Codec.uncompressed])
    t.throws(() => read(textFile(codec, 1, [page])), {
      code: 'unreadable_file',
      message: /bomb.parquet.*at most/,
    })
  recovered(t)
})

t.test('snappy data that claim the whole address space', async (t) => {
  const page = dataPage(1, Encoding.plain, Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0), 6)
  t.throws(() => read(textFile(Codec.snappy, 1, [page])), { code: 'unreadable_file', message: /snappy/ })
  recovered(t)
})

t.test('a dictionary of one long text and a page that repeats it', async (t) => {
  const length = 1 << 20
  const rows = 1_000_000
  const text = Buffer.alloc(4 + length, 'x')
  text.writeUInt32LE(length, 0)
  const dictionary = dictionaryPage(1, text)
  // Indices of 1 bit: one run of `rows` zeros.
  const run = rows * 2
  const indices = Uint8Array.of(1, (run & 127) | 128, ((run >> 7) & 127) | 128, run >> 14, 0)
  const page = dataPage(rows, Encoding.rleDictionary, indices, indices.length)
  t.throws(() => read(textFile(Codec.uncompressed, rows, [dictionary, page])), {
    code: 'memory_limit',
    message: /bomb.parquet.*column "x"/,
  })
  recovered(t)
})
