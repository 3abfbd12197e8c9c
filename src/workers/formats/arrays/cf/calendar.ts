/** The calendars of CF whose dates can be told as instants. `standard` is Julian before 15 October 1582. */
export type Calendar = 'standard' | 'proleptic_gregorian' | 'julian' | 'noleap'

const CALENDARS: Readonly<Record<string, Calendar>> = Object.freeze({
  standard: 'standard',
  gregorian: 'standard',
  proleptic_gregorian: 'proleptic_gregorian',
  julian: 'julian',
  noleap: 'noleap',
  '365_day': 'noleap',
})

/** The calendar that the attribute `calendar` names, in any case. Null: one whose dates need not exist, such as `360_day`. */
export function calendarOf(name: string | null): Calendar | null {
  if (name === null) return 'standard'
  const key = name.trim().toLowerCase()
  return Object.hasOwn(CALENDARS, key) ? (CALENDARS[key] ?? null) : null
}

// Years are counted from 1 March here, so that a leap day is the last one of its year. The months from March on then have
// 31, 30, 31, 30, 31 days again and again, which is 153 days for each five. The Gregorian calendar repeats after 400 years.
const ERA_DAYS = 146_097
/** 0000-03-01 Gregorian and Julian, in days before 1970-01-01. */
const GREGORIAN_START = 719_468
const JULIAN_START = 719_470

/** Days before each month of a year without a leap day. */
const MONTH_STARTS = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
const YEAR_DAYS = 365

/** The first day of the Gregorian calendar as it was introduced, in days since 1970-01-01. */
const SWITCH_DAY = gregorianDay(1582, 10, 15)

/**
 * The day number of a date: for `noleap` in days of 365-day years since 1970-01-01 of that calendar, for the others in days since
 * 1970-01-01 of the proleptic Gregorian calendar. In `standard` and `julian` the year before 1 is −1. Null: there is no such day.
 */
export function dayNumber(calendar: Calendar, year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  switch (calendar) {
    case 'proleptic_gregorian':
      return existing(gregorianDay, gregorianDate, year, month, day)
    case 'noleap': {
      const start = MONTH_STARTS[month - 1] ?? 0
      return day > (MONTH_STARTS[month] ?? 0) - start ? null : noleapYearDay(year) + start + day - 1
    }
    case 'julian':
      return year === 0 ? null : existing(julianDay, julianDate, withYearZero(year), month, day)
    case 'standard': {
      if (year === 0) return null
      const gregorian = existing(gregorianDay, gregorianDate, year, month, day)
      if (gregorian !== null && gregorian >= SWITCH_DAY) return gregorian
      const julian = existing(julianDay, julianDate, withYearZero(year), month, day)
      return julian !== null && julian < SWITCH_DAY ? julian : null
    }
  }
}

function noleapYearDay(year: number): number {
  return (year - 1970) * YEAR_DAYS
}

/** Years as astronomers count them, with a year 0. */
function withYearZero(year: number): number {
  return year < 0 ? year + 1 : year
}

type CivilDate = readonly [year: number, month: number, day: number]

/** The day of a date. Null: the calendar does not have it. */
function existing(
  dayOf: (year: number, month: number, day: number) => number,
  dateOf: (day: number) => CivilDate,
  ...date: CivilDate
): number | null {
  const day = dayOf(...date)
  return dateOf(day).every((part, index) => part === date[index]) ? day : null
}

function gregorianDay(year: number, month: number, day: number): number {
  const from = month <= 2 ? year - 1 : year
  const era = Math.floor(from / 400)
  const inEra = from - era * 400
  const days = inEra * 365 + Math.floor(inEra / 4) - Math.floor(inEra / 100) + dayOfYear(month, day)
  return era * ERA_DAYS + days - GREGORIAN_START
}

function gregorianDate(number: number): CivilDate {
  const day = number + GREGORIAN_START
  const era = Math.floor(day / ERA_DAYS)
  const inEra = day - era * ERA_DAYS
  const leapDays = Math.floor(inEra / 1460) - Math.floor(inEra / 36_524) + Math.floor(inEra / 146_096)
  const year = Math.floor((inEra - leapDays) / 365)
  const inYear = inEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  return dateInYear(year + era * 400, inYear)
}

function julianDay(year: number, month: number, day: number): number {
  const from = month <= 2 ? year - 1 : year
  return from * 365 + Math.floor(from / 4) + dayOfYear(month, day) - JULIAN_START
}

function julianDate(number: number): CivilDate {
  const day = number + JULIAN_START
  const cycle = Math.floor(day / 1461)
  const inCycle = day - cycle * 1461
  const year = Math.floor((inCycle - Math.floor(inCycle / 1460)) / 365)
  return dateInYear(year + cycle * 4, inCycle - 365 * year)
}

function dayOfYear(month: number, day: number): number {
  return Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
}

/** The date of a day in a year that begins on 1 March. */
function dateInYear(year: number, inYear: number): CivilDate {
  const fromMarch = Math.floor((5 * inYear + 2) / 153)
  const day = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch + (fromMarch < 10 ? 3 : -9)
  return [month <= 2 ? year + 1 : year, month, day]
}
