import type { TimeInterval } from './intervals.ts'

/** Units by their names in the texts of intervals, and how many months, days or microseconds they have. */
const UNITS: readonly (readonly [part: keyof TimeInterval, count: number, names: readonly string[]])[] = [
  ['months', 12_000, ['millennium', 'millennia']],
  ['months', 1_200, ['century', 'centuries']],
  ['months', 120, ['decade', 'decades']],
  ['months', 12, ['year', 'years', 'yr', 'yrs', 'y']],
  ['months', 3, ['quarter', 'quarters']],
  ['months', 1, ['month', 'months', 'mon', 'mons']],
  ['days', 7, ['week', 'weeks', 'w']],
  ['days', 1, ['day', 'days', 'd']],
  ['micros', 3_600_000_000, ['hour', 'hours', 'hr', 'hrs', 'h']],
  ['micros', 60_000_000, ['minute', 'minutes', 'min', 'mins', 'm']],
  ['micros', 1_000_000, ['second', 'seconds', 'sec', 'secs', 's']],
  ['micros', 1_000, ['millisecond', 'milliseconds', 'ms', 'msec', 'msecs']],
  ['micros', 1, ['microsecond', 'microseconds', 'us', 'usec', 'usecs']],
]

const UNIT_BY_NAME = new Map(
  UNITS.flatMap(([part, count, names]) => names.map((name) => [name, { part, count }])),
)

const TERM = /\s*(?<count>-?\d{1,9})\s*(?<unit>[a-z]+)\s*/iy

/** The interval of a text such as `1 year 2 months` or `-3h`. Null: it is not certain which one DuckDB makes of it. */
export function parseInterval(text: string): TimeInterval | null {
  const sums = { months: 0n, days: 0n, micros: 0n }
  TERM.lastIndex = 0
  do {
    const { count = '', unit = '' } = TERM.exec(text)?.groups ?? {}
    const of = UNIT_BY_NAME.get(unit.toLowerCase())
    if (of === undefined) return null
    sums[of.part] += BigInt(count) * BigInt(of.count)
  } while (TERM.lastIndex < text.length)
  const isNarrow = [sums.months, sums.days].every((sum) => sum < 2n ** 31n && sum > -(2n ** 31n))
  if (!isNarrow || sums.micros >= 2n ** 62n || sums.micros <= -(2n ** 62n)) return null
  return { months: Number(sums.months), days: Number(sums.days), micros: sums.micros }
}

/** The text of an interval in EXPLAIN. */
export function printInterval({ months, days, micros }: TimeInterval): string {
  const parts = [
    months === 0 ? '' : `${months} months`,
    days === 0 ? '' : `${days} days`,
    micros === 0n ? '' : `${micros} microseconds`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '0 days' : parts.join(' ')
}
