import {
  infinityOf,
  isAnyTime,
  perDay,
  perSecond,
  type TimestampType,
  type TimeType,
} from '../../../../plan/kernels/calendar.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { Emit, Emitter } from '../emitter.ts'
import { castOfDay, dayOutOfRange, unitOutOfRange } from '../failures.ts'
import type { TellFailure, Value } from '../program.ts'

const DAY: TimeType = { kind: 'date', unit: 'day' }

const integer = (emitter: Emitter, value: bigint, kind: 'i32' | 'i64' = 'i64'): Value =>
  emitter.constant(kind, { kind: 'int', value })

/** A condition that is true of finite times. */
function isFiniteTime(emitter: Emitter, value: Value, type: TimeType): Value {
  const kind = type.kind === 'date' ? 'i32' : 'i64'
  const last = infinityOf(type) - 1n
  const isBefore = emitter.operate('less', [value, integer(emitter, -last, kind)])
  const isBehind = emitter.operate('less', [integer(emitter, last, kind), value])
  return emitter.operate('not', [emitter.operate('or', [isBefore, isBehind])])
}

/** What `compute` makes of finite times, and of infinite ones the infinite times of another type. Of null null. */
export function ofFinite(
  emitter: Emitter,
  value: Value,
  from: TimeType,
  to: TimeType,
  compute: (emitter: Emitter) => Value,
): Value {
  const condition = isFiniteTime(emitter, value, from)
  const computed = compute(emitter.where('where_true', condition))
  return emitter.operate('choose', [infinite(emitter, value, from, to), computed, condition])
}

/** The infinite times of another type. */
function infinite(emitter: Emitter, value: Value, from: TimeType, to: TimeType): Value {
  if (from.kind === to.kind) return value
  const wide = emitter.operate('cast', [value], { to: 'i64' })
  const zero = integer(emitter, 0n)
  const choose = (other: Value, chosen: bigint, condition: Value): Value =>
    emitter.operate('choose', [other, integer(emitter, chosen), condition])
  const future = choose(wide, infinityOf(to), emitter.operate('less', [zero, wide]))
  return choose(future, -infinityOf(to), emitter.operate('less', [wide, zero]))
}

/** A cast from a time to its day, which is infinite if the time is, from a day to its beginning, or to another unit. */
function castTime(emitter: Emitter, value: Value, from: TimeType, to: TimeType): Value {
  if (from.kind === 'date') return to.kind === 'date' ? value : beginningOf(emitter, value, to, castOfDay)
  if (to.kind === 'timestamp') return inUnit(emitter, value, from, to)
  if (from.unit === 'millisecond') {
    // DuckDB does not ask here whether the time is infinite.
    const tellFailure = unitOutOfRange(from.unit, 'microsecond')
    emitter.operate('multiply', [value, integer(emitter, 1000n)], { tellFailure })
  }
  return emitter.operate('time_divide', [value, integer(emitter, perDay(from))], { to: 'i32' })
}

/** The beginning of a day in a unit, which is infinite if the day is. */
export function beginningOf(emitter: Emitter, day: Value, to: TimeType, tellFailure: TellFailure): Value {
  return ofFinite(emitter, day, DAY, to, (finite) => {
    const days = finite.operate('cast', [day], { to: 'i64' })
    return finite.operate('multiply', [days, integer(emitter, perDay(to))], {
      tellFailure: (days) => tellFailure(days, 0n),
    })
  })
}

/** A time in another unit, rounded down. */
export function inUnit(emitter: Emitter, value: Value, from: TimestampType, to: TimestampType): Value {
  const [length, other] = [perSecond(from), perSecond(to)]
  if (length === other) return value
  if (length < other)
    return ofFinite(emitter, value, from, to, (finite) =>
      finite.operate('multiply', [value, integer(emitter, other / length)], {
        tellFailure: unitOutOfRange(from.unit, to.unit),
      }),
    )
  const divided = emitter.operate('time_divide', [value, integer(emitter, length / other)])
  return emitter.operate('choose', [divided, value, emitter.operate('is_null', [divided])])
}

function timeOf(type: DataType | null | undefined): TimeType | null {
  return isAnyTime(type) ? type : null
}

/** A cast, if it is one among times. Null: it is not. */
export function castOfTimes(
  emitter: Emitter,
  value: Value,
  from: DataType | null | undefined,
  to: DataType,
): Value | null {
  const [before, behind] = [timeOf(from), timeOf(to)]
  return before && behind && castTime(emitter, value, before, behind)
}

/** A day that was computed of finite ones. It fails where it has the number that stands for an infinite day. */
function requireFinite(emitter: Emitter, day: Value): Value {
  const [isAfter, isBefore] = [infinityOf(DAY), -infinityOf(DAY)].map((value) =>
    emitter.operate('equal', [day, integer(emitter, value, 'i32')]),
  )
  const isInfinite = emitter.operate('or', [isAfter ?? Number.NaN, isBefore ?? Number.NaN])
  // Twice that number has more than 32 bits.
  const failing = emitter
    .where('where_true', isInfinite)
    .operate('add', [day, day], { tellFailure: dayOutOfRange })
  return emitter.operate('choose', [day, failing, isInfinite])
}

/** A day and so many days, or the days between two, if an argument is a day. */
export const orDays =
  (operation: 'add' | 'subtract', otherwise: Emit): Emit =>
  (emitter, args, to, types, type) => {
    const days = types.map((each) => each?.kind === 'date')
    const [a, b] = args
    if (!days.includes(true) || a === undefined || b === undefined)
      return otherwise(emitter, args, to, types, type)
    const [left, right] = [a(emitter), b(emitter)]
    if (type.kind !== 'date') {
      const [wide = 0, other = 0] = [left, right].map((each) =>
        emitter.operate('cast', [each], { to: 'i64' }),
      )
      return emitter.operate('subtract', [wide, other], { tellFailure: dayOutOfRange })
    }
    const day = days[0] ? left : right
    const moved = ofFinite(emitter, day, DAY, DAY, (finite) => {
      const sum = finite.operate(operation, [left, right], { tellFailure: dayOutOfRange })
      return requireFinite(finite, sum)
    })
    // An infinite day stays one, but for null.
    const count = days[0] ? right : left
    const isUnknown = emitter.operate('is_null', [count])
    return emitter.operate('choose', [moved, emitter.constant('i32', null), isUnknown])
  }
