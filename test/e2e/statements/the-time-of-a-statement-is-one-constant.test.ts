import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { post } from '../../http/test-server.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 1 })
const from = "FROM read_parquet('t.parquet')"

/** A row each half an hour, from four days before the test to four days after it. */
await write(
  `SELECT i AS id, (to_timestamp(${Date.now() / 1000}) + to_minutes(30 * i)) AS zoned, zoned::TIMESTAMP AS time,
  time::TIMESTAMP_MS AS time_ms, time::TIMESTAMP_NS AS time_ns, time::DATE AS day, 1 AS "current_timestamp"
  FROM range(-200, 200) AS numbers(i)`,
  't',
)

async function write(rows: string, name: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run(
    `COPY (${rows}) TO '${join(service.datasets, `${name}.parquet`)}' (FORMAT parquet, ROW_GROUP_SIZE 40)`,
  )
  connection.closeSync()
  instance.closeSync()
}

async function engineOf(sql: string): Promise<string> {
  const text = await (await post(`${service.url}/api/explain-query`, { sql })).text()
  return /"Engine": ?"DuckDB"/.test(text) ? 'DuckDB' : 'core'
}

async function idsOf(sql: string): Promise<readonly number[]> {
  return Array.from((await service.rows({ sql })).getChild('id') ?? [], Number)
}

t.test('the core compares with the time as DuckDB does', async (t) => {
  for (const where of [
    "time > now() - INTERVAL 7 HOUR - INTERVAL '15 minutes'",
    'zoned <= now() + INTERVAL 1 DAYS',
    "time_ms BETWEEN now() - INTERVAL '2 days' AND now() - INTERVAL 15 MINUTE",
    'time_ns >= current_date',
    'day = today()',
    "time_ns < current_date - INTERVAL '1' WEEK + INTERVAL 6 DAY",
    'NOT zoned > now() + INTERVAL 15 MINUTE',
    'time > now() - INTERVAL 1 MONTH',
  ]) {
    const sql = `SELECT id ${from} WHERE ${where} ORDER BY id`
    t.equal(await engineOf(sql), 'core', where)
    t.same(await idsOf(sql), await idsOf(`WITH unused AS (SELECT 1) ${sql}`), where)
  }
})

t.test('what computes otherwise with the time is left to DuckDB', async (t) => {
  for (const sql of [
    `SELECT id ${from} WHERE zoned - now() - INTERVAL 1 DAY > INTERVAL 1 DAY`,
    `SELECT id ${from} WHERE "current_timestamp" = 1 AND current_timestamp = 1`,
  ])
    t.equal(await engineOf(sql), 'DuckDB', sql)
})

t.test('an answer that changes with the time has no tag', async (t) => {
  const tagOf = async (sql: string): Promise<string | null> =>
    (await service.query({ sql, output: { format: 'csv' } })).headers.get('etag')
  t.ok(await tagOf(`SELECT id ${from} WHERE time > '2020-01-01'`))
  t.equal(await tagOf(`SELECT id ${from} WHERE time > now()`), null)
  t.equal(await engineOf(`SELECT id, now() AS t ${from}`), 'core')
  t.equal(await tagOf(`SELECT id, now() AS t ${from}`), null)
  t.equal(await tagOf(`SELECT id, date_diff('hour', time, now()) AS age ${from}`), null)
  t.equal(await tagOf(`SELECT count(*) AS n ${from} WHERE day <= current_date`), null)
})
