import type { DataType, TimeUnit } from '../../../../plan/types/schema.ts'
import type { Argument, Emit, Emitter } from '../emitter.ts'
import { epochOutOfRange, overflowOfQuotient, truncatedOutside } from '../failures.ts'
import type { Value } from '../program.ts'

/** Fields of days, in the order of `src/evaluate/kernels/dates.rs`, with their names in SQL. */
const FIELDS: readonly (readonly string[])[] = [
  ['year'],
  ['month'],
  ['day', 'dayofmonth'],
  ['quarter'],
  ['dayofyear'],
  ['dayofweek', 'weekday'],
  ['isodow'],
  ['week', 'weekofyear'],
  ['isoyear'],
  ['yearweek'],
  ['decade'],
  ['century'],
  ['millennium'],
  ['era'],
]

/** Parts of the calendar to whose first day times are truncated, in the same order. */
const PARTS = ['week', 'month', 'quarter', 'year', 'decade', 'century', 'millennium']

const DAY_SECONDS = 86_400n

/** Spans of one length, in seconds. */
const SPANS: Readonly<Record<string, bigint>> = Object.freeze({
  day: DAY_SECONDS,
  hour: 3_600n,
  minute: 60n,
  second: 1n,
})

const PER_SECOND: Readonly<Record<TimeUnit, bigint>> = Object.freeze({
  second: 1n,
  millisecond: 1_000n,
  microsecond: 1_000_000n,
  nanosecond: 1_000_000_000n,
})

function unitOf(type: DataType | null | undefined): TimeUnit | null {
  return type?.kind === 'timestamp' ? type.unit : null
}

const span = (emitter: Emitter, value: bigint): Value => emitter.constant('i64', { kind: 'int', value })

/** The days of dates, or of timestamps. */
function daysOf(emitter: Emitter, value: Value, unit: TimeUnit | null): Value {
  if (unit === null) return value
  return emitter.operate('time_divide', [value, span(emitter, DAY_SECONDS * PER_SECOND[unit])], { to: 'i32' })
}

function argument(args: readonly Argument[], index: number): Argument {
  const arg = args[index]
  if (arg === undefined) throw new TypeError('a function of times has too few arguments')
  return arg
}

const field =
  (number: number): Emit =>
  (emitter, args, _, types) => {
    const days = daysOf(emitter, argument(args, 0)(emitter), unitOf(types[0]))
    return emitter.operate('date_field', [days, number], { to: 'i64' })
  }

/** Whole units of `unit` seconds in what is left of spans of `around` seconds. */
const clock =
  (around: bigint, unit: (perSecond: bigint) => bigint): Emit =>
  (emitter, args, _, types) => {
    const timeUnit = unitOf(types[0])
    const value = argument(args, 0)(emitter)
    if (timeUnit === null) return beginningOfDay(emitter, value)
    const perSecond = PER_SECOND[timeUnit]
    const rest = emitter.operate('time_remainder', [value, span(emitter, around * perSecond)])
    const divisor = unit(perSecond)
    return divisor === 1n ? rest : emitter.operate('time_divide', [rest, span(emitter, divisor)])
  }

/** 0 of each finite day. */
function beginningOfDay(emitter: Emitter, day: Value): Value {
  const isInfinite = emitter.operate('is_null', [emitter.operate('date_field', [day, 0], { to: 'i64' })])
  return emitter.operate('choose', [span(emitter, 0n), emitter.constant('i64', null), isInfinite])
}

/** The beginning of what a time lies in. An infinite one stays as it is. */
const truncation: Emit = (emitter, args, _, types) => {
  const part = emitter.textOf(argument(args, 0)(emitter))
  const unit = unitOf(types[1])
  const value = argument(args, 1)(emitter)
  const length = SPANS[part]
  if (unit === null && length !== undefined) return value
  const start =
    length === undefined ? firstDay(emitter, value, unit, part) : floor(emitter, value, unit, length)
  return emitter.operate('choose', [start, value, emitter.operate('is_null', [start])])
}

function floor(emitter: Emitter, value: Value, unit: TimeUnit | null, seconds: bigint): Value {
  const rest = emitter.operate('time_remainder', [
    value,
    span(emitter, seconds * PER_SECOND[unit ?? 'second']),
  ])
  return emitter.operate('subtract', [value, rest], { tellFailure: truncatedOutside })
}

function firstDay(emitter: Emitter, value: Value, unit: TimeUnit | null, part: string): Value {
  const number = PARTS.indexOf(part)
  if (number < 0) throw new TypeError(`no part ${part} of times`)
  const day = emitter.operate('date_trunc', [daysOf(emitter, value, unit), number])
  if (unit === null) return day
  const days = emitter.operate('cast', [day], { to: 'i64' })
  const length = span(emitter, DAY_SECONDS * PER_SECOND[unit])
  return emitter.operate('multiply', [days, length], { tellFailure: truncatedOutside })
}

/** A time in microseconds, of which infinite ones are null. */
const finite = (emitter: Emitter, value: Value): Value =>
  emitter.operate('time_divide', [value, span(emitter, 1n)])

const difference = (emitter: Emitter, values: readonly [Value, Value]): Value =>
  emitter.operate('subtract', [values[1], values[0]], { tellFailure: truncatedOutside })

/** How many beginnings of a part of times lie between two of them. */
const boundaries: Emit = (emitter, args, _, types) => {
  const part = emitter.textOf(argument(args, 0)(emitter))
  const unit = unitOf(types[1])
  const [a, b] = [argument(args, 1)(emitter), argument(args, 2)(emitter)]
  const number = PART_NUMBERS[part] ?? ((of: Emitter, time: Value): Value => partNumber(of, time, unit, part))
  const between = difference(emitter, [number(emitter, a, unit), number(emitter, b, unit)])
  return part === 'week' ? divided(emitter, between, 7n) : between
}

type PartNumber = (emitter: Emitter, time: Value, unit: TimeUnit | null) => Value

/** A field of the day of a time. */
const fieldOf =
  (name: string): PartNumber =>
  (emitter, time, unit) => {
    const number = FIELDS.findIndex((names) => names.includes(name))
    return emitter.operate('date_field', [daysOf(emitter, time, unit), number], { to: 'i64' })
  }

const divided = (emitter: Emitter, value: Value, by: bigint): Value =>
  emitter.operate('divide', [value, span(emitter, by)], { tellFailure: overflowOfQuotient })

const years =
  (count: bigint): PartNumber =>
  (emitter, time, unit) =>
    divided(emitter, fieldOf('year')(emitter, time, unit), count)

/** The months before a time, from the year 0 on. */
const months: PartNumber = (emitter, time, unit) => {
  const ofYears = emitter.operate('multiply', [fieldOf('year')(emitter, time, unit), span(emitter, 12n)], {
    tellFailure: truncatedOutside,
  })
  return emitter.operate('add', [ofYears, fieldOf('month')(emitter, time, unit)], {
    tellFailure: truncatedOutside,
  })
}

/** Months are counted from 1. */
const quarters: PartNumber = (emitter, time, unit) => {
  const before = emitter.operate('subtract', [months(emitter, time, unit), span(emitter, 1n)], {
    tellFailure: truncatedOutside,
  })
  return divided(emitter, before, 3n)
}

/** The days before a time. An infinite one has none. */
const days: PartNumber = (emitter, time, unit) => {
  if (unit !== null) return partNumber(emitter, time, unit, 'day')
  const isKnown = fieldOf('year')(emitter, time, unit)
  const wide = emitter.operate('cast', [time], { to: 'i64' })
  return emitter.operate('choose', [wide, isKnown, emitter.operate('is_null', [isKnown])])
}

const PART_NUMBERS: Readonly<Record<string, PartNumber>> = Object.freeze({
  day: days,
  // Whole weeks, whatever their days are.
  week: days,
  month: months,
  quarter: quarters,
  year: fieldOf('year'),
  isoyear: fieldOf('isoyear'),
  decade: years(10n),
  century: years(100n),
  millennium: years(1000n),
})

/** The spans of a part of a day, or of days, before a time. */
function partNumber(emitter: Emitter, time: Value, unit: TimeUnit | null, part: string): Value {
  const perSecond = PER_SECOND[unit ?? 'second']
  const length = SPANS[part]
  const units = length === undefined ? perSecond / PER_SECOND[part as TimeUnit] : length * perSecond
  return emitter.operate('time_divide', [time, span(emitter, units)])
}

/** Seconds, and milliseconds without their fraction, from 1970 to a time in microseconds. */
const seconds: Emit = (emitter, args) => {
  const micros = emitter.operate('cast', [finite(emitter, argument(args, 0)(emitter))], { to: 'f64' })
  return emitter.operate('divide', [micros, emitter.constant('f64', { kind: 'float', value: 1e6 })])
}
const milliseconds: Emit = (emitter, args) =>
  divided(emitter, finite(emitter, argument(args, 0)(emitter)), 1000n)

/** The time so many seconds after 1970, in microseconds. */
const fromSeconds: Emit = (emitter, args) => {
  const perSecond = emitter.constant('f64', { kind: 'float', value: 1e6 })
  const micros = emitter.operate('multiply', [argument(args, 0)(emitter), perSecond])
  return emitter.operate('cast', [micros], { to: 'i64', tellFailure: epochOutOfRange })
}

export const EMITTED_TIMES: readonly (readonly [name: string, emit: Emit])[] = [
  ...FIELDS.flatMap((names, number) => names.map((name) => [name, field(number)] as const)),
  ['hour', clock(DAY_SECONDS, (perSecond) => 3_600n * perSecond)],
  ['minute', clock(3_600n, (perSecond) => 60n * perSecond)],
  ['second', clock(60n, (perSecond) => perSecond)],
  ['millisecond', clock(60n, (perSecond) => perSecond / 1_000n)],
  ['microsecond', clock(60n, (perSecond) => perSecond / 1_000_000n)],
  ['date_trunc', truncation],
  ['date_diff', boundaries],
  ['to_timestamp', fromSeconds],
  ['epoch', seconds],
  ['epoch_ms', milliseconds],
  ['epoch_us', (emitter, args) => finite(emitter, argument(args, 0)(emitter))],
]
