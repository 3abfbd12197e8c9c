import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { instantOf, timeDecoding } from '../../src/workers/formats/arrays/cf/time.ts'

interface TimesCase {
  readonly units: string
  readonly calendar: string | null
  readonly integers: boolean
  readonly values: readonly number[]
  /** Nanoseconds since 1970-01-01. */
  readonly expected: readonly string[]
}

const FILE = join(import.meta.dirname, '..', 'fixtures', 'netcdf-times.json')
const CASES: readonly TimesCase[] = JSON.parse(readFileSync(FILE, 'utf8'))

t.test('times of every calendar are those of xarray and cftime', async (t) => {
  for (const { units, calendar, integers, values, expected } of CASES) {
    const time = timeDecoding(units, calendar)
    const made = values.map((value) => time && instantOf(integers ? BigInt(value) : value, time))
    t.same(made.map(String), expected, `${units}, ${calendar}: ${values.join(' ')}`)
  }
})

t.test('what is no time, or cannot be told as an instant, stays a number', async (t) => {
  for (const units of [
    'days',
    'months since 2000-01-01',
    'years since 2000-01-01',
    'common_years since 2000-01-01',
    'days since',
    'days since yesterday',
    'days since 2000-02-30',
    'days since 2000-13-01',
    'days since 0000-01-01',
    'days since 1582-10-10',
    'days since 2000-01-01 25:00',
    'days since 2000-01-01 00:00 EST',
    'fortnights since 2000-01-01',
    'K',
  ])
    t.equal(timeDecoding(units, null), null, units)
  for (const calendar of ['360_day', 'all_leap', '366_day', 'none', 'lunar', ''])
    t.equal(timeDecoding('days since 2000-01-01', calendar), null, calendar)
})

t.test('what 64 bits of nanoseconds cannot hold is null', async (t) => {
  const time = timeDecoding('days since 1970-01-01', null)
  if (time === null) throw new Error('no time')
  for (const days of [106752, -106752, 1e9, -1e300, Number.NaN, Number.POSITIVE_INFINITY])
    t.equal(instantOf(days, time), null, String(days))
  t.equal(instantOf(106751n, time), 106751n * 86_400_000_000_000n)
  t.equal(instantOf(2n ** 63n - 1n, time), null)
  const exact = timeDecoding('nanoseconds since 1970-01-01', null)
  t.equal(
    exact && instantOf(1_700_000_000_123_456_789n, exact),
    1_700_000_000_123_456_789n,
    'integers are exact',
  )
})
