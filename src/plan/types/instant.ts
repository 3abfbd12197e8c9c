import { findZone } from '../zones/zones.ts'

const DATE = '(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)'
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:\\.(?<fraction>\\d{1,9}))?)?'
const OFFSET = '(?<utc>[Zz])|(?<sign>[+-])(?<offsetHour>\\d\\d)(?::?(?<offsetMinute>\\d\\d))?'

const INSTANT = new RegExp(`^${DATE}(?:[Tt ]${TIME}(?: ?(?:${OFFSET}))?)?$`)
const TIME_OF_DAY = new RegExp(`^${TIME}$`)

const SECOND_NS = 1_000_000_000n

/**
 * The nanoseconds since 1970-01-01T00:00:00Z of an ISO 8601 date, or of a date and a time with `T` or a blank between them, in
 * the years 0000 to 9999. A time without an offset is local time in `zone`, or UTC if that is null. Returns null if the text
 * is not such a time, or the zone is unknown.
 */
export function parseInstant(text: string, zone: string | null): bigint | null {
  const parts = INSTANT.exec(text)?.groups
  if (parts === undefined) return null
  const days = dayNumber(Number(parts['year']), Number(parts['month']), Number(parts['day']))
  const time = timeNs(parts)
  if (days === null || time === null) return null
  const local = BigInt(days) * 86_400n * SECOND_NS + time
  const offset = offsetSeconds(parts) ?? (zone === null ? 0 : zoneOffsetSeconds(zone, local / 1_000_000n))
  return offset === null ? null : local - BigInt(offset) * SECOND_NS
}

/** The nanoseconds since midnight of a time `HH:MM`, `HH:MM:SS` or `HH:MM:SS.f`. Null: the text is not such a time. */
export function parseTimeOfDay(text: string): bigint | null {
  const parts = TIME_OF_DAY.exec(text)?.groups
  return parts === undefined ? null : timeNs(parts)
}

/** The days since 1970-01-01 in the proleptic Gregorian calendar. Null: there is no such day, as the 30th of February. */
function dayNumber(year: number, month: number, day: number): number | null {
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 86_400_000 : null
}

type Parts = Readonly<Record<string, string | undefined>>

function timeNs({ hour = '0', minute = '0', second = '0', fraction = '' }: Parts): bigint | null {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  return BigInt(seconds) * SECOND_NS + BigInt(fraction.padEnd(9, '0'))
}

/** The offset of a time in seconds east of UTC. Null: the text has none. */
function offsetSeconds({ utc, sign, offsetHour, offsetMinute = '0' }: Parts): number | null {
  if (utc !== undefined) return 0
  if (offsetHour === undefined) return null
  const seconds = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60
  return sign === '-' ? -seconds : seconds
}

/**
 * The offset of a zone (`UTC`, `+02:00`, `Europe/Amsterdam`) at a local time, in seconds east of UTC. `localMs` are the
 * milliseconds since 1970-01-01 of the local time, as if it were UTC. Of a local time that occurs twice the first occurrence
 * counts, and one that clocks skip has the offset before the gap. Null: the zone is unknown.
 */
function zoneOffsetSeconds(zone: string, localMs: bigint): number | null {
  return findZone(zone)?.atLocal(Number(localMs) / 1_000, 'first').offset ?? null
}
