import { readFileSync } from 'node:fs'
import t from 'tap'
import { createParquetWasm } from '../../src/wasm/parquet-wasm.ts'
import { fixture } from '../formats/fixtures.ts'

const bytes = readFileSync(fixture('parquet', 'pages-of-noise-index'))
const rows = { offset: 0, limit: 12_000 }

t.test('a file that takes more than the memory is a memory_limit, and the next one is read', async (t) => {
  const decoder = createParquetWasm({ maximumBytes: 4 << 20 })
  const count = (file: Uint8Array): number =>
    decoder.readParquet([file], rows, ({ batches }) => batches.length)
  t.equal(count(bytes), 1)
  t.throws(() => decoder.readParquet([Buffer.alloc(3 << 20)], rows, () => 0), { code: 'memory_limit' })
  // The file fits into the memory, and its decoded rows do not.
  const padded = Buffer.concat([Buffer.alloc((2 << 20) - bytes.length), bytes])
  t.throws(() => decoder.readParquet([padded], { offset: 0, limit: 2 ** 31 - 1 }, () => 0))
  t.equal(count(bytes), 1)
  t.ok(decoder.memoryBytes() <= 4 << 20)
})

t.test('what is decoded is given back', async (t) => {
  const decoder = createParquetWasm({ maximumBytes: 64 << 20 })
  const read = (): number =>
    decoder.readParquet([bytes.subarray(0, 100), bytes.subarray(100)], rows, () => decoder.memoryBytes())
  for (let round = 0; round < 10; round++) read()
  const settled = decoder.memoryBytes()
  for (let round = 0; round < 200; round++) read()
  t.equal(decoder.memoryBytes(), settled)
  for (let round = 0; round < 2000; round++)
    t.throws(() => decoder.readParquet([bytes.subarray(9)], rows, () => 0))
  t.equal(decoder.memoryBytes(), settled, 'errors leak nothing either')
})
