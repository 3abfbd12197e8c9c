import { readFileSync } from 'node:fs'
import {
  type DataType,
  Decimal,
  Dictionary,
  Field,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
} from 'apache-arrow'
import t from 'tap'
import { fixture } from '../formats/fixtures.ts'
import { read } from './reading.ts'

function refused(t: { throws: typeof import('tap').throws }, bytes: Uint8Array, message: RegExp): void {
  t.throws(() => read(bytes), { code: 'unreadable_file', message })
}

t.test('types', async (t) => {
  for (const [name, column, type] of [
    ['union', 'either', 'Union'],
    ['run-end', 'runs', 'RunEndEncoded'],
    ['list-view', 'lists', 'ListView'],
  ])
    refused(
      t,
      readFileSync(fixture('arrow', `refused-${name}`)),
      new RegExp(`"x.arrow" .*column "${column}" has the type ${type}`),
    )
})

t.test('decimals that do not fit into their bits', async (t) => {
  const of = (type: DataType): Uint8Array[] => {
    const empty = new Table(new Schema([new Field('n', new Int32()), new Field('price', type)]))
    return (['file', 'stream'] as const).map((kind) => tableToIPC(empty, kind))
  }
  for (const [bits, digits] of [
    [32, 9],
    [64, 18],
    [128, 38],
    [256, 76],
  ] as const) {
    for (const precision of [digits + 1, 1000, 0, -1]) {
      const type = new Decimal(2, precision, bits)
      const name = `has the type Decimal${bits} of precision ${precision}, which may be 1 to ${digits}`
      const nested = new Struct([new Field('list', new List(new Field('item', type)))])
      for (const bytes of of(type)) refused(t, bytes, new RegExp(`"x.arrow" .*column "price" ${name}`))
      for (const bytes of of(nested)) refused(t, bytes, new RegExp(`column "price.list.item" ${name}`))
      for (const bytes of of(new Dictionary(type, new Int32())))
        refused(t, bytes, new RegExp(`column "price" ${name}`))
    }
    for (const scale of [128, -128, 2 ** 31 - 1, -(2 ** 31)])
      for (const bytes of of(new Decimal(scale, digits, bits)))
        refused(t, bytes, new RegExp(`column "price" has the type Decimal${bits} of scale ${scale}`))
    for (const precision of [1, digits])
      for (const bytes of of(new Decimal(1, precision, bits))) t.same(read(bytes), [[], []])
  }
})

t.test('Feather of version 1', async (t) => {
  refused(t, Buffer.from('FEA1....FEA1'), /"x.arrow" .*Feather file of version 1/)
})

t.test('files that are something else', async (t) => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(100), Buffer.from('a,b\n1,2\n'), Buffer.from('ARROW')])
    refused(t, bytes, /"x.arrow" .*neither with ARROW1 nor with the schema of a stream/)
})

t.test('two columns of one name', async (t) => {
  const fields = [new Field('a', new Int32(), false), new Field('a', new Int32(), false)]
  const values = makeData({ type: new Int32(), data: Int32Array.of(1) })
  const data = makeData({ type: new Struct(fields), length: 1, children: [values, values] })
  const table = new Table(new RecordBatch(new Schema(fields), data))
  for (const kind of ['file', 'stream'] as const) refused(t, tableToIPC(table, kind), /two .* named "a"/)
})

t.test('versions of the metadata before 4', async (t) => {
  const bytes = Buffer.from(tableToIPC(new Table(new Schema([])), 'stream'))
  // The message's table: its first slot is the version.
  const root = 8 + bytes.readUInt32LE(8)
  const version = root + bytes.readUInt16LE(root - bytes.readInt32LE(root) + 4)
  t.ok(read(bytes))
  for (const each of [0, 2, 5]) {
    bytes.writeUInt16LE(each, version)
    t.throws(() => read(bytes), { code: 'unreadable_file', message: /"x.arrow"/ })
  }
})
