import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const ROWS = 300_000
const service = await startTestService(t, { workers: 2 })
const columns = tableFromArrays({
  n: Int32Array.from({ length: ROWS }, (_, row) => (row * 7919) % 100_003),
  x: Float64Array.from({ length: ROWS }, (_, row) => ((row * 104_729) % 1009) / 10),
  r: Float32Array.from({ length: ROWS }, (_, row) => ((row * 7919) % 13) - 6),
  key: Int32Array.from({ length: ROWS }, (_, row) => row % 100_000),
  tie: Int8Array.from({ length: ROWS }, (_, row) => (row % 1000 === 7 ? 3 : row % 3)),
  name: Array.from({ length: ROWS }, (_, row) => `name ${row % 11}`),
  flag: Array.from({ length: ROWS }, (_, row) => row % 5 === 0),
  time: Array.from({ length: ROWS }, (_, row) => new Date(1_700_000_000_000 + ((row * 31) % 977) * 1000)),
})
writeParquetFile(join(service.datasets, 'a.parquet'), columns, 20_000)

const FROM = "FROM read_parquet('a.parquet')"

/** What the core runs, in an order that the statement tells. */
const CORE = [
  `SELECT median(n), median(x), quantile_cont(x, 0), quantile_cont(x, 1), quantile_disc(n, 0), quantile_disc(n, 1.0) ${FROM}`,
  `SELECT quantile_cont(x, 0.05), median(x), quantile_cont(x, 0.95), quantile_disc(DISTINCT x, 0.95) ${FROM} WHERE n > 500`,
  `SELECT median(x), quantile_disc(n, 0.5), arg_max(name, x), arg_min(x, name) ${FROM} WHERE n < 0`,
  `SELECT name, median(x) ${FROM} WHERE n < 0 GROUP BY name`,
  `SELECT median(flag), quantile_disc(flag, 0.9), median(time), quantile_disc(time, 0.1) ${FROM}`,
  `SELECT key, median(x), arg_max(n, x) ${FROM} GROUP BY key ORDER BY key`,
  `SELECT key, median(DISTINCT n), quantile_disc(x, 0.3) ${FROM} GROUP BY key HAVING median(n) > 90000 ORDER BY median(n), key LIMIT 50`,
  `SELECT name, median(x * 2 + n) FILTER (WHERE flag) AS m, round(quantile_cont(x, 0.999), 1) ${FROM} GROUP BY name ORDER BY m, name`,
  `SELECT arg_max(n, tie), arg_min(n, tie), arg_max(name, tie), max_by(flag, -tie), argmin(time, n) ${FROM}`,
  `SELECT name, arg_max(x, time), arg_max(time, x), argmax(n + 1, key), min_by(name, x) FILTER (WHERE tie > 1) ${FROM} GROUP BY name ORDER BY name`,
  `SELECT arg_max(n, CASE WHEN flag THEN x END), arg_max(CASE WHEN n > 500 THEN n END, tie) ${FROM}`,
  `SELECT arg_max(n, x - (SELECT max(tie) ${FROM})), arg_min(name, key + (SELECT min(n) ${FROM})) ${FROM} WHERE flag`,
  `SELECT name, arg_max(n + (SELECT count(*) ${FROM}), CASE WHEN x > (SELECT avg(tie) ${FROM}) THEN key END) ${FROM} GROUP BY name ORDER BY name`,
]

/** What it leaves to DuckDB, with what DuckDB says if that is an error. */
const LEFT: readonly (readonly [sql: string, error: RegExp | null])[] = [
  [`SELECT quantile_cont(n, -0.1), quantile_disc(n, -1) ${FROM}`, null],
  [`SELECT quantile_cont(n, 1.1) ${FROM}`, /range \[-1, 1\]/],
  [`SELECT quantile_disc(n, NULL) ${FROM}`, /must not be NULL/],
  [`SELECT quantile_disc(n, key) ${FROM}`, /constant/],
  [`SELECT quantile_cont(n, [0.1, 0.9]) ${FROM}`, null],
  [`SELECT quantile_cont(n, 0.1234567891) ${FROM}`, null],
  [`SELECT median(name), quantile_disc(name, 0.5) ${FROM}`, null],
  [`SELECT quantile_cont(name, 0.5) ${FROM}`, /quantile_cont/],
  [`SELECT median(n, 0.5) ${FROM}`, /median/],
  [`SELECT arg_max(n) ${FROM}`, /arg_max/],
  [`SELECT arg_max(n, x, 3), arg_max_null(n, x) ${FROM}`, null],
  [`SELECT arg_max(n, x ORDER BY key DESC) ${FROM}`, null],
  [`SELECT arg_max(name, n - (SELECT sum(tie) ${FROM})) ${FROM}`, null],
  [`SELECT median(n) OVER () ${FROM} WHERE n < 100 LIMIT 1`, null],
]

t.test('quantiles and values of extreme rows are those of DuckDB', async (t) => {
  for (const sql of CORE) {
    const { engine, core, duck } = await askBoth(service, sql)
    t.equal(engine, 'core', sql)
    t.ok(sameAnswers(core, duck, true), `${sql}\n${show(core).slice(0, 500)}\n${show(duck).slice(0, 500)}`)
  }
})

t.test('quantiles between floats are those of DuckDB to the last digit', async (t) => {
  for (const share of [0.3, 0.07]) {
    const values = ['r', 'x', 'r / 7'].map((value) => `quantile_cont(${value}, ${share})`)
    const { engine, core, duck } = await askBoth(
      service,
      `SELECT key, ${values.join(', ')} ${FROM} GROUP BY key ORDER BY key`,
    )
    t.equal(engine, 'core')
    t.ok(show(core) === show(duck), `of ${share}`)
  }
})

t.test('what the core does not run has the answer or the error of DuckDB', async (t) => {
  for (const [sql, error] of LEFT) {
    const { engine, core } = await askBoth(service, sql)
    t.equal(engine, 'DuckDB', sql)
    if (error === null) t.type(core, 'object', sql)
    else t.match(core, error, sql)
  }
})
