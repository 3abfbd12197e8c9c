import type { DataType, TimeUnit } from '../types/schema.ts'

/** A day of the proleptic Gregorian calendar. The year before 1 is 0. */
interface CalendarDate {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
}

// Years are counted from 1 March here, so that a leap day is the last one of its year. The months from March on then have
// 31, 30, 31, 30, 31 days again and again, which is 153 days for each five. The calendar repeats after 400 years.
const CYCLE_DAYS = 146_097
/** 0000-03-01, in days before 1970-01-01. */
const START = 719_468

/** The date of a day since 1970-01-01. */
export function dateOf(days: number): CalendarDate {
  const cycle = Math.floor((days + START) / CYCLE_DAYS)
  const dayOfCycle = days + START - cycle * CYCLE_DAYS
  const leapDays =
    Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36_524) + Math.floor(dayOfCycle / 146_096)
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365)
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  return {
    year: cycle * 400 + yearOfCycle + Number(month <= 2),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  }
}

/** The first day of a month, in days since 1970-01-01. */
export function firstDayOf(year: number, month: number): number {
  const fromMarch = month > 2 ? year : year - 1
  const cycle = Math.floor(fromMarch / 400)
  const yearOfCycle = fromMarch - cycle * 400
  const days = 365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100)
  return cycle * CYCLE_DAYS + days + Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) - START
}

export type TimestampType = Extract<DataType, { kind: 'timestamp' }>
export type TimeType = Extract<DataType, { kind: 'date' | 'timestamp' }>

/** TIMESTAMP and TIMESTAMP_NS of SQL. */
export const TIMESTAMP: TimestampType = Object.freeze({ kind: 'timestamp', unit: 'microsecond', zone: null })
export const TIMESTAMP_NS: TimestampType = Object.freeze({
  kind: 'timestamp',
  unit: 'nanosecond',
  zone: null,
})

/** The same with a zone: instants, which SQL has in UTC. */
export const TIMESTAMPTZ: TimestampType = Object.freeze({
  kind: 'timestamp',
  unit: 'microsecond',
  zone: 'UTC',
})
export const TIMESTAMPTZ_NS: TimestampType = Object.freeze({
  kind: 'timestamp',
  unit: 'nanosecond',
  zone: 'UTC',
})

/** Whether a type is one of the times with a zone that SQL has. */
export function isZonedTime(type: DataType | null | undefined): type is TimestampType {
  const isFine = type?.kind === 'timestamp' && (type.unit === 'microsecond' || type.unit === 'nanosecond')
  return isFine && type.zone === 'UTC'
}

/** The type of the time in UTC that a time with a zone is: both have the same numbers. */
export function withoutZone(type: TimestampType): TimestampType {
  return type.unit === 'nanosecond' ? TIMESTAMP_NS : TIMESTAMP
}

/** Whether a type is a time with or without a zone. */
export function isAnyTime(type: DataType | null | undefined): type is TimeType {
  return isTime(type) || isZonedTime(type)
}

/** Whether a type is one of the times of which the core computes fields: dates in days, and timestamps without a zone. */
export function isTime(type: DataType | null | undefined): type is TimeType {
  return type?.kind === 'timestamp' ? type.zone === null : type?.kind === 'date' && type.unit === 'day'
}

const PER_SECOND: Readonly<Record<TimeUnit, bigint>> = Object.freeze({
  second: 1n,
  millisecond: 1_000n,
  microsecond: 1_000_000n,
  nanosecond: 1_000_000_000n,
})

/** The units in a second. A day is the unit of dates. */
export function perSecond(type: TimeType): bigint {
  return type.kind === 'timestamp' ? PER_SECOND[type.unit] : 0n
}

/** The units in a day. */
export function perDay(type: TimeType): bigint {
  return type.kind === 'timestamp' ? 86_400n * PER_SECOND[type.unit] : 1n
}

/** The value that stands for infinity. Its negative stands for the infinite past. */
export function infinityOf(type: TimeType): bigint {
  return type.kind === 'timestamp' ? 2n ** 63n - 1n : 2n ** 31n - 1n
}

/** The last day that the core computes with. The first one is its negative. */
export const LAST_DAY = 2 ** 31 - 2

/** A finite time: its day, and the units from the beginning of that. */
export interface Moment {
  readonly days: number
  readonly rest: bigint
  /** The units in a second. */
  readonly second: bigint
}

/** Null: the time is infinite, or beyond the days that the core computes with. */
export function momentOf(value: bigint, type: TimeType): Moment | null {
  const infinity = infinityOf(type)
  const length = perDay(type)
  const rest = ((value % length) + length) % length
  const days = Number((value - rest) / length)
  if (value >= infinity || value <= -infinity || Math.abs(days) > LAST_DAY) return null
  return { days, rest, second: perSecond(type) }
}
