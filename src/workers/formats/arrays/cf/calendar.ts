/** The calendars of CF whose dates can be told as instants. `standard` is Julian before 15 October 1582. */
export type Calendar = 'standard' | 'proleptic_gregorian' | 'julian' | 'noleap'

/** All calendars of CF. Of the last two a date need not exist in any other: 30 February, 29 February of each year. */
export type CfCalendar = Calendar | '360_day' | 'all_leap'

const CALENDARS: Readonly<Record<string, CfCalendar>> = Object.freeze({
  standard: 'standard',
  gregorian: 'standard',
  proleptic_gregorian: 'proleptic_gregorian',
  julian: 'julian',
  noleap: 'noleap',
  '365_day': 'noleap',
  '360_day': '360_day',
  all_leap: 'all_leap',
  '366_day': 'all_leap',
})

/** The names of calendars, in lower case. */
export const CALENDAR_NAMES: readonly string[] = Object.freeze(Object.keys(CALENDARS))

/** The calendar that the attribute `calendar` names, in any case. Null: CF has no such calendar. */
export function calendarOf(name: string | null): CfCalendar | null {
  if (name === null) return 'standard'
  const key = name.trim().toLowerCase()
  return Object.hasOwn(CALENDARS, key) ? (CALENDARS[key] ?? null) : null
}

/** Whether the dates of a calendar can be told as instants. */
export function hasInstants(calendar: CfCalendar): calendar is Calendar {
  return calendar !== '360_day' && calendar !== 'all_leap'
}

// Years are counted from 1 March here, so that a leap day is the last one of its year. The months from March on then have
// 31, 30, 31, 30, 31 days again and again, which is 153 days for each five. The Gregorian calendar repeats after 400 years.
const ERA_DAYS = 146_097
/** 0000-03-01 Gregorian and Julian, in days before 1970-01-01. */
const GREGORIAN_START = 719_468
const JULIAN_START = 719_470

/** Days before each month in calendars in which all years are alike, and at the end those of a year. */
const MONTH_STARTS = Object.freeze({
  noleap: [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365],
  all_leap: [0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366],
  '360_day': [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 360],
})

/** Calendars in which all years are alike. */
type RegularCalendar = keyof typeof MONTH_STARTS

/** The first day of the Gregorian calendar as it was introduced, in days since 1970-01-01. */
const SWITCH_DAY = gregorianDay(1582, 10, 15)

/**
 * The day number of a date: for calendars in which all years are alike in days since 1970-01-01 of that calendar, for the others in
 * days since 1970-01-01 of the proleptic Gregorian calendar. In `standard` and `julian` the year before 1 is −1. Null: there is no such
 * day.
 */
export function dayNumber(calendar: CfCalendar, year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  switch (calendar) {
    case 'proleptic_gregorian':
      return dayOfDate(gregorianDay, gregorianDate, year, month, day)
    case 'noleap':
    case 'all_leap':
    case '360_day': {
      const starts = MONTH_STARTS[calendar]
      const start = starts[month - 1] ?? 0
      const isLonger = day > (starts[month] ?? 0) - start
      return isLonger ? null : (year - 1970) * yearDays(calendar) + start + day - 1
    }
    case 'julian':
      return year === 0 ? null : dayOfDate(julianDay, julianDate, withYearZero(year), month, day)
    case 'standard': {
      if (year === 0) return null
      const gregorian = dayOfDate(gregorianDay, gregorianDate, year, month, day)
      if (gregorian !== null && gregorian >= SWITCH_DAY) return gregorian
      const julian = dayOfDate(julianDay, julianDate, withYearZero(year), month, day)
      return julian !== null && julian < SWITCH_DAY ? julian : null
    }
  }
}

/** The date of a day number of a calendar, as `dayNumber` counts them. */
export function dateOf(calendar: CfCalendar, day: number): CivilDate {
  switch (calendar) {
    case 'proleptic_gregorian':
      return gregorianDate(day)
    case 'julian':
      return withoutYearZero(julianDate(day))
    case 'standard':
      return day >= SWITCH_DAY ? gregorianDate(day) : withoutYearZero(julianDate(day))
    default: {
      const years = Math.floor(day / yearDays(calendar))
      const inYear = day - years * yearDays(calendar)
      const starts = MONTH_STARTS[calendar]
      const month = starts.findLastIndex((start) => start <= inYear) + 1
      return [1970 + years, month, inYear - (starts[month - 1] ?? 0) + 1]
    }
  }
}

function yearDays(calendar: RegularCalendar): number {
  return MONTH_STARTS[calendar][12] ?? 0
}

/** Years as astronomers count them, with a year 0. */
function withYearZero(year: number): number {
  return year < 0 ? year + 1 : year
}

/** The date with the year as these calendars count it, in which the year before 1 is −1. */
function withoutYearZero([year, month, day]: CivilDate): CivilDate {
  return [year <= 0 ? year - 1 : year, month, day]
}

export type CivilDate = readonly [year: number, month: number, day: number]

/** The day of a date. Null: the calendar does not have it. */
function dayOfDate(
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
