import t from 'tap'
import { testEngine } from '../../sql/engine.ts'

const { run } = await testEngine()
const text = (expression: string): unknown => run(`SELECT (${expression})::VARCHAR AS v`).get(0)?.['v']

const UNZONED = ['DATE', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP', 'TIMESTAMP_NS']

t.test('times without a zone are compared with those that have one as times in UTC', async (t) => {
  const zoned = "TIMESTAMPTZ '2024-02-29 00:00:00+00'"
  for (const type of UNZONED) {
    const at = (time: string) => `'${time}'::${type}`
    t.equal(text(`${at('2024-02-29')} >= ${zoned}`), 'true', type)
    t.equal(text(`${zoned} > ${at('2024-02-29')}`), 'false', type)
    t.equal(text(`${at('2024-03-01')} > ${zoned}`), 'true', type)
    t.equal(text(`${zoned} BETWEEN ${at('2024-02-28')} AND ${at('2024-03-01')}`), 'true', type)
    t.equal(text(`${at('2024-02-29')} < now() - INTERVAL 7 DAY`), 'true', type)
  }
})

t.test('nanoseconds are compared exactly', async (t) => {
  const zoned = "TIMESTAMPTZ '2024-02-29 00:00:00.000001+00'"
  t.equal(text(`TIMESTAMP_NS '2024-02-29 00:00:00.000001001' > ${zoned}`), 'true')
  t.equal(text(`TIMESTAMP_NS '2024-02-29 00:00:00.000000999' < ${zoned}`), 'true')
  t.equal(text(`TIMESTAMP_NS '2024-02-29 00:00:00.000001' >= ${zoned}`), 'true')
})

t.test('together they have the type that holds both', async (t) => {
  for (const type of ['DATE', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP'])
    t.equal(text(`typeof(coalesce(NULL::${type}, now()))`), 'TIMESTAMP WITH TIME ZONE', type)
  t.equal(text("now() - TIMESTAMP_MS '2024-02-29' > INTERVAL 1 DAY"), 'true')
})

t.test('other types are cast as before', async (t) => {
  t.equal(text("typeof(coalesce(TIMESTAMP_MS '2024-02-29', TIMESTAMP '2024-02-29'))"), 'TIMESTAMP')
  t.equal(text("typeof(TIMESTAMP_S '2024-02-29' + INTERVAL 1 DAY)"), 'TIMESTAMP')
  t.equal(text("year(TIMESTAMP_MS '2024-02-29')"), '2024')
  t.equal(text('typeof(coalesce(1::SMALLINT, 2::BIGINT))'), 'BIGINT')
  for (const sql of ["TIME '01:02' > now()", '5 > now()', '[1] > now()', "TIMESTAMP_MS '2024-02-29' > 5"])
    t.throws(() => text(sql), { code: 'invalid_sql' }, sql)
})
