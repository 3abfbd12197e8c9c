import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { startTestService } from '../service.ts'

const ROWS = {
  row: "CASE WHEN i % 3 > 0 THEN row(i, 's' || i) END",
  union: 'CASE WHEN i % 3 > 0 THEN union_value(n := i)::UNION(n BIGINT, s VARCHAR) END',
}

const QUERIES = [
  'SELECT typeof(r) AS type, r::VARCHAR AS text FROM $t ORDER BY i',
  'SELECT i, r[1] AS first, r[2] AS second FROM $t ORDER BY i',
  'SELECT count(*) AS n FROM $t WHERE r[1]::VARCHAR > $$3$$ OR r IS NULL',
]

t.test('a struct whose fields have no names is read as native DuckDB reads it', async (t) => {
  const service = await startTestService(t)
  const instance = await DuckDBInstance.create(':memory:')
  t.teardown(() => instance.closeSync())
  const connection = await instance.connect()
  for (const [name, row] of Object.entries(ROWS)) {
    const path = join(service.datasets, `${name}.parquet`)
    await connection.run(`COPY (SELECT i, ${row} AS r FROM range(9) AS t(i)) TO '${path}' (FORMAT parquet)`)
    for (const query of QUERIES) {
      const native = await connection.runAndReadAll(query.replace('$t', () => `read_parquet('${path}')`))
      const found = await service.rows({ sql: query.replace('$t', () => `read_parquet('${name}.parquet')`) })
      const cells = found.toArray().map((each) => Object.values(each.toJSON()).map(String))
      t.same(
        cells,
        native.getRows().map((each) => each.map(String)),
        `${name}: ${query}`,
      )
    }
  }
})
