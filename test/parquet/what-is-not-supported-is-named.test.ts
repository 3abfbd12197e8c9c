import { readFileSync } from 'node:fs'
import { Field, Int32, Schema, SparseUnion, Table, tableToIPC, Utf8 } from 'apache-arrow'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import {
  Codec,
  type FileMetaData,
  PhysicalType,
  Repetition,
} from '../../src/workers/formats/parquet/metadata/metadata.ts'
import { parquet } from '../../src/workers/formats/parquet/parquet.ts'
import { readContext } from '../formats/context.ts'
import { fixture } from '../formats/fixtures.ts'
import { memorySource } from '../formats/source.ts'
import { readAll } from '../formats/values.ts'
import { writeParquet } from './write-parquet.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)

function refused(t: { throws: typeof import('tap').throws }, bytes: Uint8Array, message: RegExp): void {
  const source = memorySource(bytes, 'x.parquet')
  t.throws(() => readAll(parquet.open(source, context), source, context), {
    code: 'unreadable_file',
    message,
  })
}

/** Columns of one INT32 each, with metadata changed. */
function file(names: readonly string[], change?: (metadata: FileMetaData) => FileMetaData): Uint8Array {
  const levels = [1, 2, 3].map((value) => ({ repetition: 0, definition: 0, value }))
  return writeParquet(
    [
      { name: 'schema', children: names.length },
      ...names.map((name) => ({ name, type: PhysicalType.int32, repetition: Repetition.required })),
    ],
    names.map((name) => ({
      path: [name],
      type: PhysicalType.int32,
      maxDefinition: 0,
      maxRepetition: 0,
      pages: [{ levels, version: 1 }],
    })),
    3,
    change,
  )
}

t.test('encryption', async (t) => {
  refused(t, readFileSync(fixture('parquet', 'encrypted-footer')), /"x.parquet" .*encrypted/)
  refused(t, readFileSync(fixture('parquet', 'encrypted-column')), /"x.parquet" .*encrypted/)
})

t.test('codecs', async (t) => {
  const withCodec = (codec: number) =>
    file(['a'], (metadata) => ({
      ...metadata,
      rowGroups: metadata.rowGroups.map((group) => ({
        ...group,
        columns: group.columns.map((column) =>
          column.metaData ? { ...column, metaData: { ...column.metaData, codec } } : column,
        ),
      })),
    }))
  refused(t, withCodec(Codec.lzo), /column "a": .*LZO, which is not supported/)
  refused(t, withCodec(99), /column "a": .*codec number 99, which is not supported/)
})

t.test('types of the Arrow schema', async (t) => {
  const union = new SparseUnion([0, 1], [new Field('i', new Int32()), new Field('s', new Utf8())])
  const stream = tableToIPC(new Table(new Schema([new Field('either', union)])), 'stream')
  const value = Buffer.from(stream).toString('base64')
  const bytes = file(['either'], (metadata) => ({ ...metadata, keyValues: [{ key: 'ARROW:schema', value }] }))
  refused(t, bytes, /column "either" has the type Union, which is not supported/)
})

t.test('decimals of more digits than their bytes hold', async (t) => {
  const { int32, int64, fixedLenByteArray } = PhysicalType
  const empty = (type: number, precision: number) =>
    writeParquet(
      [
        { name: 'schema', children: 1 },
        {
          name: 'price',
          type,
          ...(type === fixedLenByteArray && { typeLength: 16 }),
          repetition: Repetition.required,
          logicalType: { decimal: { precision, scale: 2 } },
        },
      ],
      [{ path: ['price'], type, maxDefinition: 0, maxRepetition: 0, pages: [] }],
      0,
    )
  for (const type of [int32, int64, fixedLenByteArray])
    for (const precision of [0, 39, 76, 77])
      refused(
        t,
        empty(type, precision),
        new RegExp(`column "price" is a decimal of precision ${precision} and`),
      )
})

t.test('columns of the same name', async (t) => {
  refused(t, file(['a', 'b', 'a']), /two columns named "a"/)
})

t.test('columns in other files', async (t) => {
  const bytes = file(['a'], (metadata) => ({
    ...metadata,
    rowGroups: metadata.rowGroups.map((group) => ({
      ...group,
      columns: group.columns.map((column) => ({ ...column, filePath: 'b.parquet' })),
    })),
  }))
  refused(t, bytes, /column "a" lies in another file, "b.parquet"/)
})
