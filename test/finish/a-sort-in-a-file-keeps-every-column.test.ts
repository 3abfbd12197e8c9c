import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as arrow from 'apache-arrow'
import t from 'tap'
import { valueType } from '../../src/plan/types/schema.ts'
import { ARROW } from '../formats/product.ts'
import { ascending, descending, planOf } from './plan-of.ts'
import { startPool } from './pool.ts'

// Of fewer rows no dictionary is sent to another worker.
const BATCH_ROWS = 1500
const BATCHES = 3

const DICTIONARY = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32())
const LIST = new arrow.List(new arrow.Field('item', new arrow.Int16(), true))
const STRUCT = new arrow.Struct<arrow.TypeMap>([
  new arrow.Field('a', new arrow.Utf8(), true),
  new arrow.Field('b', LIST, true),
])

/** Columns in several batches, which share a dictionary of few values. */
function batches(): arrow.RecordBatch[] {
  const rows = Array.from({ length: BATCHES * BATCH_ROWS }, (_, row) => row)
  const text = (row: number): string | null => (row % 7 === 0 ? null : `text ${(row * 31) % 13}`)
  const list = (row: number): (number | null)[] | null =>
    row % 5 === 0 ? null : Array.from({ length: row % 4 }, (_, at) => (at === 2 ? null : row % 100))
  const columns = {
    row: arrow.vectorFromArray(rows, new arrow.Int32()),
    few: arrow.vectorFromArray(rows.map(text), DICTIONARY),
    many: arrow.vectorFromArray(
      rows.map((row) => `${(row * 7919) % 4801} is a text that occurs once`),
      new arrow.Utf8(),
    ),
    float: arrow.vectorFromArray(
      rows.map((row) => [0, -0, Number.NaN, null, row % 3, Number.POSITIVE_INFINITY][row % 6]),
      new arrow.Float64(),
    ),
    list: arrow.vectorFromArray(rows.map(list), LIST),
    struct: arrow.vectorFromArray(
      rows.map((row) => (row % 11 === 0 ? null : { a: text(row), b: list(row + 1) })),
      STRUCT,
    ),
    nothing: arrow.vectorFromArray(
      rows.map(() => null),
      new arrow.Null(),
    ),
  }
  const table = new arrow.Table(columns)
  return Array.from(
    { length: BATCHES },
    (_, index) => table.slice(index * BATCH_ROWS, (index + 1) * BATCH_ROWS).batches,
  ).flat()
}

t.test('columns with dictionaries and nested ones', async (t) => {
  const pool = startPool(t, 2)
  const folder = join(t.testdir({}), 'files')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.arrows'), arrow.tableToIPC(new arrow.Table(batches()), 'stream'))
  const found = await pool.table(folder, ARROW)
  t.ok(found.schema.fields.some(({ type }) => type.kind === 'dictionary'))
  // Orders are bound to value types. In memory the rows keep their dictionary.
  const fields = found.schema.fields.map((each) => ({ ...each, type: valueType(each.type) }))
  const table = { ...found, schema: { ...found.schema, fields } }
  const columns = fields.map(({ name }) => name)
  const few = columns.indexOf('few')
  const float = columns.indexOf('float')
  const sizes = { runBytes: 100_000, blockBytes: 10_000, stepBytes: 100_000 }
  for (const order of [
    [ascending(few)],
    [{ ...descending(few), areNullsFirst: true }, descending(float)],
    [{ ...ascending(float), areNullsFirst: true }, ascending(few)],
    [descending(columns.indexOf('many'))],
  ])
    for (const [offset, limit] of [
      [0, Number.POSITIVE_INFINITY],
      [1401, 1500],
    ]) {
      const plan = planOf(table, { columns, order, ...(offset && { offset }), ...(limit && { limit }) })
      const [inMemory, inFile] = [
        await pool.run(plan, table),
        await pool.run(plan, table, { heldBytes: 0, sizes }),
      ]
      t.equal(inMemory.rows.length, Math.min(limit ?? 0, BATCH_ROWS * BATCHES - (offset ?? 0)))
      t.same(inFile.rows, inMemory.rows)
      t.ok(inFile.metrics.length > inMemory.metrics.length + 3)
    }
})
