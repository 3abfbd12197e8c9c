import type { ConstantExpression } from '../expression.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import { dateOf, firstDayOf, LAST_DAY } from './calendar.ts'

/** An interval as DuckDB has it: its parts are added one after the other, since months and days differ in their length. */
export interface TimeInterval {
  readonly months: number
  readonly days: number
  readonly micros: bigint
}

/** As Arrow has it: 32 bits of months, 32 bits of days and 64 bits of nanoseconds. Constants have 64 bits of microseconds. */
export const INTERVAL: DataType = Object.freeze({ kind: 'interval', unit: 'month_day_nano' })

const DAY_MICROS = 86_400_000_000n

/** The constant of an interval. */
export function intervalConstant({ months, days, micros }: TimeInterval): ConstantExpression {
  const value = new Uint8Array(16)
  const view = new DataView(value.buffer)
  view.setInt32(0, months, true)
  view.setInt32(4, days, true)
  view.setBigInt64(8, micros, true)
  return Object.freeze({
    kind: 'constant',
    value: Object.freeze({ kind: 'bytes', value }),
    type: INTERVAL,
  } as const)
}

/** The interval of a constant. Null: it is none. */
export function intervalOf(value: Scalar | null | undefined): TimeInterval | null {
  if (value?.kind !== 'bytes' || value.value.length !== 16) return null
  const view = new DataView(value.value.buffer, value.value.byteOffset, 16)
  return { months: view.getInt32(0, true), days: view.getInt32(4, true), micros: view.getBigInt64(8, true) }
}

export function negativeInterval({ months, days, micros }: TimeInterval): TimeInterval {
  return { months: -months, days: -days, micros: -micros }
}

/** An interval whose microseconds are whole days, rounded toward zero. */
export function inWholeDays({ months, days, micros }: TimeInterval): TimeInterval {
  return { months, days, micros: micros - (micros % DAY_MICROS) }
}

/** The microseconds of an interval without months. */
export function microsOf({ days, micros }: TimeInterval): bigint {
  return BigInt(days) * DAY_MICROS + micros
}

/** The most months of the intervals into which times are divided: the months since 1970 of all days have 27 bits. */
const WIDEST = 1_200_000

/** Whether times are divided into intervals of this width: so many months, or so many microseconds. */
export function isWidth(value: Scalar): boolean {
  const width = intervalOf(value)
  if (width === null) return false
  const micros = microsOf(width)
  if (width.months === 0) return micros > 0n && micros < 2n ** 62n
  return width.days === 0 && width.micros === 0n && width.months > 0 && width.months <= WIDEST
}

/** A time in microseconds that is later by an interval. Null: there is no such time. */
export function addInterval(time: bigint, { months, days, micros }: TimeInterval): bigint | null {
  const rest = modulo(time, DAY_MICROS)
  const day = laterBy(Number((time - rest) / DAY_MICROS), months)
  return day === null ? null : timestampOf(BigInt(day + days) * DAY_MICROS + micros + rest)
}

/** The day so many months after a day, or the last one of a shorter month. Null: there is none. */
function laterBy(day: number, months: number): number | null {
  if (months === 0) return day
  const date = dateOf(day)
  const start = firstDayOfMonth(monthsOf(day) + months)
  const next = firstDayOfMonth(monthsOf(day) + months + 1)
  const moved = Math.min(start + date.day - 1, next - 1)
  return Math.abs(moved) > LAST_DAY ? null : moved
}

/** The first microsecond of the first day in the calendar of TIMESTAMP. */
const FIRST_TIMESTAMP = -106_751_991n * DAY_MICROS

function timestampOf(value: bigint): bigint | null {
  return value >= FIRST_TIMESTAMP && value < 2n ** 63n - 1n ? value : null
}

/** The months from 1970 to that of a day. */
export function monthsOf(day: number): number {
  const { year, month } = dateOf(day)
  return (year - 1970) * 12 + month - 1
}

/** The first day of the month so many months after January 1970. */
export function firstDayOfMonth(months: number): number {
  const years = Math.floor(months / 12)
  return firstDayOf(1970 + years, months - 12 * years + 1)
}

/** The months, or the microseconds, from a multiple of a width to the origin: those from each multiple to the next interval. */
export function phaseOf(width: TimeInterval, origin: bigint): bigint {
  if (width.months === 0) return modulo(origin, microsOf(width))
  const day = Number((origin - modulo(origin, DAY_MICROS)) / DAY_MICROS)
  return modulo(BigInt(monthsOf(day)), BigInt(width.months))
}

/** 2000-01-01, and the Monday after it, from which intervals of months, and others, are counted if nothing else is said. */
const FIRST_OF_MONTHS = 10_957n * DAY_MICROS
const FIRST_OF_DAYS = 10_959n * DAY_MICROS

export function defaultOrigin(width: TimeInterval): bigint {
  return width.months === 0 ? FIRST_OF_DAYS : FIRST_OF_MONTHS
}

/** The beginning of the interval in which a time in microseconds lies, or of the first one that begins no earlier than it. */
export function bucketAt(time: bigint, width: TimeInterval, origin: bigint, isAfter: boolean): bigint {
  const phase = phaseOf(width, origin)
  if (width.months === 0) {
    const length = microsOf(width)
    const start = time - modulo(time - phase, length)
    return isAfter && start < time ? start + length : start
  }
  const day = Number((time - modulo(time, DAY_MICROS)) / DAY_MICROS)
  const months = monthsOf(day)
  const start = months - Number(modulo(BigInt(months) - phase, BigInt(width.months)))
  const first = BigInt(firstDayOfMonth(start)) * DAY_MICROS
  return isAfter && first < time ? BigInt(firstDayOfMonth(start + width.months)) * DAY_MICROS : first
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by
}
