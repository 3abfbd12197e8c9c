import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { fixture } from '../../formats/fixtures.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t)
copyFileSync(fixture('parquet', 'pandas-nanoseconds'), join(service.datasets, 'pandas.parquet'))

/** The terms of the longest expressions that are tried. */
const TERMS = 500

async function csvOf(t: Test, sql: string): Promise<string> {
  const response = await service.query({ sql, output: { format: 'csv' } })
  const text = await response.text()
  t.equal(response.status, 200, text.slice(0, 300))
  return text
}

t.test('months, spans and years of times with a zone', async (t) => {
  t.equal(
    await csvOf(
      t,
      `SELECT date_trunc('month', to_timestamp(time)) AS month, count(*) AS n
       FROM (VALUES (1709164800), (1709251199.5), (1709251200)) AS seconds(time) GROUP BY month ORDER BY month`,
    ),
    'month,n\n2024-02-01T00:00:00Z,2\n2024-03-01T00:00:00Z,1\n',
  )
  t.equal(
    await csvOf(
      t,
      "SELECT count(*) AS n FROM read_parquet('pandas.parquet') WHERE t > now() + INTERVAL 7 DAY",
    ),
    'n\n1\n',
    'the greatest time in nanoseconds is in 2262',
  )
  t.equal(
    await csvOf(
      t,
      `SELECT year(t) AS year, count(*) AS n FROM read_parquet('pandas.parquet')
       WHERE t IS NOT NULL GROUP BY year ORDER BY year LIMIT 3`,
    ),
    'year,n\n1899,1\n1969,4\n1970,4\n',
    'a nanosecond before 1970 is in 1969',
  )
})

t.test(`expressions of ${TERMS} terms with times in them`, async (t) => {
  const days = ' + INTERVAL 1 DAY'.repeat(TERMS)
  t.equal(
    await csvOf(
      t,
      `SELECT min(t::TIMESTAMPTZ${days}) AS t FROM read_parquet('pandas.parquet') WHERE t >= '1970-01-01'`,
    ),
    't\n1971-05-16T00:00:00Z\n',
    'a time and spans',
  )
  const years = Array.from({ length: TERMS }, () => 'year(t)').join(' + ')
  t.equal(
    await csvOf(
      t,
      `SELECT min(${years}) AS years FROM read_parquet('pandas.parquet') WHERE t >= '1970-01-01'`,
    ),
    `years\n${1970 * TERMS}\n`,
    'years',
  )
  const conditions = Array.from(
    { length: TERMS },
    (_, i) => `date_trunc('day', t) = to_timestamp(${i * 86_400})`,
  ).join(' OR ')
  t.equal(
    await csvOf(
      t,
      `SELECT count(*) AS n FROM (SELECT to_timestamp(unnest([0, 86400, 1e9])) AS t) WHERE ${conditions}`,
    ),
    'n\n2\n',
    'conditions',
  )
})
