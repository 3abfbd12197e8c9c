import { dateOf } from './calendar.ts'
import type { TimeUnits } from './time.ts'

const DAY_NS = 86_400_000_000_000n
const SECOND_NS = 1_000_000_000n
const MILLISECOND_NS = 1_000_000n

/** The last year, and the first one with a minus: those that a reference time may have. */
const LAST_YEAR = 999_999

/**
 * The date and time of a count of units, as `YYYY-MM-DDThh:mm:ss`. The time is rounded to milliseconds, and the fraction of a second
 * that is left is cut: a float of a million days is only exact to 10 microseconds, so that hours in it would end a second too early.
 * Null: its year has more than six digits.
 */
export function cfDate(value: number | bigint, { calendar, unitNs, epochNs }: TimeUnits): string | null {
  const since = epochNs + (typeof value === 'bigint' ? value * unitNs : nanoseconds(value, unitNs))
  const rounded = floorDiv(since + MILLISECOND_NS / 2n, MILLISECOND_NS) * MILLISECOND_NS
  const day = floorDiv(rounded, DAY_NS)
  const [year, month, dayOfMonth] = dateOf(calendar, Number(day))
  if (!(Math.abs(year) <= LAST_YEAR)) return null
  const seconds = Number((rounded - day * DAY_NS) / SECOND_NS)
  const date = `${year < 0 ? '-' : ''}${digits(Math.abs(year), 4)}-${digits(month)}-${digits(dayOfMonth)}`
  return `${date}T${digits(Math.floor(seconds / 3600))}:${digits(Math.floor(seconds / 60) % 60)}:${digits(seconds % 60)}`
}

/** Whole units are multiplied exactly. What is lost of the rest is less than 10 ns, of a day less than 0.01 ns. */
function nanoseconds(value: number, unitNs: bigint): bigint {
  const whole = Math.trunc(value)
  return BigInt(whole) * unitNs + BigInt(Math.round((value - whole) * Number(unitNs)))
}

function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}

function digits(number: number, count = 2): string {
  return String(number).padStart(count, '0')
}
