import { copyFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fixture } from '../../formats/fixtures.ts'
import { startTestService } from '../service.ts'

t.test('in JSON, in SQL on both engines, and where the schema is asked for', async (t) => {
  const { datasets, query, url } = await startTestService(t)
  const file = join(datasets, 'a.csv')
  copyFileSync(fixture('parquet', 'duckdb-v2'), file)
  const message = '"a.csv" holds Parquet, and was read as CSV; read it with read_parquet or "parquet".'
  for (const body of [
    { select: [{ value: 1, alias: 'one' }], from: { csv: { paths: ['a.csv'] } } },
    { sql: "SELECT count(*) FROM read_csv('a.csv')" },
    { sql: "SELECT a.* FROM read_csv('*.csv') a, range(2)" },
    { sql: "FROM read_csv_schema('a.csv')" },
  ]) {
    const answer = await query(body)
    t.equal(answer.status, 400)
    t.equal(await answer.json(), message, JSON.stringify(body))
  }
  const schema = await fetch(`${url}/api/dataset-schema?file=a.csv`)
  t.equal(schema.status, 400)
  t.match(await schema.text(), message)

  renameSync(file, join(datasets, 'a.txt'))
  const read = await query({ sql: "SELECT count(*) FROM read_parquet('a.txt')" })
  t.equal(read.status, 200, 'a name says nothing to who says the format')
  await read.arrayBuffer()
  writeFileSync(file, 'a,b\n1,2\n')
  const text = await query({ sql: "SELECT count(*) FROM read_parquet('a.csv')" })
  t.match(
    await text.json(),
    /cannot be read as Parquet: .* It seems to hold CSV: read it with read_csv or "csv"\.$/,
  )
})
