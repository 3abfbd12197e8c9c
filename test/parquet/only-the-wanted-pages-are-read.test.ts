import { readFileSync } from 'node:fs'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { readFooter } from '../../src/workers/formats/parquet/metadata/footer.ts'
import { fileMetaData } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'
import { createParquet, parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { segmentsIn } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { readValues } from '../formats/values.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const byPages = createParquet({ smallChunk: 0, indexedChunk: 0, together: 32 << 20 })

t.test('opening reads the footer and nothing else', async (t) => {
  const padded = Buffer.concat([
    Buffer.from('PAR1'),
    Buffer.alloc(1 << 20),
    readFileSync(fixture('parquet', 'flat-none')).subarray(4),
  ])
  const source = memorySource(padded)
  t.equal(parquet.open(source, context).schema.fields.length, 27)
  t.same(source.reads, [64 << 10])
})

t.test('a small row group is read at once, the wanted columns alone', async (t) => {
  const source = memorySource(readFileSync(fixture('parquet', 'flat-v1-zstd')))
  const file = parquet.open(source, context)
  const [segment] = segmentsIn(file)
  source.reads.length = 0
  readValues(file, source, 0, 0, 120, ['i32', 'f64', 'text', 'bool'], context)
  t.same(
    source.reads,
    [segment?.storedBytes.reduce((sum, each) => sum + each, 0)],
    'adjacent chunks, one read',
  )
  source.reads.length = 0
  readValues(file, source, 0, 0, 120, ['text'], context)
  t.same(source.reads, [segment?.storedBytes[2]])
})

t.test('an offset index tells the pages', async (t) => {
  const source = memorySource(readFileSync(fixture('parquet', 'pages-of-noise-index')))
  const file = byPages.open(source, context)
  readValues(file, source, 0, 6000, 6010, ['m'], context)
  source.reads.length = 0
  readValues(file, source, 0, 6000, 6010, ['m'], context)
  t.equal(source.reads.length, 1)
  t.ok(
    (source.reads[0] ?? 0) < 10_000,
    `one page, ${source.reads[0]} of ${segmentsIn(file)[0]?.storedBytes[1]} bytes`,
  )
})

t.test('without an index the page headers are walked, once', async (t) => {
  const source = memorySource(withoutIndex(readFileSync(fixture('parquet', 'pages-of-noise-index'))))
  const file = byPages.open(source, context)
  const stored = segmentsIn(file)[0]?.storedBytes[1] ?? 0
  source.reads.length = 0
  readValues(file, source, 0, 6000, 6010, ['m'], context)
  t.ok(source.reads.length > 10, 'a read for each page')
  source.reads.length = 0
  readValues(file, source, 0, 7000, 7010, ['m'], context)
  t.equal(source.reads.length, 1)
  t.ok((source.reads[0] ?? 0) < 10_000, `one page, ${source.reads[0]} of ${stored} bytes`)
})

t.test('rows of no column, and no rows of a column, take no read', async (t) => {
  const source = memorySource(readFileSync(fixture('parquet', 'flat-v1-zstd')))
  const file = parquet.open(source, context)
  source.reads.length = 0
  t.same(file.read(source, { kind: 'rows', segment: 0, from: 5, to: 9 }, [], context), {
    rows: 4,
    columns: [],
    hasGaps: false,
  })
  readValues(file, source, 0, 5, 5, ['text'], context)
  t.same(source.reads, [])
})

function withoutIndex(bytes: Uint8Array): Uint8Array {
  const metadata = readFooter(memorySource(bytes))
  const footer = encode(fileMetaData, {
    ...metadata,
    rowGroups: metadata.rowGroups.map((group) => ({
      ...group,
      columns: group.columns.map(({ offsetIndexOffset: _, ...column }) => column),
    })),
  })
  const trailer = Buffer.alloc(8, 'PAR1PAR1')
  trailer.writeUInt32LE(footer.length, 0)
  return Buffer.concat([bytes, footer, trailer])
}
