import { join } from 'node:path'
import { Int32, Table, TimestampMillisecond, Utf8, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { askBoth, show } from '../../sql/select/both-engines.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

// Statistics of the column say that no value is null.
const service = await startTestService(t, { workers: 1 })
const columns = new Table({
  id: vectorFromArray([0, 1, 2], new Int32()),
  // The year 5138 has no nanoseconds in 64 bits.
  t: vectorFromArray([0, 1e14, 0], new TimestampMillisecond()),
  i: vectorFromArray([3, 300, 4], new Int32()),
  s: vectorFromArray(['7', 'seven', '8'], new Utf8()),
})
writeParquetFile(join(service.datasets, 'a.parquet'), columns, 10)

const CONDITIONS: Readonly<Record<string, readonly number[] | 'fails'>> = {
  'TRY_CAST(s AS INTEGER) IS NULL': [1],
  'TRY_CAST(s AS INTEGER) IS NOT NULL': [0, 2],
  'TRY_CAST(s AS INTEGER) IS NOT DISTINCT FROM NULL': [1],
  'TRY_CAST(i AS TINYINT) IS NULL': [1],
  'CAST(i AS TINYINT) IS NULL': 'fails',
  'CAST(t AS TIMESTAMP_NS) IS NULL': 'fails',
  'CAST(i AS DECIMAL(2, 0)) IS NULL': 'fails',
  'CAST(s AS INTEGER) IS NULL': 'fails',
  'CAST(s AS INTEGER) IS NOT NULL': 'fails',
}

t.test('a test for null of a cast leaves out no row whose cast fails', async (t) => {
  for (const [condition, ids] of Object.entries(CONDITIONS)) {
    const sql = `SELECT id FROM read_parquet('a.parquet') WHERE ${condition} ORDER BY id`
    const { core, duck } = await askBoth(service, sql)
    for (const answer of [core, duck])
      t.same(typeof answer === 'string' ? 'fails' : answer.rows.flat(), ids, `${condition}: ${show(answer)}`)
  }
})
