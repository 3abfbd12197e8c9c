import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  type FileMetaData,
  PhysicalType,
  Repetition,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { createParquet, parquet } from '../../src/workers/formats/parquet/parquet.ts'
import type { FileStore } from '../../src/workers/store/store.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll, readValues, type Value } from '../formats/values.ts'
import { type TestLeaf, writeParquet } from './write-parquet.ts'

// Old writers left the header of the dictionary page out of a chunk's length (IMPALA-694, PARQUET-816), as in
// nation.dict-malformed of parquet-testing.

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const byPages = createParquet({ smallChunk: 0, indexedChunk: 0, together: 32 << 20 })

const ROWS = 24
const nations = ['ALGERIA', 'BRAZIL', 'CANADA', 'DENMARK'].map((name) => Buffer.from(name))
const nationOf = (row: number): Buffer => nations[row % nations.length] ?? Buffer.alloc(0)

function flatLeaf(name: string, isOptional: boolean, pageRows: number): TestLeaf {
  const definition = isOptional ? 1 : 0
  const levels = Array.from({ length: ROWS }, (_, row) =>
    isOptional && row % 5 === 0
      ? { repetition: 0, definition: 0 }
      : { repetition: 0, definition, value: nationOf(row) },
  )
  const pages = [levels.slice(0, ROWS - pageRows), levels.slice(ROWS - pageRows)].map((levels) => ({
    levels,
    version: 1 as const,
    isDictionary: true,
  }))
  return {
    path: [name],
    type: PhysicalType.byteArray,
    maxDefinition: definition,
    maxRepetition: 0,
    pages,
    dictionary: nations,
  }
}

/** A list of two in each row. */
const listLeaf: TestLeaf = {
  path: ['list', 'list', 'element'],
  type: PhysicalType.byteArray,
  maxDefinition: 1,
  maxRepetition: 1,
  pages: [
    {
      levels: Array.from({ length: 2 * ROWS }, (_, i) => ({
        repetition: i % 2,
        definition: 1,
        value: nationOf(i),
      })),
      version: 1,
      isDictionary: true,
    },
  ],
  dictionary: nations,
}

const text = { type: PhysicalType.byteArray, logicalType: { string: {} } }

/** A file whose columns have dictionaries, and whose chunks have lengths that are `lacking` bytes too short. */
function file(lacking: number, change?: (metadata: FileMetaData) => FileMetaData): Uint8Array {
  const schema = [
    { name: 'schema', children: 4 },
    { name: 'required', repetition: Repetition.required, ...text },
    { name: 'list', repetition: Repetition.required, children: 1, logicalType: { list: {} } },
    { name: 'list', repetition: Repetition.repeated, children: 1 },
    { name: 'element', repetition: Repetition.required, ...text },
    { name: 'optional', repetition: Repetition.optional, ...text },
    // The last page has one row, so it is shorter than the bytes that are lacking.
    { name: 'short', repetition: Repetition.required, ...text },
  ]
  const leaves = [
    flatLeaf('required', false, 12),
    listLeaf,
    flatLeaf('optional', true, 12),
    flatLeaf('short', false, 1),
  ]
  return writeParquet(schema, leaves, ROWS, (metadata) => {
    const shorter = withColumns(metadata, (metaData) => ({
      ...metaData,
      compressedSize: metaData.compressedSize - lacking,
    }))
    return change ? change(shorter) : shorter
  })
}

type MetaData = NonNullable<FileMetaData['rowGroups'][number]['columns'][number]['metaData']>

function withColumns(metadata: FileMetaData, change: (metaData: MetaData) => MetaData): FileMetaData {
  return {
    ...metadata,
    rowGroups: metadata.rowGroups.map((group) => ({
      ...group,
      columns: group.columns.map((column) => ({
        ...column,
        ...(column.metaData && { metaData: change(column.metaData) }),
      })),
    })),
  }
}

function rowsOf(bytes: Uint8Array, provider = parquet): Value[][] {
  const source = memorySource(bytes, 'x.parquet')
  return readAll(provider.open(source, context), source, context)
}

const expected = rowsOf(file(0))

t.test('bytes that a chunk with a dictionary lacks are read behind it', async (t) => {
  t.equal(expected[0]?.[1], 'BRAZIL')
  for (const lacking of [1, 2, 14, 15, 16, 17, 20, 30, 40, 50])
    for (const [name, provider] of Object.entries({ parquet, byPages }))
      t.strictSame(rowsOf(file(lacking), provider), expected, `${lacking} bytes, ${name}`)
  t.equal(core.usedBytes(), 0)
})

t.test('some of its rows are found too', async (t) => {
  const source = memorySource(file(20), 'x.parquet')
  const names = ['required', 'list', 'optional', 'short']
  const read = readValues(byPages.open(source, context), source, 0, 20, 22, names, context)
  t.strictSame(
    read,
    expected.map((values) => values.slice(20, 22)),
  )
})

t.test('more than the header of a dictionary may have is an error', async (t) => {
  for (const provider of [parquet, byPages])
    t.throws(() => rowsOf(file(101), provider), {
      code: 'unreadable_file',
      message: /"x.parquet" .*column "required"/,
    })
})

t.test('so is a chunk without a dictionary', async (t) => {
  const levels = [1, 2, 3].map((value) => ({ repetition: 0, definition: 0, value }))
  const bytes = writeParquet(
    [
      { name: 'schema', children: 1 },
      { name: 'n', type: PhysicalType.int32, repetition: Repetition.required },
    ],
    [
      {
        path: ['n'],
        type: PhysicalType.int32,
        maxDefinition: 0,
        maxRepetition: 0,
        pages: [{ levels, version: 1 }],
      },
    ],
    3,
    (metadata) => withColumns(metadata, (each) => ({ ...each, compressedSize: each.compressedSize - 4 })),
  )
  for (const provider of [parquet, byPages])
    t.throws(() => rowsOf(bytes, provider), { code: 'unreadable_file', message: /"x.parquet" .*column "n"/ })
})

t.test('rows are not looked for in the footer', async (t) => {
  const whole = file(20)
  const footerBytes = Buffer.from(whole).readUInt32LE(whole.length - 8)
  const end = whole.length - 8 - footerBytes
  // Without the last byte of the last page.
  const cut = Buffer.concat([whole.subarray(0, end - 1), whole.subarray(end)])
  for (const [bytes, dataEnd] of [
    [whole, end],
    [cut, end - 1],
  ] as const)
    for (const provider of [parquet, byPages]) {
      const opened = provider.open(memorySource(bytes, 'x.parquet'), context)
      const source = memorySource(bytes, 'x.parquet')
      const ends: number[] = []
      const observed: FileStore = {
        ...source,
        open: () => observed,
        read(offset, length) {
          ends.push(offset + length)
          return source.read(offset, length)
        },
      }
      const read = () => readAll(opened, observed, context)
      if (bytes === whole) t.strictSame(read(), expected)
      else t.throws(read, { code: 'unreadable_file', message: /"x.parquet" .*column "short"/ })
      t.equal(Math.max(...ends), dataEnd)
    }
})
