import { readFileSync } from 'node:fs'
import { Dictionary, Int8, Table, tableFromIPC, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { typeName } from '../../src/plan/types/schema.ts'
import { arrow } from '../../src/workers/formats/arrow/arrow.ts'
import { fixture } from '../formats/fixtures.ts'
import { segmentsIn } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { readValues } from '../formats/values.ts'
import { context, core, read } from './reading.ts'

function types(bytes: Uint8Array): readonly string[] {
  const file = arrow.open(memorySource(bytes), context)
  return file.schema.fields.map(({ name, type }) => {
    t.same(file.typeOf({ name, type }), type)
    return `${name}: ${typeName(type)}`
  })
}

t.test('those of flat values, whose type says so', async (t) => {
  t.same(types(readFileSync(fixture('arrow', 'dictionaries-file'))), [
    'i8: Dictionary(Int8, Utf8)',
    'u16: Dictionary(UInt16, Utf8)',
    'u64: Dictionary(UInt64, Utf8)',
    'numbers: Dictionary(Int32, Float64)',
    'null_values: Dictionary(Int32, Utf8)',
    'structs: Struct<x: Int64, y: Utf8>',
    'all_null: Dictionary(Int8, Utf8)',
    'lists: List<Utf8>',
    'inner: Struct<colour: Utf8>',
  ])
})

t.test('with more values from batch to batch, and not with others', async (t) => {
  for (const kind of ['file', 'stream'])
    t.same(types(readFileSync(fixture('arrow', `deltas-${kind}`))), [
      'colour: Dictionary(Int64, Utf8)',
      'n: Int64',
    ])
  t.same(types(readFileSync(fixture('arrow', 'replaced-stream'))), ['colour: Utf8', 'n: Int64'])
})

t.test('every batch of a file has the same, also one of nulls alone', async (t) => {
  const type = new Dictionary(new Utf8(), new Int8())
  const column = vectorFromArray(['a', null, 'b'], type)
  const nulls = vectorFromArray([null, null, null], type)
  for (const vectors of [
    [column, column],
    [nulls, nulls],
  ]) {
    const table = new Table(vectors.flatMap((vector) => new Table({ x: vector }).batches))
    const source = memorySource(tableToIPC(table, 'file'))
    const file = arrow.open(source, context)
    const [first, second] = segmentsIn(file).map((_, segment) => {
      const { columns } = file.read(
        source,
        { kind: 'rows', segment, from: 0, to: 3 },
        file.schema.fields,
        context,
      )
      const messages = columns.map((each) => Buffer.from(core.encodeDictionary(each, 0)))
      for (const each of columns) core.free(each)
      return messages
    })
    t.equal(first?.length, 1)
    t.same(second, first)
  }
  t.equal(core.usedBytes(), 0)
})

t.test('a dictionary is read once for all batches', async (t) => {
  const bytes = readFileSync(fixture('arrow', 'dictionaries-stream-zstd'))
  const source = memorySource(bytes)
  const file = arrow.open(source, context)
  const readFirst = (segment: number): number => {
    const before = source.reads.length
    readValues(file, source, segment, 0, 10, ['i8'], context)
    return source.reads.length - before
  }
  t.equal(readFirst(0), 2, 'the indices and the values')
  t.equal(readFirst(1), 1, 'the indices')
})

t.test('an index past the end of its dictionary is an error', async (t) => {
  const type = new Dictionary(new Utf8(), new Int8())
  const bytes = Buffer.from(tableToIPC(new Table({ x: vectorFromArray(['a', 'b', 'a'], type) }), 'stream'))
  t.same(read(bytes), [['a', 'b', 'a']])
  const { data } = tableFromIPC(bytes).getChildAt(0) ?? { data: [] }
  const [indices] = data
  // apache-arrow's values are views of the bytes.
  new Uint8Array(bytes.buffer, indices?.values.byteOffset, 3)[1] = 2
  t.throws(() => read(bytes), {
    code: 'unreadable_file',
    message: /"x.arrow".*column "x".*index out of range/,
  })
  t.equal(core.usedBytes(), 0)
})
