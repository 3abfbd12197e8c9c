import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int16,
  Int32,
  Schema,
  Table,
  TimestampMillisecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import t, { type Test } from 'tap'
import { fixture } from '../../formats/fixtures.ts'
import { startTestService } from '../service.ts'

const ROWS = 1000

/** Rows `first`..`first + ROWS` in batches of 300. */
function rowsFrom(first: number, types: Readonly<Record<string, DataType>>): Table {
  const schema = new Schema(Object.entries(types).map(([name, type]) => new Field(name, type, true)))
  const batches = [0, 300, 600, 900].flatMap((from) => {
    const ids = Array.from({ length: Math.min(300, ROWS - from) }, (_, i) => first + from + i)
    const values: Readonly<Record<string, unknown[]>> = {
      id: ids,
      name: ids.map((id) => `name-${id % 7}`),
      depth: ids.map((id) => (id % 10 === 0 ? null : id / 4)),
      time: ids.map((id) => id * 1000),
    }
    const columns = Object.entries(types).map(([name, type]) => [
      name,
      vectorFromArray(values[name] ?? [], type),
    ])
    return new Table(schema, Object.fromEntries(columns)).batches
  })
  return new Table(schema, batches)
}

const WITH_TIME = {
  id: new Int16(),
  name: new Dictionary(new Utf8(), new Int32()),
  time: new TimestampMillisecond(),
}
const WITH_DEPTH = { id: new Int32(), name: new Utf8(), depth: new Float64() }

async function startOver(t: Test) {
  const service = await startTestService(t)
  writeFileSync(join(service.datasets, 'a.arrow'), tableToIPC(rowsFrom(0, WITH_TIME), 'stream'))
  writeFileSync(join(service.datasets, 'b.feather'), tableToIPC(rowsFrom(ROWS, WITH_DEPTH), 'file'))
  return service
}

const BOTH = { arrow: { paths: ['*.arrow', '*.feather'] } }

t.test('files and streams are one table', async (t) => {
  const { rows } = await startOver(t)
  const table = await rows({ select: ['id', 'name', 'depth', 'time'], from: BOTH })
  t.same(
    table.schema.fields.map((field) => `${field.name}: ${field.type}`),
    ['id: Int32', 'name: Utf8', 'depth: Float64', 'time: Timestamp<MILLISECOND>'],
  )
  t.equal(table.numRows, 2 * ROWS)
  for (const row of [0, 299, 300, 999, 1000, 1003, 1999]) {
    const isSecond = row >= ROWS
    t.same(table.get(row)?.toJSON(), {
      id: row,
      name: `name-${row % 7}`,
      depth: isSecond && row % 10 !== 0 ? row / 4 : null,
      time: isSecond ? null : row * 1000,
    })
  }
})

t.test('rows are filtered, skipped and limited', async (t) => {
  const { rows } = await startOver(t)
  const filtered = await rows({
    select: ['id'],
    from: BOTH,
    filters: [
      { column: 'name', eq: 'name-3' },
      { column: 'id', gt_eq: 290, lt_eq: 1300 },
    ],
    offset: 2,
    limit: 100,
  })
  const expected = Array.from({ length: 2 * ROWS }, (_, id) => id).filter((id) => id % 7 === 3 && id >= 290)
  t.same([...(filtered.getChild('id') ?? [])], expected.slice(2, 102))
  const missing = await rows({ select: ['id'], from: BOTH, filter: { is_null: { column: 'depth' } } })
  t.equal(missing.numRows, ROWS + ROWS / 10)
  const limited = await rows({ select: ['time'], from: BOTH, offset: 995, limit: 10 })
  t.same(
    [...(limited.getChild('time') ?? [])],
    [995, 996, 997, 998, 999].map((s) => s * 1000).concat(Array(5).fill(null)),
  )
})

t.test('compressed files by other writers, all types', async (t) => {
  const { datasets, rows, url } = await startTestService(t)
  const names = ['odd-file', 'odd-stream-lz4', 'odd-file-zstd']
  for (const name of names) copyFileSync(fixture('arrow', name), join(datasets, `${name}.arrow`))
  const schema = await fetch(`${url}/api/dataset-schema?file=odd-file.arrow`)
  t.equal(schema.status, 200)
  const { fields } = (await schema.json()) as { fields: { name: string; data_type: unknown }[] }
  t.same(
    fields.slice(0, 4).map(({ name, data_type }) => [name, data_type]),
    [
      ['nothing', 'Null'],
      ['dec_32', { Decimal32: [9, 2] }],
      ['dec_64', { Decimal64: [18, 3] }],
      ['date_64', 'Date64'],
    ],
  )
  const table = await rows({
    select: fields.map(({ name }) => name),
    from: { arrow: { paths: names.map((name) => `${name}.arrow`) } },
  })
  t.equal(table.numRows, 300)
  const texts = [...(table.getChild('text_view') ?? [])]
  t.same(texts.slice(0, 6), ['', 'a', 'grün', null, 'a text that no view holds inline', 'x'.repeat(40)])
  t.same(texts.slice(100), [...texts.slice(0, 100), ...texts.slice(0, 100)])
})

t.test('metadata of the schema and of fields are kept', async (t) => {
  const { datasets, url } = await startTestService(t)
  copyFileSync(fixture('arrow', 'flat-file'), join(datasets, 'flat.feather'))
  const answer = await fetch(`${url}/api/dataset-schema?file=flat.feather`)
  const { fields, metadata } = (await answer.json()) as {
    fields: { name: string; metadata: unknown }[]
    metadata: unknown
  }
  t.same(metadata, { title: 'fixtures' })
  for (const field of fields) t.same(field.metadata, { units: field.name })
})

t.test('a damaged file is a clear error', async (t) => {
  const { datasets, query } = await startTestService(t)
  writeFileSync(join(datasets, 'cut.arrow'), tableToIPC(rowsFrom(0, WITH_DEPTH), 'file').subarray(0, 2000))
  const answer = await query({ select: ['id'], from: { arrow: { paths: ['cut.arrow'] } } })
  t.equal(answer.status, 400)
  t.match(await answer.json(), /"cut.arrow" cannot be read as Arrow: .*cut short/)
})
