import { readFileSync } from 'node:fs'
import { Field, Int32, makeData, RecordBatch, Schema, Struct, Table, tableToIPC } from 'apache-arrow'
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
