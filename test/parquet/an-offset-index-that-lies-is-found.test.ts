import { readFileSync } from 'node:fs'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { readFooter } from '../../src/workers/formats/parquet/metadata/footer.ts'
import { fileMetaData, offsetIndex } from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { decode, encode } from '../../src/workers/formats/parquet/metadata/thrift.ts'
import { createParquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { segmentsIn } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, encode as encodeRows, readValues, type Value } from '../formats/values.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const provider = createParquet({ smallChunk: 0, indexedChunk: 0, together: 0 })
const original = readFileSync(fixture('parquet', 'pages-of-noise-index'))

interface Location {
  readonly offset: number
  readonly compressedSize: number
  readonly firstRow: number
}

/** The file with another offset index of the first column. */
function withIndex(change: (page: Location, i: number) => Location): Uint8Array {
  const metadata = readFooter(memorySource(original))
  const chunk = metadata.rowGroups[0]?.columns[0]
  const start = chunk?.offsetIndexOffset ?? 0
  const { pages } = decode(offsetIndex, original.subarray(start, start + (chunk?.offsetIndexLength ?? 0)))
  const index = encode(offsetIndex, { pages: pages.map(change) })
  const footer = encode(fileMetaData, {
    ...metadata,
    rowGroups: metadata.rowGroups.map((group) => ({
      ...group,
      columns: group.columns.map((column, i) =>
        i === 0 ? { ...column, offsetIndexOffset: original.length, offsetIndexLength: index.length } : column,
      ),
    })),
  })
  const trailer = Buffer.alloc(8, 'PAR1PAR1')
  trailer.writeUInt32LE(footer.length, 0)
  return Buffer.concat([original, index, footer, trailer])
}

function read(bytes: Uint8Array): Value[][] {
  const source = memorySource(bytes, 'lies.parquet')
  return readValues(provider.open(source, context), source, 0, 5000, 5010, ['n'], context)
}

const truth = read(original)

const LIES: Readonly<Record<string, (page: Location, i: number) => Location>> = {
  'a page begins at another row': (page, i) => (i === 4 ? { ...page, firstRow: page.firstRow + 5 } : page),
  'a page lies elsewhere': (page, i) => (i === 4 ? { ...page, offset: page.offset + 1 } : page),
  'a page is longer': (page, i) => (i === 4 ? { ...page, compressedSize: page.compressedSize + 9 } : page),
  'pages overlap': (page) => ({ ...page, compressedSize: page.compressedSize * 2 }),
  'rows go backwards': (page, i) => ({ ...page, firstRow: i % 2 ? 0 : page.firstRow }),
  'a page lies beyond the file': (page, i) => (i === 4 ? { ...page, offset: 2 ** 40 } : page),
}

t.strictSame(read(withIndex((page) => page)), truth, 'the index alone was changed')

for (const [name, lie] of Object.entries(LIES)) {
  t.test(name, async (t) => {
    t.throws(() => read(withIndex(lie)), { code: 'unreadable_file', message: /"lies.parquet"/ })
    t.equal(core.usedBytes(), 0)
  })
}

t.test('a chunk that is small enough is read whole instead', async (t) => {
  const small = createParquet({ smallChunk: 1 << 20, indexedChunk: 0, together: 0 })
  const selection = { hasAny: (from: number, to: number) => from <= 5000 && 5000 < to }
  for (const name of ['pages overlap', 'rows go backwards', 'a page lies beyond the file']) {
    const source = memorySource(withIndex(LIES[name] ?? ((page) => page)), 'lies.parquet')
    const file = small.open(source, context)
    const range = { kind: 'rows', segment: 0, from: 0, to: segmentsIn(file)[0]?.rows ?? 0 } as const
    const fields = file.schema.fields.filter((each) => each.name === 'n')
    const { columns } = file.read(source, range, fields, context, selection)
    const mask = core.inRuns(range.to, [{ from: 5000, to: 5001 }])
    const kept = columns.map((column) => core.filter(column, mask))
    t.strictSame(
      columnValues(encodeRows(core, kept, fields, 1)),
      read(original).map((values) => values.slice(0, 1)),
    )
    for (const column of [...columns, ...kept]) core.free(column)
    core.freeMask(mask)
  }
  t.equal(core.usedBytes(), 0)
})
