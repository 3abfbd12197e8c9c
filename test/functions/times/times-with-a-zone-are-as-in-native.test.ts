import t from 'tap'
import { testEngine } from '../../sql/engine.ts'
import { openNative } from '../../support/native-duckdb.ts'
import { ZONE_EXPRESSIONS, ZONED_EXPRESSIONS, ZONED_TIMES } from './zoned-expressions.ts'

const { run } = await testEngine()
const native = await openNative(t)

const TIMES = ZONED_TIMES.map((time, index) => `(${index}, '${time}')`).join(', ')
const ROWS = `SELECT i, v::TIMESTAMPTZ AS z, v::TIMESTAMPTZ::TIMESTAMP AS t FROM (VALUES ${TIMES}, (99, NULL)) AS a(i, v)`
/** Zones with half hours, with clocks that move by half an hour, and with an offset in seconds before 1900. */
const ZONES = ['Europe/Paris', 'america/new_york', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC', 'UTC+2']
const ZONED_ROWS = `SELECT * FROM (${ROWS}), (VALUES ${ZONES.map((zone) => `('${zone}')`).join(', ')}, (NULL)) AS b(n)`

/** The values of an expression as texts, each with its type. */
const sqlOf = (expression: string, rows: string, order: string) =>
  `SELECT concat_ws(' ', coalesce((${expression})::VARCHAR, 'null'), typeof(${expression})) AS v FROM (${rows}) ORDER BY ${order}`

async function nativeTexts(sql: string): Promise<readonly unknown[]> {
  return (await native.runAndReadAll(sql)).getRows().map(([value]) => value)
}

const texts = (sql: string): readonly unknown[] =>
  run(sql)
    .toArray()
    .map((row) => row['v'])

t.test('functions of times with a zone give the values and types of native DuckDB with icu', async (t) => {
  for (const expression of ZONED_EXPRESSIONS) {
    const sql = sqlOf(expression, ROWS, 'i')
    t.same(texts(sql), await nativeTexts(sql), expression)
  }
})

t.test('so do those of a zone', async (t) => {
  for (const expression of ZONE_EXPRESSIONS) {
    const sql = sqlOf(expression, ZONED_ROWS, 'i, n')
    t.same(texts(sql), await nativeTexts(sql), expression)
  }
})

t.test('years before the year 1 are those of times without a zone', async (t) => {
  const time = "'0044-03-15 (BC) 12:30:00'"
  for (const expression of [
    'year(x)',
    "date_trunc('century', x)::TIMESTAMP",
    "date_diff('decade', x, x + INTERVAL 9 YEAR)",
  ]) {
    const [zoned, unzoned] = ['TIMESTAMPTZ', 'TIMESTAMP'].map((type) =>
      texts(`SELECT (${expression})::VARCHAR AS v FROM (SELECT ${time}::${type} AS x)`),
    )
    t.same(zoned, unzoned, expression)
  }
})

t.test('times of day are read from times with a zone, in UTC', async (t) => {
  t.same(texts("SELECT (TIMESTAMPTZ '2024-05-06 07:08:09.5+02')::TIME::VARCHAR AS v"), ['05:08:09.5'])
})

t.test('unknown zones and results that are out of range are errors that say so', async (t) => {
  t.throws(() => texts("SELECT now() AT TIME ZONE 'Europe/Pari' AS v"), {
    code: 'invalid_sql',
    message: /"Europe\/Pari".*"Europe\/Paris"/,
  })
  t.throws(() => texts("SELECT t AT TIME ZONE z AS v FROM (VALUES (now(), 'x'), (now(), NULL)) AS a(t, z)"), {
    message: /no time zone "x"/,
  })
  for (const sql of [
    "SELECT TIMESTAMPTZ '294247-01-10 04:00:54.775806+00' AT TIME ZONE 'Europe/Paris' AS v",
    "SELECT TIMESTAMP '290309-12-22 (BC) 00:00:00' AT TIME ZONE 'Europe/Paris' AS v",
  ])
    t.throws(() => texts(sql), { code: 'invalid_sql', message: /out of the range of TIMESTAMP/ })
  t.same(texts("SELECT (TIMESTAMP '-infinity' AT TIME ZONE 'Europe/Paris')::VARCHAR AS v"), ['-infinity'])
})

t.test('a zone in each row, and the same time again and again', async (t) => {
  const sql = `SELECT (count(*) FILTER (WHERE (z AT TIME ZONE n) AT TIME ZONE n = z), count(*) FILTER (WHERE z AT TIME ZONE n IS NULL))::VARCHAR AS v
    FROM (SELECT to_timestamp(i * 86411 - 2000000000) AS z,
      CASE i % 5 WHEN 0 THEN 'Europe/Paris' WHEN 1 THEN 'America/Argentina/Buenos_Aires' WHEN 2 THEN '+05:30' WHEN 3 THEN 'Asia/Tokyo' END AS n
    FROM range(50000) AS r(i))`
  t.same(texts(sql), await nativeTexts(sql.replace("'+05:30'", "'UTC+05:30'")))
})
