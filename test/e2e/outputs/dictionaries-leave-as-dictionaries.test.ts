import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Dictionary,
  Field,
  Int16,
  Int32,
  Schema,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import t, { type Test } from 'tap'
import { startTestService, type TestService } from '../service.ts'

const ROWS = 900

/** Each file has other words, and so another dictionary. */
const wordOf = (id: number): string | null =>
  id % 10 === 0 ? null : `${id < ROWS ? 'first' : 'second'}-${id % 7}`

function file(first: number, type: Dictionary | Utf8): Uint8Array {
  const schema = new Schema([new Field('id', new Int32(), true), new Field('word', type, true)])
  const ids = Array.from({ length: ROWS }, (_, i) => first + i)
  const word = vectorFromArray(ids.map(wordOf), type)
  const id = vectorFromArray(ids, new Int32())
  const batches = [0, 300, 600].flatMap(
    (from) =>
      new Table(schema, { id: id.slice(from, from + 300), word: word.slice(from, from + 300) }).batches,
  )
  return tableToIPC(new Table(schema, batches), 'file')
}

async function startOver(t: Test): Promise<TestService> {
  const service = await startTestService(t)
  const type = new Dictionary(new Utf8(), new Int16(), 5)
  const files = {
    'a.arrow': file(0, type),
    'b.arrow': file(ROWS, type),
    'plain.arrow': file(ROWS, new Utf8()),
  }
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(service.datasets, name), bytes)
  return service
}

const from = (...paths: string[]) => ({ select: ['word', 'id'], from: { arrow: { paths } } })

function words(table: Table): unknown[] {
  return [...(table.getChild('word') ?? [])]
}

const expected = (...ids: number[]) => ids.map(wordOf)
const range = (start: number, end: number) => Array.from({ length: end - start }, (_, i) => start + i)

async function download(service: TestService, body: object): Promise<Buffer> {
  const answer = await service.query(body)
  t.equal(answer.status, 200)
  return Buffer.from(await answer.arrayBuffer())
}

t.test('in a stream, over batches, files and workers', async (t) => {
  const service = await startOver(t)
  const table = await service.rows(from('a.arrow', 'b.arrow'))
  t.equal(String(table.schema.fields[0]?.type), 'Dictionary<Int16, Utf8>')
  t.same(words(table), expected(...range(0, 2 * ROWS)))
})

t.test('a dictionary is sent when it changes and not before', async (t) => {
  const service = await startOver(t)
  const stream = await download(service, from('a.arrow', 'b.arrow'))
  t.equal(stream.toString('latin1').split('first-3').length, 2)
  t.equal(stream.toString('latin1').split('second-3').length, 2)
})

t.test('filters compare its values, offset and limit cut inside of it', async (t) => {
  const service = await startOver(t)
  const query = from('a.arrow', 'b.arrow')
  const equal = await service.rows({ ...query, filter: { column: 'word', eq: 'second-3' } })
  const ids = range(ROWS, 2 * ROWS).filter((id) => wordOf(id) === 'second-3')
  t.same([...(equal.getChild('id') ?? [])], ids)
  t.same(words(equal), expected(...ids))
  const missing = await service.rows({ ...query, filter: { is_null: { column: 'word' } } })
  t.same(words(missing), Array(ROWS / 5).fill(null))
  for (const [offset, limit] of [
    [890, 20],
    [300, 1],
    [899, 1],
    [950, 10],
  ] as const) {
    const cut = await service.rows({ ...query, offset, limit })
    t.same(words(cut), expected(...range(offset, offset + limit)))
  }
})

t.test('an answer without rows still has the type', async (t) => {
  const service = await startOver(t)
  const query = { ...from('a.arrow'), filter: { column: 'word', eq: 'none' } }
  const table = await service.rows(query)
  t.equal(table.numRows, 0)
  t.equal(String(table.schema.fields[0]?.type), 'Dictionary<Int16, Utf8>')
  t.equal(tableFromIPC(await download(service, { ...query, output: { format: 'ipc' } })).numRows, 0)
})

t.test('in an Arrow file of one file; of several, as its values', async (t) => {
  const service = await startOver(t)
  const ipc = { output: { format: 'ipc' } }
  const one = tableFromIPC(await download(service, { ...from('a.arrow'), ...ipc }))
  t.equal(String(one.schema.fields[0]?.type), 'Dictionary<Int16, Utf8>')
  t.same(words(one), expected(...range(0, ROWS)))
  const both = tableFromIPC(await download(service, { ...from('a.arrow', 'b.arrow'), ...ipc }))
  t.equal(String(both.schema.fields[0]?.type), 'Utf8')
  t.same(words(both), expected(...range(0, 2 * ROWS)))
})

t.test('twice, under another name, and as CSV', async (t) => {
  const service = await startOver(t)
  const select = ['word', { column: 'word', alias: 'again' }]
  const table = await service.rows({ ...from('a.arrow'), select, limit: 20 })
  t.same([...(table.getChild('again') ?? [])], expected(...range(0, 20)))
  const csv = await download(service, { ...from('a.arrow'), limit: 3, output: { format: 'csv' } })
  t.equal(String(csv), 'word,id\n,0\nfirst-1,1\nfirst-2,2\n')
})

t.test('beside a file of plain values it becomes plain', async (t) => {
  const service = await startOver(t)
  const table = await service.rows(from('a.arrow', 'plain.arrow'))
  t.equal(String(table.schema.fields[0]?.type), 'Utf8')
  t.same(words(table), expected(...range(0, 2 * ROWS)))
})
