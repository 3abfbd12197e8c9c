import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataType, type Table } from 'apache-arrow'
import t from 'tap'
import { type FixtureFormat, fixture } from '../../formats/fixtures.ts'
import { post } from '../../http/test-server.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t)
const { query, rows } = service

/** Files of the same times (scripts/make-time-fixtures.py), by pyarrow, pandas and polars. */
const FILES: readonly (readonly [format: FixtureFormat, name: string])[] = [
  ['parquet', 'nanoseconds'],
  ['parquet', 'pandas-nanoseconds'],
  ['parquet', 'polars-nanoseconds'],
  ['arrow', 'nanoseconds'],
]
for (const [format, name] of FILES)
  copyFileSync(fixture(format, name), join(service.datasets, `${name}.${format}`))

/** The nanoseconds since 1970 of each row. */
const TIMES: readonly (bigint | null)[] = [
  ...[-(2n ** 63n) + 1n, -1n, 0n, 1n, 999n, 1_000n, -1_000n, -1_001n, -999_999_999n, 2n ** 63n - 1n, null],
  ...[1_585_443_599_999_999_999n, 1_585_443_600_000_000_000n, 1_603_587_600_000_000_001n],
  ...[1_603_584_000_000_000_001n, -2_208_988_800_000_000_001n, 1_704_067_200_123_456_789n],
  1_709_164_800_000_000_999n,
  ...Array.from({ length: 42 }, (_, i) => 1_704_067_200_000_000_000n + BigInt(i) * 90_000_000_000_001n),
]

function timesOf(answer: Table, column = 't'): (bigint | null)[] {
  const vector = answer.getChild(column)
  return (vector?.data ?? []).flatMap(({ values, length, offset, nullBitmap }) =>
    Array.from({ length }, (_, row) => {
      const at = offset + row
      const isNull = nullBitmap.length > 0 && ((nullBitmap[at >> 3] ?? 0) >> (at & 7)) % 2 === 0
      if (isNull) return null
      // apache-arrow has the words of 64-bit times.
      return values instanceof BigInt64Array
        ? (values[row] ?? 0n)
        : (new BigInt64Array(values.buffer, values.byteOffset, length)[row] ?? 0n)
    }),
  )
}

function zoneOf(answer: Table, column = 't'): string {
  const type = answer.schema.fields.find(({ name }) => name === column)?.type
  return DataType.isTimestamp(type) ? `${type.unit} ${type.timezone}` : String(type)
}

const NANOSECOND = 3

const matching = (test: (time: bigint) => boolean): number[] =>
  TIMES.flatMap((time, n) => (time !== null && test(time) ? [n] : []))

const numbers = (answer: Table): number[] => [...(answer.getChild('n') ?? [])].map(Number)

for (const [format, name] of FILES) {
  const file = `${name}.${format}`
  const from = { [format]: { paths: [file] } }
  const table = `read_${format}('${file}')`

  t.test(file, async (t) => {
    await t.test('leave as they are, whoever runs the statement', async (t) => {
      for (const [body, zone] of [
        [{ select: ['t', 'paris'], from }, 'Europe/Paris'],
        [{ select: ['t', { function: 'coalesce', args: ['paris', 'paris'], alias: 'paris' }], from }, 'UTC'],
        [{ sql: `SELECT t, paris FROM ${table}` }, 'UTC'],
        [{ sql: `SELECT t, paris FROM ${table} WHERE n % 1 = 0` }, 'UTC'],
        [
          { sql: `SELECT CASE WHEN n >= 0 THEN t END AS t, coalesce(paris, t) AS paris FROM ${table}` },
          'UTC',
        ],
        [{ sql: `SELECT max(t) AS t, min(paris) AS paris FROM ${table} GROUP BY n ORDER BY n` }, 'UTC'],
        [
          { sql: `SELECT any_value(t) AS t, list(paris)[1] AS paris FROM ${table} GROUP BY n ORDER BY n` },
          'UTC',
        ],
        [
          {
            sql: `SELECT t, paris FROM (SELECT n, t, paris FROM ${table} WHERE n < 30 UNION ALL SELECT n, t, paris FROM ${table} WHERE n >= 30) ORDER BY n`,
          },
          'UTC',
        ],
        [
          { sql: `SELECT a.t, b.paris FROM ${table} a LEFT JOIN ${table} b ON a.t = b.paris ORDER BY a.n` },
          'UTC',
        ],
      ] as const) {
        const answer = await rows(body)
        t.same(timesOf(answer), TIMES, JSON.stringify(body))
        t.same(timesOf(answer, 'paris'), TIMES, JSON.stringify(body))
        t.equal(zoneOf(answer), `${NANOSECOND} UTC`, JSON.stringify(body))
        t.equal(zoneOf(answer, 'paris'), `${NANOSECOND} ${zone}`, JSON.stringify(body))
      }
    })

    await t.test('compare exactly, in both engines', async (t) => {
      const at = 1_585_443_600_000_000_000n
      for (const [condition, test] of [
        ["t > TIMESTAMPTZ '2020-03-29 01:00:00+00'", (time) => time > at],
        ["t >= '2020-03-29 01:00:00+00'", (time) => time >= at],
        ["t < TIMESTAMP '2020-03-29 01:00:00'", (time) => time < at],
        ["t = '2020-03-29 00:59:59.999999999'", (time) => time === at - 1n],
        ["t = TIMESTAMPTZ '2020-03-29 00:59:59.999999+00'", () => false],
        ["t <> '1969-12-31 23:59:59.999999999'", (time) => time !== -1n],
        ["t < '1970-01-01'", (time) => time < 0n],
        ["t BETWEEN '1970-01-01' AND '1970-01-01 00:00:00.000000999'", (time) => time >= 0n && time <= 999n],
        ["t >= TIMESTAMP '1970-01-01 00:00:00.000001'", (time) => time >= 1000n],
        ["t IN ('1970-01-01 00:00:00.000000001', '1970-01-01')", (time) => time === 1n || time === 0n],
      ] as const satisfies readonly (readonly [string, (time: bigint) => boolean])[]) {
        // The least time of all is infinite in DuckDB, and so is the greatest.
        const expected = matching(test)
        for (const sql of [
          `SELECT n FROM ${table} WHERE ${condition}`,
          `SELECT n FROM ${table} WHERE ${condition} AND n % 1 = 0`,
          `SELECT n FROM ${table} WHERE ${condition.replaceAll(/\bt\b(?! )|^t /g, 'paris ')} AND n % 1 = 0`,
        ])
          t.same(numbers(await rows({ sql })), expected, sql)
      }
      t.same(
        numbers(await rows({ sql: `SELECT a.n FROM ${table} a WHERE a.t > a.t::TIMESTAMPTZ ORDER BY a.n` })),
        matching((time) => time % 1000n !== 0n && time !== 2n ** 63n - 1n && time !== -(2n ** 63n) + 1n),
        'a column with a zone in microseconds',
      )
      t.same(
        numbers(
          await rows({ select: ['n'], from, filter: { column: 't', eq: '1970-01-01T00:00:00.000000001Z' } }),
        ),
        [3],
      )
    })

    await t.test('are cast downwards', async (t) => {
      const one = async (value: string) => {
        const answer = await rows({ sql: `SELECT (${value})::VARCHAR AS v FROM ${table} WHERE n = 1` })
        return answer.getChild('v')?.get(0)
      }
      t.equal(await one('t'), '1969-12-31 23:59:59.999999999+00')
      t.equal(await one('paris'), '1969-12-31 23:59:59.999999999+00')
      t.equal(await one('typeof(paris)'), 'TIMESTAMPTZ_NS')
      t.equal(await one('t::TIMESTAMPTZ'), '1969-12-31 23:59:59.999999+00')
      t.equal(await one('t::TIMESTAMP'), '1969-12-31 23:59:59.999999')
      t.equal(await one('t::TIMESTAMP_NS'), '1969-12-31 23:59:59.999999999')
      t.equal(await one('t::TIMESTAMP_MS'), '1969-12-31 23:59:59.999')
      t.equal(await one('t::TIMESTAMP_S'), '1969-12-31 23:59:59')
      t.equal(await one('t::DATE'), '1969-12-31')
      t.equal(await one('t::TIME'), '23:59:59.999999')
      t.equal(await one('t::TIMESTAMP_NS::TIMESTAMP'), '1969-12-31 23:59:59.999999')
      t.equal(await one('t::TIMESTAMP_NS::DATE'), '1969-12-31')
      t.equal(await one("TIMESTAMPTZ '2024-01-01 00:00:00.5+00'::TIMESTAMPTZ_NS"), '2024-01-01 00:00:00.5+00')
      t.equal(await one("TIMESTAMP '2024-01-01'::TIMESTAMPTZ_NS"), '2024-01-01 00:00:00+00')
      t.equal(await one("DATE '1677-09-22'::TIMESTAMPTZ_NS"), '1677-09-22 00:00:00+00')
      t.equal(
        await one("'2024-01-01 00:00:00.000000001+02'::TIMESTAMPTZ_NS"),
        '2023-12-31 22:00:00.000000001+00',
      )
      t.equal(await one("'2024-01-01 00:00:00'::TIMESTAMP_S::TIMESTAMPTZ_NS"), '2024-01-01 00:00:00+00')
      t.equal(await one("TRY_CAST(TIMESTAMPTZ '3000-01-01 00:00:00+00' AS TIMESTAMPTZ_NS)"), null)
      t.equal(await one("'infinity'::TIMESTAMPTZ::TIMESTAMPTZ_NS::DATE"), 'infinity')
    })

    await t.test('order rows to the nanosecond', async (t) => {
      const one = async (sql: string) => [...(await rows({ sql })).toArray()].map((row) => ({ ...row }))
      const near = `(SELECT n, t, paris FROM ${table} WHERE n IN (2, 3, 4))`
      t.same(await one(`SELECT arg_max(n, t)::INT AS late, arg_min(n, paris)::INT AS early FROM ${near}`), [
        { late: 4, early: 2 },
      ])
      t.same(await one(`SELECT n::INT AS n FROM ${near} ORDER BY t::TIMESTAMP, paris DESC`), [
        { n: 4 },
        { n: 3 },
        { n: 2 },
      ])
      t.same(
        await one(
          `SELECT a.n::INT AS n, b.n::INT AS before FROM ${near} a ASOF JOIN ${near} b ON a.t > b.paris ORDER BY n`,
        ),
        [
          { n: 3, before: 2 },
          { n: 4, before: 3 },
        ],
      )
      t.same(await one(`SELECT count(*)::INT AS n FROM ${table} WHERE t::DATE = DATE '1969-12-31'`), [
        { n: 4 },
      ])
      t.same(
        await one(
          `SELECT count(DISTINCT t)::INT AS n, count(DISTINCT t::TIMESTAMP)::INT AS cut FROM ${near}`,
        ),
        [{ n: 3, cut: 1 }],
      )
    })

    await t.test('a subquery of other times has to be cast', async (t) => {
      const inOther = (cast: string) =>
        `SELECT count(*)::INT AS n FROM ${table} WHERE t IN (SELECT t::TIMESTAMPTZ${cast} FROM ${table})`
      const wrong = await query({ sql: inOther('') })
      t.equal(wrong.status, 400)
      t.match(await wrong.json(), /Write the cast: time::TIMESTAMPTZ_NS\./)
      const found = await rows({ sql: inOther('::TIMESTAMPTZ_NS') })
      t.ok(Number(found.getChild('n')?.get(0)) > 0)
    })

    await t.test('conditions on them leave out files and row groups', async (t) => {
      if (format !== 'parquet') return
      for (const column of ['t', 'paris'])
        for (const condition of [
          `${column} > TIMESTAMPTZ '2024-02-08 00:00:00+00'`,
          `${column} >= '2024-02-08 00:00:00.000000001'`,
          `${column} > TIMESTAMP '2024-02-08'`,
        ]) {
          const sql = `SELECT n + 1 AS n FROM ${table} WHERE ${condition}`
          const explained = await post(`${service.url}/api/explain-analyze-query`, { sql })
          const pruned = Number(/"units_pruned":(\d+)/.exec(await explained.text())?.[1])
          t.ok(pruned > 0, sql)
        }
    })
  })
}

t.test('what nanoseconds do not reach is a 400 that says so', async (t) => {
  const table = "read_parquet('nanoseconds.parquet')"
  for (const sql of [
    `SELECT n + 1 FROM ${table} WHERE t < TIMESTAMPTZ '3000-01-01 00:00:00+00'`,
    `SELECT coalesce(t, TIMESTAMPTZ '3000-01-01 00:00:00+00') FROM ${table}`,
    `SELECT coalesce(t, DATE '3000-01-01') FROM ${table}`,
  ]) {
    const answer = await query({ sql })
    t.equal(answer.status, 400, sql)
    t.match(await answer.json(), /3000-01-01 lies outside of the years 1677 to 2262.*::TIMESTAMPTZ/, sql)
  }
  const cast = `SELECT count(*) AS n FROM ${table} WHERE t::TIMESTAMPTZ < TIMESTAMPTZ '3000-01-01 00:00:00+00'`
  t.same(numbers(await rows({ sql: cast })), [58], 'the greatest time is infinite')
})

t.test('text has them with Z, whoever runs the statement', async (t) => {
  const table = "read_parquet('nanoseconds.parquet')"
  for (const where of ['n = 16', 'n % 60 = 16']) {
    const sql = `SELECT t, paris FROM ${table} WHERE ${where}`
    const csv = await (await query({ sql, output: { format: 'csv' } })).text()
    t.equal(csv, 't,paris\n2024-01-01T00:00:00.123456789Z,2024-01-01T00:00:00.123456789Z\n')
  }
})
