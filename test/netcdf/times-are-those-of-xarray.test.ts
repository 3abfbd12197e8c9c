import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { readArray } from '../../src/workers/formats/arrays/box/read-array.ts'
import { timeDecoding } from '../../src/workers/formats/arrays/cf/time.ts'
import { arrayColumn } from '../../src/workers/formats/arrays/columns.ts'
import { attribute, readingOf, storedArray } from '../arrays/memory-arrays.ts'

const core = createCore({ maximumBytes: 16 << 20 })

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
    const made = instantsOf(units, calendar, integers ? values.map(BigInt) : values)
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
  const days = 'days since 1970-01-01'
  for (const count of [106752, -106752, 1e9, -1e300, Number.NaN, Number.POSITIVE_INFINITY])
    t.same(instantsOf(days, null, [count]), [null], String(count))
  t.same(instantsOf(days, null, [106751n, 2n ** 63n - 1n]), [106751n * 86_400_000_000_000n, null])
  t.same(
    instantsOf('nanoseconds since 1970-01-01', null, [1_700_000_000_123_456_789n]),
    [1_700_000_000_123_456_789n],
    'integers are exact',
  )
})

/** Counts of one type as a column: nanoseconds since 1970-01-01. */
function instantsOf(
  units: string,
  calendar: string | null,
  counts: readonly (number | bigint)[],
): (bigint | null)[] {
  const isInteger = typeof counts[0] === 'bigint'
  const bytes = new Uint8Array(
    (isInteger ? BigInt64Array.from(counts.map(BigInt)) : Float64Array.from(counts.map(Number))).buffer,
  )
  const attributes = [
    attribute('units', units),
    ...(calendar === null ? [] : [attribute('calendar', calendar)]),
  ]
  const element = isInteger
    ? ({ kind: 'int', bits: 64, signed: true } as const)
    : ({ kind: 'float', bits: 64 } as const)
  const array = storedArray(element, [['n', counts.length]], attributes)
  const column = arrayColumn(array, { attributes, isWholeText: false, isNanNull: true })
  if (column.type.kind !== 'timestamp') throw new Error(`${units} is no time`)
  const form = { isBigEndian: false, isShuffled: false, stride: 8, offset: 0 }
  const reading = readingOf(core, array, (box) => [{ kind: 'elements', ...box, bytes, ...form }])
  const made = readArray(reading, column, { names: ['n'], origin: [0], extent: [counts.length] })
  const values = counts.map((_, row) => core.valueAt(made, column.type, row))
  core.free(made)
  return values.map((value) => (value?.kind === 'int' ? value.value : null))
}
