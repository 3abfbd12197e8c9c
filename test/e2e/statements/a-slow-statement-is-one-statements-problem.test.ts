import { join } from 'node:path'
import t from 'tap'
import { toldOn } from '../../support/told.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'
import { TASKS } from '../workers/told-tasks.ts'

const worker = new URL('../workers/worker-that-tells-its-tasks.ts', import.meta.url)

/** Joins that compare 10¹² and more pairs of rows, each in a way that DuckDB does not return from. */
const ENDLESS = [
  "SELECT count(*) FROM range(3000000) a JOIN read_parquet('numbers.parquet') o ON abs(a.range / 1e5 - o.id) < 0.05",
  "SELECT max(hash(a.range * b.id)) FROM range(9000000) a, read_parquet('numbers.parquet') b",
  "SELECT count(hash(a.id + b.id)) FROM read_parquet('numbers.parquet') a, read_parquet('numbers.parquet') b",
]

t.test('small statements and JSON with functions do not wait for endless ones', async (t) => {
  const told = toldOn(t, TASKS)
  const settings = { SERVICE_SQL_ENGINES: '3' }
  const { datasets, rows, query } = await startTestService(t, { workers: 2, worker, settings })
  writeParquetFile(join(datasets, 'numbers.parquet'), numberedRows(1_000_000), 100_000)
  const leaving = new AbortController()
  const left = ENDLESS.map((sql) => query({ sql }, { signal: leaving.signal }).catch((error) => error))
  // Two of the three run. The third waits, as it would take the last engine.
  await told('sql_open')
  await told('sql_open')
  for (let i = 0; i < 5; i++) {
    const small = await rows({ sql: `SELECT round(${i}.5) AS r, ${i} AS i` })
    t.equal(small.get(0)?.['i'], i)
    const called = await rows({
      select: [{ function: 'abs', args: ['id'], alias: 'a' }],
      from: { parquet: { paths: ['numbers.parquet'] } },
      filter: { column: 'id', eq: i },
    })
    t.equal(called.numRows, 1)
  }
  leaving.abort()
  for (const each of await Promise.all(left)) t.equal(each.name, 'AbortError')
})

t.test('all of the work of a statement counts, also that for rows that have left', async (t) => {
  const settings = { SERVICE_STATEMENT_TIMEOUT_SECS: '1' }
  const { query } = await startTestService(t, { workers: 1, settings })
  // It gives rows all the time, and many more than it has time for.
  const answer = await query({
    sql: 'SELECT a.range, hash(a.range * b.range) AS h FROM range(100000000) a, range(1000) b WHERE h > 0',
  })
  t.equal(answer.status, 200)
  await t.rejects(answer.arrayBuffer())
})
