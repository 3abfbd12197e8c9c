import t from 'tap'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { run } from '../../../src/wasm/duckdb/database.ts'
import { isFailure, queryTexts } from '../../../src/wasm/duckdb/statement.ts'
import { addFunctions } from '../../../src/workers/sql/functions/add-functions.ts'
import { openDuck } from '../../sql/duck.ts'
import { generator } from '../../support/generate.ts'

const database = await openDuck()
const core = createCore({ maximumBytes: 16 << 20 })
addFunctions(database, () => core)
const { duck, connections } = database
const [connection = 0] = connections

const first = (sql: string): string => {
  const rows = queryTexts(duck, connection, `SELECT coalesce(COLUMNS(*)::VARCHAR, 'NULL') FROM (${sql})`)
  return isFailure(rows) ? rows.failure : (rows[0] ?? []).join(' ')
}

const random = generator('times')
/** Times of 64 bits, most of them between 1900 and 2100. */
const times = Array.from({ length: 400 }, (_, i) => {
  const spread = i % 4 === 0 ? 9_000_000_000 : 2_200_000_000
  const seconds = BigInt(random(2 * spread) - spread)
  return seconds * 1_000_000_000n + BigInt(random(1_000_000_000))
})
const intervals = times.map(() => {
  const part = (most: number) => random(2 * most) - most
  return `INTERVAL (${part(30)}) MONTH + INTERVAL (${part(500)}) DAY + INTERVAL (${part(2e12)}) MICROSECOND`
})
const rows = times.map((time, n) => `(${time}::BIGINT, ${intervals[n]})`)
run(
  duck,
  connection,
  `CREATE TABLE x AS SELECT make_timestamp_ns(ns)::TIMESTAMPTZ_NS AS t, ns, i, make_timestamp(floor_us) AS m FROM
   (SELECT *, ((ns - ((ns % 1000) + 1000) % 1000) / 1000)::BIGINT AS floor_us FROM (VALUES ${rows.join(', ')}) v(ns, i))
   UNION ALL SELECT NULL, NULL, INTERVAL 1 DAY, NULL`,
)

t.test('intervals are added to the nanosecond', async (t) => {
  for (const [sum, plain] of [
    ['t + i', 'm + i'],
    ['i + t', 'i + m'],
    ['t - i', 'm - i'],
    ["t + INTERVAL '1 month'", "m + INTERVAL '1 month'"],
    ['t - INTERVAL 36 HOUR', 'm - INTERVAL 36 HOUR'],
  ] as const) {
    const exact = `epoch_us(${plain})::HUGEINT * 1000 + ns - epoch_us(m)::HUGEINT * 1000`
    const wrong = `SELECT count(*) FROM x WHERE epoch_ns(${sum}) IS DISTINCT FROM (${exact})`
    t.equal(first(`${wrong} AND abs(${exact}) < 9223372036854775807`), '0', sum)
    t.equal(first(`SELECT typeof(${sum}) FROM x LIMIT 1`), 'TIMESTAMPTZ_NS', sum)
  }
  t.equal(
    first("SELECT '2024-01-31 12:00:00.000000001'::TIMESTAMPTZ_NS + INTERVAL 1 MONTH"),
    '2024-02-29 12:00:00.000000001+00',
  )
  t.equal(first('SELECT NULL::TIMESTAMPTZ_NS + INTERVAL 1 DAY'), 'NULL')
  t.equal(first("SELECT '2024-01-01'::TIMESTAMPTZ_NS + NULL::INTERVAL"), 'NULL')
  t.equal(first("SELECT 'infinity'::TIMESTAMPTZ_NS - INTERVAL 1 DAY"), 'infinity')
  for (const far of ['INTERVAL 300 YEAR', 'INTERVAL 100000000 YEAR', 'INTERVAL 200000 DAY'])
    t.match(
      first(`SELECT '2024-01-01'::TIMESTAMPTZ_NS + ${far}`),
      /outside of the years 1677 to 2262.*time::TIMESTAMPTZ/,
      far,
    )
})

t.test('parts are those of the time rounded down', async (t) => {
  for (const part of ['year', 'month', 'day', 'hour', 'second', 'epoch_us', 'week', 'dayname', 'last_day'])
    t.equal(first(`SELECT count(*) FROM x WHERE ${part}(t) IS DISTINCT FROM ${part}(m)`), '0', part)
  t.equal(first('SELECT count(*) FROM x WHERE epoch_ns(t) IS DISTINCT FROM ns'), '0')
  t.equal(
    first(
      `SELECT count(*) FROM x WHERE nanosecond(t) IS DISTINCT FROM microsecond(m) * 1000 + ns - 1000 * epoch_us(m)`,
    ),
    '0',
  )
  t.equal(
    first(`SELECT strftime('1969-12-31 23:59:59.999999999'::TIMESTAMPTZ_NS, '%Y-%m-%d %H:%M:%S.%n')`),
    '1969-12-31 23:59:59.999999999',
  )
  const before = "'1969-12-31 23:59:59.999999999'::TIMESTAMPTZ_NS"
  t.equal(
    first(`SELECT year(${before}), date_diff('day', ${before}, TIMESTAMPTZ '1970-01-01 00:00:00+00')`),
    '1969 1',
  )
  t.equal(
    first(`SELECT extract(hour FROM ${before}), ${before} - TIMESTAMPTZ '1970-01-01 00:00:00+00'`),
    '23 -00:00:00.000001',
  )
})

t.test('date_trunc keeps unit and zone', async (t) => {
  for (const unit of ['microsecond', 'second', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'decade']) {
    const wrong = `date_trunc('${unit}', t) IS DISTINCT FROM date_trunc('${unit}', m)`
    t.equal(first(`SELECT count(*) FROM x WHERE abs(ns) < 9000000000000000000 AND ${wrong}`), '0', unit)
    t.equal(
      first(`SELECT typeof(date_trunc('${unit}', t)), typeof(datetrunc('${unit}', t)) FROM x LIMIT 1`),
      'TIMESTAMPTZ_NS TIMESTAMPTZ_NS',
    )
  }
})

t.test('statements may be bound any number of times', async (t) => {
  for (let i = 0; i < 300; i++)
    first(`SELECT date_trunc('month', t) + i AS v, max(strftime(t, '%n')), ${i} FROM x GROUP BY v LIMIT 1`)
  t.equal(first("SELECT typeof(date_trunc('day', t + i)) FROM x LIMIT 1"), 'TIMESTAMPTZ_NS')
})

t.test('other functions of times are as they were', async (t) => {
  for (const [call, result] of [
    ["TIMESTAMP '2024-01-31 00:00:00' + INTERVAL 1 MONTH", '2024-02-29 00:00:00'],
    ["TIMESTAMPTZ '2024-01-31 00:00:00+00' + INTERVAL 1 MONTH", '2024-02-29 00:00:00+00'],
    ["DATE '2024-01-31' + 1", '2024-02-01'],
    ["typeof(date_trunc('day', TIMESTAMP_NS '2024-01-31 00:00:00'))", 'TIMESTAMP_NS'],
    ["epoch_ns(TIMESTAMP_NS '1970-01-01 00:00:00.000000001')", '1'],
    ["strftime(NULL, '%Y')", 'NULL'],
    ["'2024-01-31'::TIMESTAMPTZ_NS - TIMESTAMP '2024-01-30 00:00:00'", '1 day'],
  ] as const)
    t.equal(first(`SELECT ${call}`), result, call)
})
