import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fixture } from '../../formats/fixtures.ts'
import { post } from '../../http/test-server.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t)
const { query, rows } = service
for (const [format, name] of [
  ['parquet', 'nanoseconds'],
  ['parquet', 'polars-nanoseconds'],
  ['arrow', 'nanoseconds'],
] as const)
  copyFileSync(fixture(format, name), join(service.datasets, `${name}.${format}`))

/** Of row 33: what scripts/make-time-fixtures.py wrote. */
const ROW = { time: '00:35:27.000000033', span: 'PT259200.000000003S' }

/** Rows whose values are whole microseconds. */
const WHOLE: Readonly<Record<string, number>> = { span: 30, months: 0 }

for (const [format, name] of [
  ['parquet', 'nanoseconds'],
  ['parquet', 'polars-nanoseconds'],
  ['arrow', 'nanoseconds'],
] as const) {
  const from = { [format]: { paths: [`${name}.${format}`] } }
  const table = `read_${format}('${name}.${format}')`
  const columns = format === 'arrow' ? ['span', 'months'] : ['span']

  t.test(`${format} ${name}`, async (t) => {
    await t.test('JSON queries have all digits', async (t) => {
      const answer = await query({
        select: ['time', 'span'],
        from,
        filter: { column: 'n', eq: 33 },
        output: { format: 'ndjson' },
      })
      t.same(await answer.json(), ROW)
    })

    await t.test('times of day are exact in statements too', async (t) => {
      for (const sql of [
        `SELECT time FROM ${table} WHERE n = 33`,
        `SELECT time FROM ${table} WHERE n + 0 = 33`,
        `SELECT max(time) AS time FROM ${table} WHERE n + 0 = 33`,
        `SELECT coalesce(time, TIME '00:00:00') AS time FROM ${table} WHERE n = 33`,
        `SELECT time FROM ${table} WHERE time = '00:35:27.000000033'`,
        `SELECT time FROM ${table} WHERE time = '00:35:27.000000033' AND n % 1 = 0`,
        `SELECT time FROM ${table} WHERE time > TIME '00:35:27' AND time < TIME '00:35:27.000001' AND n % 1 = 0`,
        `SELECT time::VARCHAR::TIME_NS AS time FROM ${table} WHERE n = 33`,
        `SELECT TIME_NS '00:35:27.000000033' AS time FROM ${table} WHERE n = 33`,
      ]) {
        const answer = await query({ sql, output: { format: 'ndjson' } })
        t.same(await answer.json(), { time: ROW.time }, sql)
      }
      const made = await query({
        sql: `SELECT time::TIME AS a, hour(time) AS b, time + INTERVAL 1 HOUR AS c, nanosecond(time) AS d, typeof(time) AS e,
              DATE '2024-01-01' + time AS f, time = TIME '00:35:27' AS g FROM ${table} WHERE n = 33`,
        output: { format: 'ndjson' },
      })
      t.same(await made.json(), {
        a: '00:35:27',
        b: 0,
        c: '01:35:27',
        d: 27_000_000_033,
        e: 'TIME_NS',
        f: '2024-01-01T00:35:27',
        g: false,
      })
      const answer = await rows({ sql: `SELECT time, (n + 1)::INT AS l FROM ${table} WHERE n + 0 = 33` })
      t.same(
        answer.schema.fields.map(({ type }) => String(type)),
        ['Time64<NANOSECOND>', 'Int32'],
      )
      if (format !== 'parquet') return
      for (const condition of [
        "time > TIME '23:59:59'",
        "time > '23:59:59.000000001'",
        "time BETWEEN '23:59:59' AND '23:59:59.5'",
      ]) {
        const sql = `SELECT n + 1 AS n FROM ${table} WHERE ${condition}`
        const explained = await post(`${service.url}/api/explain-analyze-query`, { sql })
        t.match(await explained.text(), /"units_pruned":[1-9]/, sql)
      }
    })

    await t.test('a statement that would cut a value is a 400 that names the column', async (t) => {
      for (const column of columns)
        for (const sql of [
          `SELECT ${column} FROM ${table}`,
          `SELECT max(${column}::VARCHAR) FROM ${table} WHERE n % 2 = 1`,
          `SELECT {'a': ${column}} AS s FROM ${table} WHERE n = 33`,
        ]) {
          const answer = await query({ sql })
          t.equal(answer.status, 400, sql)
          t.match(
            await answer.json(),
            new RegExp(
              `column "${column}", \\w+\\(\\w+\\).* have microseconds there: cast .* by a JSON query`,
            ),
            sql,
          )
        }
    })

    await t.test('whole microseconds are as ever', async (t) => {
      for (const column of columns) {
        const answer = await rows({
          sql: `SELECT ${column}::VARCHAR AS v FROM ${table} WHERE n = ${WHOLE[column]}`,
        })
        t.equal(answer.numRows, 1, column)
      }
      if (name !== 'nanoseconds') return
      const sql = `SELECT time_us, span_us, span_ms, span_s FROM ${table} WHERE n + 0 = 33`
      const answer = await query({ sql, output: { format: 'ndjson' } })
      t.same(await answer.json(), {
        time_us: '00:35:27',
        span_us: 'P0DT259200S',
        span_ms: 'P0DT259200S',
        span_s: 'P0DT259200S',
      })
    })
  })
}
