import type { DataType, TimeUnit } from '../../../plan/types/schema.ts'
import type { Argument, Emit, Emitter } from './emitter.ts'
import { truncatedOutside } from './failures.ts'
import type { Value } from './program.ts'

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
    const perSecond = PER_SECOND[unitOf(types[0]) ?? 'second']
    const value = argument(args, 0)(emitter)
    const rest = emitter.operate('time_remainder', [value, span(emitter, around * perSecond)])
    const divisor = unit(perSecond)
    return divisor === 1n ? rest : emitter.operate('time_divide', [rest, span(emitter, divisor)])
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

export const EMITTED_TIMES: readonly (readonly [name: string, emit: Emit])[] = [
  ...FIELDS.flatMap((names, number) => names.map((name) => [name, field(number)] as const)),
  ['hour', clock(DAY_SECONDS, (perSecond) => 3_600n * perSecond)],
  ['minute', clock(3_600n, (perSecond) => 60n * perSecond)],
  ['second', clock(60n, (perSecond) => perSecond)],
  ['millisecond', clock(60n, (perSecond) => perSecond / 1_000n)],
  ['microsecond', clock(60n, (perSecond) => perSecond / 1_000_000n)],
  ['date_trunc', truncation],
]
