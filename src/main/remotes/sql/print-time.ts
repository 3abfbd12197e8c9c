/** The seconds since 1970 of the years between which nanoseconds are times everywhere: 1678 and 2262. */
const LEAST_SECOND = BigInt(Date.UTC(1678, 0) / 1000)
const GREATEST_SECOND = BigInt(Date.UTC(2262, 0) / 1000)

/** Services have microseconds at least. */
const MOST_DIGITS = 6

/** Prints a count of 10^-`digits` seconds since 1970. Null: not all services have the time. */
export function printTime(count: bigint, digits: number): string | null {
  const perSecond = 10n ** BigInt(digits)
  const fraction = ((count % perSecond) + perSecond) % perSecond
  const seconds = (count - fraction) / perSecond
  if (seconds < LEAST_SECOND || seconds >= GREATEST_SECOND) return null
  const text = String(fraction).padStart(digits, '0')
  if (/[^0]/.test(text.slice(MOST_DIGITS))) return null
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return fraction === 0n ? whole : `${whole}.${text.slice(0, MOST_DIGITS)}`
}

const DAY_SECONDS = 86_400n

/** Prints a count of days since 1970. Null as above. */
export function printDay(count: bigint): string | null {
  return printTime(count * DAY_SECONDS, 0)?.slice(0, 10) ?? null
}
