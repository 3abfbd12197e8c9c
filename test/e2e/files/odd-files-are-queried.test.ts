import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Decimal, Field, Schema, Table, tableToIPC } from 'apache-arrow'
import t from 'tap'
import { fixture } from '../../formats/fixtures.ts'
import { startTestService } from '../service.ts'

t.test('a VARIANT is a struct, in JSON and in SQL', async (t) => {
  const { datasets, rows } = await startTestService(t)
  copyFileSync(fixture('parquet', 'duckdb-variant'), join(datasets, 'variant.parquet'))
  const from = { parquet: { paths: ['variant.parquet'] } }
  const filter = { column: 'id', gt_eq: 2, lt_eq: 5 }
  const table = await rows({ select: ['numbers', 'lists'], from, filter })
  // A value that is not a number is encoded in `value`, and so is the null of row 5.
  const numbers = [...(table.getChild('numbers') ?? [])]
  t.same(
    numbers.map((row) => row?.typed_value ?? null),
    [null, null, null, null],
  )
  t.same(
    numbers.map((row) => (row?.value ?? []).length > 0),
    [true, true, true, true],
  )
  const sql = `SELECT id, numbers.typed_value AS number, lists.typed_value[2].typed_value AS item, guessed
    FROM read_parquet('variant.parquet') WHERE id BETWEEN 3 AND 6 ORDER BY id`
  const answer = await rows({ sql })
  t.same(
    answer.toArray().map((row) => [row.id, row.number, row.item]),
    [
      [3n, null, 4n],
      [4n, null, null],
      [5n, null, null],
      [6n, 6n, null],
    ],
  )
})

t.test('a decimal that does not fit into its bits is an error that names file and column', async (t) => {
  const { datasets, url, query } = await startTestService(t)
  const schema = new Schema([new Field('price', new Decimal(2, 40, 128))])
  writeFileSync(join(datasets, 'prices.arrow'), tableToIPC(new Table(schema), 'file'))
  const from = { arrow: { paths: ['prices.arrow'] } }
  const sql = "SELECT count(*) FROM read_arrow('prices.arrow')"
  const answers = [
    query({ select: ['price'], from }),
    query({ sql }),
    fetch(`${url}/api/dataset-schema?file=prices.arrow`),
  ]
  for (const answer of await Promise.all(answers)) {
    t.equal(answer.status, 400)
    t.match(await answer.text(), /prices.arrow.* column .*price.* Decimal128 of precision 40, .* 1 to 38/)
  }
})

t.test('a time beyond what INT96 is read as is an error that names file and column', async (t) => {
  const { datasets, query, rows } = await startTestService(t)
  for (const name of ['refused-int96', 'refused-int96-nested', 'int96-far'])
    copyFileSync(fixture('parquet', name), join(datasets, `${name}.parquet`))
  for (const [name, column] of [
    ['refused-int96', 't'],
    ['refused-int96-nested', 'list'],
  ] as const) {
    const from = { parquet: { paths: [`${name}.parquet`] } }
    const table = `read_parquet('${name}.parquet')`
    for (const body of [
      { select: [column], from },
      { select: ['id'], from, filter: { is_not_null: { column } } },
      { sql: `SELECT ${column} FROM ${table} ORDER BY id` },
      { sql: `SELECT ${column}::VARCHAR || id FROM ${table}` },
    ]) {
      const answer = await query(body)
      t.equal(answer.status, 400, JSON.stringify(body))
      t.match(
        await answer.text(),
        new RegExp(`${name}.parquet.* column .*${column}.* INT96 time .* TIMESTAMP in micro`),
      )
    }
    // Queries that do not read the column do not fail.
    t.equal((await rows({ select: ['id'], from, filter: { column: 'id', lt: 3 } })).numRows, 3)
    t.equal((await rows({ sql: `SELECT max(id) FROM ${table}` })).numRows, 1)
  }
  // The Arrow schema in this file says microseconds.
  const from = { parquet: { paths: ['int96-far.parquet'] } }
  const far = await rows({ select: ['t'], from })
  t.equal(far.getChild('t')?.get(0), Date.parse('0001-01-01T00:00:00Z'))
})
