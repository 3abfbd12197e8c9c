import t from 'tap'
import { testEngine } from '../../sql/engine.ts'

const { run } = await testEngine()

/** The first value as a text. */
const text = (expression: string): unknown => run(`SELECT (${expression})::VARCHAR AS v`).get(0)?.['v']
const typed = (expression: string): string => `${text(expression)} ${text(`typeof(${expression})`)}`

const ZONED = "TIMESTAMPTZ '2024-05-06 07:08:09.123456+00'"

t.test('parts, differences and casts of times with a zone are those in UTC', async (t) => {
  t.equal(text(`year(${ZONED})`), '2024')
  t.equal(text(`extract(hour FROM ${ZONED})`), '7')
  t.equal(text(`(${ZONED})::DATE`), '2024-05-06')
  t.equal(text(`(${ZONED})::TIME`), '07:08:09.123456')
  t.equal(text(`${ZONED} + INTERVAL 1 HOUR`), '2024-05-06 08:08:09.123456+00')
  t.equal(text(`INTERVAL 1 MONTH + ${ZONED}`), '2024-06-06 07:08:09.123456+00')
  t.equal(text(`${ZONED} - TIMESTAMPTZ '2024-05-05 00:00:00+00'`), '1 day 07:08:09.123456')
  t.equal(text(`${ZONED} - DATE '2024-05-05'`), '1 day 07:08:09.123456')
  t.equal(text(`date_diff('day', ${ZONED}, TIMESTAMP '2025-05-06')`), '365')
  t.equal(text(`strftime(${ZONED}, '%d.%m.%Y %H:%M')`), '06.05.2024 07:08')
  t.equal(text(`time_bucket(INTERVAL 1 DAY, ${ZONED})`), '2024-05-06 00:00:00+00')
  t.equal(text('now() - INTERVAL 7 DAY < now()'), 'true')
  t.equal(text(`generate_series(${ZONED}, ${ZONED} + INTERVAL 1 DAY, INTERVAL 1 DAY)[2]::DATE`), '2024-05-07')
})

t.test('date_trunc gives the unit and the zone of its argument', async (t) => {
  const time = "'2024-05-06 07:08:09.123456'"
  for (const part of ['month', 'hour']) {
    const date = part === 'month' ? '2024-05-01' : '2024-05-06'
    const at = part === 'month' ? '2024-05-01 00:00:00' : '2024-05-06 07:00:00'
    for (const type of ['TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP', 'TIMESTAMP_NS'])
      t.equal(typed(`date_trunc('${part}', ${time}::${type})`), `${at} ${type}`)
    t.equal(typed(`date_trunc('${part}', ${time}::TIMESTAMPTZ)`), `${at}+00 TIMESTAMP WITH TIME ZONE`)
    t.equal(typed(`datetrunc('${part}', ${time}::DATE)`), `${date} DATE`)
  }
  t.equal(typed("date_trunc('month', NULL::TIMESTAMP_NS)"), 'null TIMESTAMP_NS')
  for (const type of ['DATE', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMPTZ'])
    for (const infinite of ['infinity', '-infinity'])
      t.equal(text(`date_trunc('month', '${infinite}'::${type})`), infinite, type)
  t.throws(() => text("date_trunc('century', TIMESTAMP_NS '1677-12-01')"), {
    code: 'invalid_sql',
    message: /before the year 1678/,
  })
  for (const type of ['DATE', 'TIMESTAMP_S', 'TIMESTAMP', 'TIMESTAMP_NS', 'TIMESTAMPTZ'])
    t.throws(
      () => run(`SELECT date_trunc('monht', n::${type}) FROM (SELECT now()::TIMESTAMP AS n) WHERE false`),
      { message: /monht/ },
      type,
    )
})

t.test('each row of many is truncated, and nulls stay nulls', async (t) => {
  const sql = (type: string) =>
    `SELECT count(*) AS n FROM (
      SELECT i, CASE WHEN i % 7 > 0 THEN make_timestamp(i * 997000000 - 4000000000000)::${type} END AS t FROM range(10000) AS r(i)
    ) WHERE date_trunc('day', t)::DATE IS DISTINCT FROM CASE WHEN i % 7 > 0 THEN make_timestamp(i * 997000000 - 4000000000000)::DATE END`
  for (const type of ['DATE', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMPTZ'])
    t.equal(run(sql(type)).get(0)?.['n'], 0n, type)
})
