import {
  infinityOf,
  isTime,
  TIMESTAMP,
  TIMESTAMP_NS,
  type TimeType,
} from '../../../../plan/kernels/calendar.ts'
import {
  defaultOrigin,
  intervalOf,
  microsOf,
  monthsOf,
  phaseOf,
  type TimeInterval,
} from '../../../../plan/kernels/intervals.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { Argument, Emit, Emitter } from '../emitter.ts'
import {
  castOfArgument,
  dayInNanoseconds,
  dayOutOfRange,
  monthOutOfRange,
  overflow,
  timeOutOfRange,
  truncatedOutside,
} from '../failures.ts'
import type { Value } from '../program.ts'
import { beginningOf, inUnit, ofFinite } from './time-casts.ts'

const DAY = 86_400_000_000n

const integer = (emitter: Emitter, value: bigint, kind: 'i32' | 'i64' = 'i64'): Value =>
  emitter.constant(kind, { kind: 'int', value })

function argument(args: readonly Argument[], index: number): Argument {
  const arg = args[index]
  if (arg === undefined) throw new TypeError('a function of intervals has too few arguments')
  return arg
}

function intervalIn(emitter: Emitter, value: Value): TimeInterval {
  const interval = intervalOf({ kind: 'bytes', value: emitter.bytesOf(value) })
  if (interval === null) throw new TypeError('a constant that is no interval')
  return interval
}

function timeOf(type: DataType | null | undefined): TimeType {
  if (!isTime(type)) throw new TypeError('an interval beside what is no time')
  return type
}

/** A time that is later by an interval, in microseconds. */
const later: Emit = (emitter, args, _, types) => {
  const type = timeOf(types[0])
  const value = argument(args, 0)(emitter)
  const interval = intervalIn(emitter, argument(args, 1)(emitter))
  const time = type.kind === 'date' ? beginningOf(emitter, value, TIMESTAMP, timeOutOfRange) : value
  const { months, days } = interval
  // Days are added as spans of time, unless there are so many that they alone are out of range.
  const isShort = months === 0 && Math.abs(days) < 2 ** 30
  return ofFinite(emitter, time, TIMESTAMP, TIMESTAMP, (finite) =>
    isShort
      ? requireTime(finite, finite.operate('add', [time, integer(emitter, microsOf(interval))], OUT_OF_RANGE))
      : movedByParts(finite, time, interval),
  )
}

const OUT_OF_RANGE = Object.freeze({ tellFailure: timeOutOfRange })
const NO_DAY = Object.freeze({ tellFailure: dayOutOfRange })

/** The first day whose beginning is a TIMESTAMP. */
const FIRST = -106_751_991n * DAY

/** Fails where a sum is no finite time of DuckDB. */
function requireTime(emitter: Emitter, sum: Value): Value {
  const isBefore = emitter.operate('less', [sum, integer(emitter, FIRST)])
  const isInfinite = emitter.operate('equal', [sum, integer(emitter, infinityOf(TIMESTAMP))])
  const isNone = emitter.operate('or', [isBefore, isInfinite])
  // Twice such a number has more than 64 bits.
  const failing = emitter.where('where_true', isNone).operate('add', [sum, sum], OUT_OF_RANGE)
  return emitter.operate('choose', [sum, failing, isNone])
}

/** As DuckDB adds an interval: first months, then days, then the whole days of the rest, then what is left. */
function movedByParts(emitter: Emitter, time: Value, { months, days, micros }: TimeInterval): Value {
  const length = integer(emitter, DAY)
  const start = emitter.operate('time_divide', [time, length], { to: 'i32' })
  const rest = emitter.operate('time_remainder', [time, length])
  const ofMonths =
    months === 0
      ? start
      : emitter.operate('add_months', [start, integer(emitter, BigInt(months), 'i32')], {
          tellFailure: monthOutOfRange,
        })
  const day = [BigInt(days), micros / DAY].reduce(
    (sum, count) =>
      count === 0n ? sum : emitter.operate('add', [sum, integer(emitter, count, 'i32')], NO_DAY),
    ofMonths,
  )
  const behind = micros % DAY
  const clock = behind === 0n ? rest : emitter.operate('add', [rest, integer(emitter, behind)], NO_DAY)
  const wide = emitter.operate('cast', [day], { to: 'i64' })
  if (behind === 0n) return startOf(emitter, wide, clock)
  const carried = emitter.operate('add', [wide, emitter.operate('time_divide', [clock, length])], NO_DAY)
  return startOf(emitter, carried, emitter.operate('time_remainder', [clock, length]))
}

function startOf(emitter: Emitter, day: Value, clock: Value): Value {
  const start = emitter.operate('multiply', [day, integer(emitter, DAY)], OUT_OF_RANGE)
  return requireTime(emitter, emitter.operate('add', [start, clock], OUT_OF_RANGE))
}

/** The beginning of the interval in which a time lies. */
const bucket: Emit = (emitter, args, _, types) => {
  const type = timeOf(types[1])
  const width = intervalIn(emitter, argument(args, 0)(emitter))
  const value = argument(args, 1)(emitter)
  const origin = args[2] === undefined ? defaultOrigin(width) : emitter.integerOf(args[2](emitter))
  const phase = phaseOf(width, origin)
  if (width.months > 0) return ofMonths(emitter, value, type, BigInt(width.months), phase)
  if (type.kind === 'timestamp') return ofSpans(emitter, value, microsOf(width), phase)
  const start = ofSpans(
    emitter,
    beginningOf(emitter, value, TIMESTAMP, castOfArgument),
    microsOf(width),
    phase,
  )
  return emitter.operate('time_divide', [start, integer(emitter, DAY)], { to: 'i32' })
}

function ofSpans(emitter: Emitter, time: Value, length: bigint, phase: bigint): Value {
  const rest = emitter.operate('time_remainder', [time, integer(emitter, length)])
  const behind = phase === 0n ? rest : aroundPhase(emitter, rest, length, phase)
  const start = emitter.operate('subtract', [time, behind], { tellFailure: overflow('-', 'i64') })
  return emitter.operate('choose', [start, time, emitter.operate('is_null', [behind])])
}

/** What is left of a remainder by a length if its multiples are moved by `phase`. */
function aroundPhase(emitter: Emitter, rest: Value, length: bigint, phase: bigint): Value {
  const options = { tellFailure: truncatedOutside }
  const moved = emitter.operate('subtract', [rest, integer(emitter, phase)], options)
  const next = emitter.operate('add', [moved, integer(emitter, length)], options)
  const isBefore = emitter.operate('less', [moved, integer(emitter, 0n)])
  return emitter.operate('choose', [moved, next, isBefore])
}

/** Parts of the calendar that are the widths of so many months, by their numbers in `src/evaluate/kernels/dates.rs`. */
const PARTS: ReadonlyMap<bigint, number> = new Map([
  [1n, 1],
  [3n, 2],
  [12n, 3],
])

const MONTHS_OF_1970 = BigInt(monthsOf(0)) + 1970n * 12n

function ofMonths(emitter: Emitter, value: Value, type: TimeType, width: bigint, phase: bigint): Value {
  const day =
    type.kind === 'date'
      ? value
      : emitter.operate('time_divide', [value, integer(emitter, DAY)], { to: 'i32' })
  const part = phase === 0n ? PARTS.get(width) : undefined
  const first =
    part === undefined ? monthsBefore(emitter, day, width, phase) : emitter.operate('date_trunc', [day, part])
  const isInfinite = emitter.operate('is_null', [first])
  if (type.kind === 'date') return emitter.operate('choose', [first, value, isInfinite])
  const start = emitter.operate(
    'multiply',
    [emitter.operate('cast', [first], { to: 'i64' }), integer(emitter, DAY)],
    {
      tellFailure: castOfArgument,
    },
  )
  return emitter.operate('choose', [start, value, isInfinite])
}

/** The first day of the span of so many months in which a day lies. Null of an infinite one. */
function monthsBefore(emitter: Emitter, day: Value, width: bigint, phase: bigint): Value {
  const options = { tellFailure: truncatedOutside }
  const field = (number: number): Value => emitter.operate('date_field', [day, number], { to: 'i64' })
  const years = emitter.operate('multiply', [field(0), integer(emitter, 12n)], options)
  const months = emitter.operate('add', [years, field(1)], options)
  const since = emitter.operate('subtract', [months, integer(emitter, MONTHS_OF_1970 + 1n)], options)
  const rest = emitter.operate('time_remainder', [since, integer(emitter, width)])
  const behind = phase === 0n ? rest : aroundPhase(emitter, rest, width, phase)
  const start = emitter.operate('try_cast', [emitter.operate('subtract', [since, behind], options)], {
    to: 'i32',
  })
  return emitter.operate('add_months', [integer(emitter, 0n, 'i32'), start], { tellFailure: monthOutOfRange })
}

/** Nanoseconds since 1970. */
const nanoseconds: Emit = (emitter, args, _, types) => {
  const type = timeOf(types[0])
  const value = argument(args, 0)(emitter)
  if (type.kind === 'timestamp' && type.unit === 'nanosecond') return value
  const inNanoseconds =
    type.kind === 'date'
      ? beginningOf(emitter, value, TIMESTAMP_NS, dayInNanoseconds)
      : inUnit(emitter, value, type, TIMESTAMP_NS)
  // Infinite times have none.
  return emitter.operate('time_divide', [inNanoseconds, integer(emitter, 1n)])
}

/** What is written for the kernels of times with intervals (`src/plan/kernels/time-kernels.ts`). */
export const EMITTED_INTERVALS: readonly (readonly [name: string, emit: Emit])[] = [
  ['date_add', later],
  ['time_bucket', bucket],
  ['epoch_ns', nanoseconds],
]
