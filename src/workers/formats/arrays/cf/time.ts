import { type CfCalendar, calendarOf, dayNumber, hasInstants } from './calendar.ts'

/** How counts of a unit since an epoch become nanoseconds since 1970-01-01T00:00:00Z. */
export interface TimeDecoding {
  /** Nanoseconds of a unit. */
  readonly unitNs: bigint
  /** The epoch in nanoseconds since 1970-01-01, of any size. For `noleap` in days of that calendar. */
  readonly epochNs: bigint
  /** Whether years have 365 days. Each day has its date in such a year. */
  readonly isNoleap: boolean
  /** Whether fractional counts are rounded to microseconds, as cftime does. Otherwise they are cut to nanoseconds, as numpy does. */
  readonly isRounded: boolean
}

/** Units of time since an epoch in a calendar. */
export interface TimeUnits {
  readonly calendar: CfCalendar
  /** Nanoseconds of a unit. */
  readonly unitNs: bigint
  /** Whether the unit is a fixed part of a day, as months and years are not. */
  readonly isOfDay: boolean
  /** The epoch in nanoseconds since 1970-01-01, as `dayNumber` counts days. */
  readonly epochNs: bigint
}

const NS = Object.freeze({ us: 1_000n, ms: 1_000_000n, s: 1_000_000_000n })
const DAY_NS = 86_400n * NS.s

/** Spellings of units, in lower case and without a plural `s`. */
const UNITS: readonly (readonly [spellings: readonly string[], ns: bigint])[] = [
  [['nanosecond', 'nanosec', 'nsec', 'ns'], 1n],
  [['microsecond', 'microsec', 'usec', 'us'], NS.us],
  [['millisecond', 'millisec', 'msec', 'ms'], NS.ms],
  [['second', 'sec', 's'], NS.s],
  [['minute', 'min'], 60n * NS.s],
  [['hour', 'hr', 'h'], 3600n * NS.s],
  [['day', 'd'], DAY_NS],
  [['week'], 7n * DAY_NS],
]

/** A year of UDUNITS has 365.242198781 days. */
const YEAR_NS = (365_242_198_781n * DAY_NS) / 1_000_000_000n

/** Units that calendars do not have: months and years of UDUNITS, and the years that it names by their days. */
const LONG_UNITS: typeof UNITS = [
  [['year', 'yr'], YEAR_NS],
  [['month'], YEAR_NS / 12n],
  [['common_year'], 365n * DAY_NS],
]

const UNIT_NS = bySpelling(UNITS)
const LONG_UNIT_NS = bySpelling(LONG_UNITS)

function bySpelling(units: typeof UNITS): ReadonlyMap<string, bigint> {
  return new Map(
    units.flatMap(([spellings, ns]) =>
      spellings.flatMap((each) => pluralOf(each).map((word): [string, bigint] => [word, ns])),
    ),
  )
}

/** A word, and its plural if it has one. */
function pluralOf(word: string): readonly string[] {
  return word.length < 2 || word.endsWith('s') ? [word] : [word, `${word}s`]
}

const EPOCH = new RegExp(
  String.raw`^(?<year>[+-]?\d{1,6})(?:-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?)?` +
    String.raw`(?:(?:\s*[T\s]\s*)(?<hour>\d{1,2})(?::(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:\.(?<fraction>\d*))?)?)?)?` +
    String.raw`(?:\s*(?:Z|UTC|GMT)|\s*(?<sign>[+-])(?<zoneHour>\d{1,2})(?::?(?<zoneMinute>\d{2}))?)?$`,
  'i',
)

/**
 * Parses the attributes `units` and `calendar` of a variable of times. Null: they are no times, or not ones that can be told as
 * instants: months, years, `360_day`, an epoch or a zone that is not understood.
 */
export function timeDecoding(units: string, calendarName: string | null): TimeDecoding | null {
  const parsed = timeUnits(units, calendarName)
  if (parsed === null) return null
  const { calendar, unitNs, isOfDay, epochNs } = parsed
  if (!isOfDay || !hasInstants(calendar)) return null
  const isNoleap = calendar === 'noleap'
  return { unitNs, epochNs, isNoleap, isRounded: isNoleap || calendar === 'julian' || !fits(epochNs) }
}

/** The same of any calendar of CF, and also of months and years as UDUNITS has them. Null: they are not understood. */
export function timeUnits(units: string, calendarName: string | null): TimeUnits | null {
  const [, word = '', epoch] = /^\s*([a-z_]+)\s+since\s+(\S.{0,99}?)\s*$/i.exec(units) ?? []
  const calendar = calendarOf(calendarName)
  const unit = word.toLowerCase()
  const ofDay = UNIT_NS.get(unit)
  const unitNs = ofDay ?? LONG_UNIT_NS.get(unit)
  if (epoch === undefined || calendar === null || unitNs === undefined) return null
  const epochNs = epochOf(epoch, calendar)
  return epochNs === null ? null : { calendar, unitNs, isOfDay: ofDay !== undefined, epochNs }
}

function epochOf(text: string, calendar: CfCalendar): bigint | null {
  const parts: Readonly<Record<string, string | undefined>> | undefined = EPOCH.exec(text)?.groups
  if (parts === undefined) return null
  const number = (name: string, absent = 0): number => Number(parts[name] ?? absent)
  const day = dayNumber(calendar, number('year'), number('month', 1), number('day', 1))
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')]
  if (day === null || hour > 23 || minute > 59 || second > 59) return null
  const zone = (number('zoneHour') * 60 + number('zoneMinute')) * (parts['sign'] === '-' ? -1 : 1)
  const minutes = (day * 24 + hour) * 60 + minute - zone
  const fraction = BigInt((parts['fraction'] ?? '').slice(0, 9).padEnd(9, '0'))
  return BigInt(minutes * 60 + second) * NS.s + fraction
}

function fits(ns: bigint): boolean {
  return BigInt.asIntN(64, ns) === ns
}
