import { Field, Schema, Table, tableToIPC, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { CSV } from '../../src/main/output/text/csv.ts'
import { JSON_DOCUMENT } from '../../src/main/output/text/json.ts'
import { segmentsOf } from '../../src/plan/source/segments.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import type { EncodedRows } from '../../src/wasm/core/core.ts'
import { arrow } from '../../src/workers/formats/arrow/arrow.ts'
import { context, core } from '../arrow/reading.ts'
import { memorySource } from '../formats/source.ts'
import { generator } from '../support/generate.ts'
import { FLAT, type Made, type Pair, randomType } from './json-values.ts'

type Encode = (columns: readonly Column[], rows: number, from: number) => EncodedRows

/** The text of all rows of a table, which is encoded in batches. */
function encoded(table: Table, encode: (types: Parameters<typeof core.encodeCsv>[1]) => Encode): string {
  const source = memorySource(tableToIPC(table, 'stream'), 'x.arrow')
  const file = arrow.open(source, context)
  const { fields } = file.schema
  const encodeRows = encode(fields.map(({ type }) => type))
  let text = ''
  for (const [segment, { rows }] of segmentsOf(file.segments([], source, context)).entries()) {
    const read = file.read(source, { kind: 'rows', segment, from: 0, to: rows ?? 0 }, fields, context)
    for (let row = 0; row < read.rows; ) {
      const batch = encodeRows(read.columns, read.rows, row)
      text += Buffer.from(batch.bytes).toString()
      row = batch.next
    }
    for (const column of read.columns) core.free(column)
  }
  return text
}

function tableOf(made: readonly Made[], pairs: readonly (readonly Pair[])[]): Table {
  const schema = new Schema(made.map(({ type }, i) => new Field(`c${i}`, type, true)))
  const columns = made.map(({ type }, i) => [
    `c${i}`,
    vectorFromArray(
      (pairs[i] ?? []).map(({ value }) => value),
      type,
    ),
  ])
  return new Table(schema, new Table(schema, Object.fromEntries(columns)).batches)
}

for (let seed = 0; seed < 80; seed++)
  t.test(`table ${seed}`, async (t) => {
    const random = generator(`json ${seed}`)
    const made = Array.from({ length: 1 + random(4) }, () => randomType(random, 3))
    const rows = 1 + random(60)
    const pairs = made.map((column) => Array.from({ length: rows }, () => column.pair()))
    const table = tableOf(made, pairs)
    const names = made.map((_, i) => `c${i}`)
    const expected = Array.from({ length: rows }, (_, row) => pairs.map((column) => column[row]?.json))
    const most = [1 + random(40), 1 + random(500)] as const
    const message = made.map(({ type }) => String(type)).join(', ')

    const arrays = encoded(
      table,
      (types) => (columns, count, from) => core.encodeJson(null, columns, types, count, null, from, ...most),
    )
    const document = `${JSON_DOCUMENT.head({ fields: [], metadata: {} })}${arrays.slice(JSON_DOCUMENT.separatorBytes)}${JSON_DOCUMENT.tail}`
    t.strictSame(JSON.parse(document).rows, expected, `json of ${message}`)

    const objects = encoded(
      table,
      (types) => (columns, count, from) => core.encodeJson(names, columns, types, count, null, from, ...most),
    )
    const lines = objects.split('\n').slice(0, -1)
    t.strictSame(
      lines.map((line) => JSON.parse(line)),
      expected.map((row) => Object.fromEntries(row.map((value, i) => [`c${i}`, value]))),
      `ndjson of ${message}`,
    )
    t.equal(core.usedBytes(), 0)
  })

t.test('the texts of JSON are those of CSV', async (t) => {
  const random = generator('texts')
  const kinds = new Set(['Decimal', 'Date', 'Timestamp'])
  const made = FLAT.filter(([type]) => kinds.has(type().constructor.name)).map(([type, pair]) => ({
    type: type(),
    pair: () => pair(random),
  }))
  const pairs = made.map((column) => Array.from({ length: 50 }, () => column.pair()))
  const table = tableOf(made, pairs)
  const csv = encoded(
    table,
    (types) => (columns, count, from) => core.encodeCsv(columns, types, count, null, from, 100, 1 << 20),
  )
  t.equal(CSV.separatorBytes, 0)
  t.same(
    csv.trim().split('\n'),
    Array.from({ length: 50 }, (_, row) => pairs.map((column) => column[row]?.json).join()),
  )
})
