import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { Table, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const NAMES = [
  ['Temp', 'temp', 'TEMP', 'temp_1'],
  ['É', 'é', 'e', 'E'],
  ['', 'C1', 'b'],
  ['a', 'b', ''],
]

t.test('columns have the names in SQL that native DuckDB gives them', async (t) => {
  const service = await startTestService(t)
  const instance = await DuckDBInstance.create(':memory:')
  t.teardown(() => instance.closeSync())
  const connection = await instance.connect()
  for (const names of NAMES) {
    const path = join(service.datasets, 'a.parquet')
    const columns = names.map((name, index) => [name, vectorFromArray([index, index + 10])])
    writeParquetFile(path, new Table(Object.fromEntries(columns)), 1)
    const native = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`)
    const called = native.columnNames()
    const all = await service.rows({ sql: "SELECT * FROM read_parquet('a.parquet')" })
    t.same(
      all.schema.fields.map(({ name }) => name),
      called,
    )
    for (const [index, name] of called.entries()) {
      const found = await service.rows({
        sql: `SELECT "${name}" AS found FROM read_parquet('a.parquet') WHERE "${name}" > 9`,
      })
      t.same([...(found.getChild('found') ?? [])], [index + 10], name)
    }
  }
})
