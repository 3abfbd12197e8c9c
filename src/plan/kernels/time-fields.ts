import { uniqueMap } from '../unique-map.ts'
import { dateOf, firstDayOf, type Moment } from './calendar.ts'

/** What the core computes of a day and never falls from one day to the next. */
export type RisingField = (days: number) => number

const yearOf: RisingField = (days) => dateOf(days).year

/** 1 on Mondays. The day 0 was a Thursday. */
const isoDayOfWeek = (days: number): number => modulo(days + 3, 7) + 1

const modulo = (value: number, by: number): number => value - Math.floor(value / by) * by

/** The year of an ISO week is that of its Thursday. */
const isoYearOf: RisingField = (days) => yearOf(days + 4 - isoDayOfWeek(days))

/** Centuries and millennia are counted from 1, and backwards from −1. */
const counted =
  (years: number): RisingField =>
  (days) => {
    const year = yearOf(days)
    return year > 0 ? Math.floor((year - 1) / years) + 1 : Math.trunc(year / years) - 1
  }

/** By the names of functions in SQL. */
export const RISING_FIELDS: ReadonlyMap<string, RisingField> = new Map<string, RisingField>([
  ['year', yearOf],
  ['isoyear', isoYearOf],
  ['decade', (days) => Math.trunc(yearOf(days) / 10)],
  ['century', counted(100)],
  ['millennium', counted(1000)],
  ['era', (days) => Number(yearOf(days) > 0)],
])

/** The ISO year and its week as one number, which rises from the year 1 on. */
export const yearWeekOf: RisingField = (days) => {
  const year = isoYearOf(days)
  return 100 * year + (year > 0 ? weekOf({ days }) : -weekOf({ days }))
}

/** A field that rises within a period, and begins anew with the next one. */
export interface PeriodicField {
  readonly of: (moment: Moment) => number
  /** A number that is the same for all times of a period, and for no others. */
  readonly period: (moment: Moment) => number
  /** The least and the greatest value. */
  readonly range: readonly [least: number, greatest: number]
}

type Row = readonly [names: readonly string[], field: PeriodicField]

const monthsOf = ({ days }: Moment): number => {
  const { year, month } = dateOf(days)
  return 12 * year + month - 1
}
const dayOfYear = ({ days }: Moment): number => days - firstDayOf(yearOf(days), 1) + 1
const weekOf = ({ days }: Pick<Moment, 'days'>): number => {
  const thursday = days + 4 - isoDayOfWeek(days)
  return Math.floor((thursday - firstDayOf(yearOf(thursday), 1)) / 7) + 1
}
const secondsOf = ({ rest, second }: Moment): number => Number(rest / (second === 0n ? 1n : second))
const minutesOf = (moment: Moment): number => 1_440 * moment.days + Math.floor(secondsOf(moment) / 60)
const hoursOf = (moment: Moment): number => 24 * moment.days + Math.floor(secondsOf(moment) / 3_600)

/** A part of a minute, of which so many are a second. */
const ofMinute =
  (parts: bigint) =>
  ({ rest, second }: Moment): number =>
    second === 0n ? 0 : Number(((rest % (60n * second)) * parts) / second)

const ROWS: readonly Row[] = [
  [
    ['month'],
    { of: (at) => modulo(monthsOf(at), 12) + 1, period: ({ days }) => yearOf(days), range: [1, 12] },
  ],
  [
    ['quarter'],
    {
      of: (at) => Math.floor(modulo(monthsOf(at), 12) / 3) + 1,
      period: ({ days }) => yearOf(days),
      range: [1, 4],
    },
  ],
  [['day', 'dayofmonth'], { of: ({ days }) => dateOf(days).day, period: monthsOf, range: [1, 31] }],
  [['dayofyear'], { of: dayOfYear, period: ({ days }) => yearOf(days), range: [1, 366] }],
  [
    ['dayofweek', 'weekday'],
    {
      of: ({ days }) => modulo(days + 4, 7),
      period: ({ days }) => Math.floor((days + 4) / 7),
      range: [0, 6],
    },
  ],
  [
    ['isodow'],
    {
      of: ({ days }) => isoDayOfWeek(days),
      period: ({ days }) => Math.floor((days + 3) / 7),
      range: [1, 7],
    },
  ],
  [['week', 'weekofyear'], { of: weekOf, period: ({ days }) => isoYearOf(days), range: [1, 53] }],
  [['hour'], { of: (at) => modulo(hoursOf(at), 24), period: ({ days }) => days, range: [0, 23] }],
  [['minute'], { of: (at) => modulo(minutesOf(at), 60), period: hoursOf, range: [0, 59] }],
  [['second'], { of: ofMinute(1n), period: minutesOf, range: [0, 59] }],
  [['millisecond'], { of: ofMinute(1_000n), period: minutesOf, range: [0, 59_999] }],
  [['microsecond'], { of: ofMinute(1_000_000n), period: minutesOf, range: [0, 59_999_999] }],
]

/** By the names of functions in SQL. */
export const PERIODIC_FIELDS: ReadonlyMap<string, PeriodicField> = uniqueMap(
  ROWS.flatMap(([names, field]) => names.map((name) => [name, field] as const)),
)

/** The first day of the part of the calendar in which a day lies, as `date_trunc` gives it. It never falls from one day to the next. */
export const FIRST_DAYS: ReadonlyMap<string, RisingField> = new Map<string, RisingField>([
  ['day', (days) => days],
  ['week', (days) => days - isoDayOfWeek(days) + 1],
  [
    'month',
    (days) => {
      const { year, month } = dateOf(days)
      return firstDayOf(year, month)
    },
  ],
  [
    'quarter',
    (days) => {
      const { year, month } = dateOf(days)
      return firstDayOf(year, month - ((month - 1) % 3))
    },
  ],
  ...([1, 10, 100, 1000] as const).map((years, index) => {
    const name = ['year', 'decade', 'century', 'millennium'][index] ?? ''
    // Years before 0 are rounded towards it.
    return [name, (days: number) => firstDayOf(Math.trunc(yearOf(days) / years) * years, 1)] as const
  }),
])

/** Parts of a day to which times are truncated, in seconds. */
export const PARTS_OF_DAYS: ReadonlyMap<string, bigint> = new Map([
  ['second', 1n],
  ['minute', 60n],
  ['hour', 3_600n],
])
