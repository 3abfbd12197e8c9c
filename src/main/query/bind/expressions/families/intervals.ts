import { constantExpression, type TypedExpression } from '../../../../../plan/expression.ts'
import {
  isTime,
  isZonedTime,
  TIMESTAMP,
  TIMESTAMP_NS,
  TIMESTAMPTZ,
} from '../../../../../plan/kernels/calendar.ts'
import { parseInterval } from '../../../../../plan/kernels/interval-text.ts'
import {
  addInterval,
  intervalConstant,
  inWholeDays,
  negativeInterval,
  type TimeInterval,
} from '../../../../../plan/kernels/intervals.ts'
import { sameType } from '../../../../../plan/types/schema.ts'
import { decline } from '../../declined.ts'
import type { Argument } from '../literal-constant.ts'
import {
  type BindFunction,
  bindCast,
  describe,
  type FunctionFamily,
  giveType,
  inUtc,
  makeCall,
  named,
  zonedLike,
} from '../make-call.ts'

const DAY_MICROS = 86_400_000_000n

export function isInterval(arg: Argument): boolean {
  return arg.kind === 'literal' && arg.form === 'interval'
}

/** The interval that an argument says. `takesText` says whether DuckDB casts a text to an interval there. */
function intervalOf(
  name: string,
  arg: Argument | undefined,
  takesText: boolean,
  at: number | null,
): TimeInterval {
  let text: string | null = null
  if (arg?.kind === 'literal' && (arg.form === 'interval' || (takesText && arg.form === 'string')))
    text = arg.text
  if (arg?.kind === 'constant' && takesText && arg.value?.kind === 'bytes')
    text = Buffer.from(arg.value.value).toString('utf8')
  const interval = text === null ? null : parseInterval(text)
  return interval ?? decline(`${name} with ${arg === undefined ? 'no interval' : describe([arg])}`, at)
}

/** A date, or a time without a zone in microseconds, as which DuckDB takes one in other units here. Of one with a zone that in UTC. */
function timeOf(name: string, arg: Argument | undefined, at: number | null): TypedExpression {
  const time = arg === undefined ? null : inUtc(giveType(arg, at), at)
  if (time === null || !isTime(time.type)) return decline(`${name} of what is no time`, at)
  return time.type.kind === 'date' ? time : bindCast(time, TIMESTAMP, at)
}

/** A time and an interval that is added to it or subtracted from it: a TIMESTAMP, with a zone if the time has one. */
export const movedTime: BindFunction = (name, args, at) => {
  const [first, second, ...others] = args
  if (first === undefined || second === undefined || others.length > 0)
    return decline(`the function ${name}`, at)
  // Only sums may begin with the interval.
  const isSwapped = name === '+' && isInterval(first)
  const interval = intervalOf(name, isSwapped ? first : second, false, at)
  const arg = isSwapped ? second : first
  // DuckDB keeps nanoseconds here, if the time has a zone.
  if (isZoned(arg) && !sameType(arg.type, TIMESTAMPTZ)) return decline(`${name} of ${describe([arg])}`, at)
  const time = timeOf(name, arg, at)
  const moved = name === '-' ? negativeInterval(interval) : interval
  const sum = later(time, moved, at)
  return isZoned(arg) ? zonedLike(sum, TIMESTAMPTZ, at) : sum
}

function isZoned(arg: Argument | undefined): arg is TypedExpression {
  return arg !== undefined && arg.kind !== 'literal' && isZonedTime(arg.type)
}

/** The sum of a constant and an interval, by which conditions prune. Null: it is none, or not sure to be a time. */
function constantSum(time: TypedExpression, interval: TimeInterval): TypedExpression | null {
  if (time.kind !== 'constant' || time.value?.kind !== 'int') return null
  const days = time.type.kind === 'date'
  const value = addInterval(days ? time.value.value * DAY_MICROS : time.value.value, interval)
  return value === null ? null : constantExpression({ kind: 'int', value }, TIMESTAMP)
}

/** The beginning of the interval in which a time lies, in the type of dates and TIMESTAMPs. */
const bucket: BindFunction = (name, args, at) => {
  const [width, arg, origin, ...others] = args
  if (others.length > 0) return decline(`the function ${name}`, at)
  const time = timeOf(name, arg, at)
  const length = intervalOf(name, width, true, at)
  const interval = intervalConstant(length)
  const zoned = (start: TypedExpression): TypedExpression =>
    isZoned(arg) ? zonedLike(start, TIMESTAMPTZ, at) : start
  if (origin === undefined) return zoned(makeCall(name, [interval, time], time.type, at))
  if (isInterval(origin)) {
    const offset = intervalOf(name, origin, false, at)
    // DuckDB moves dates by days there, and not by parts of them, if the width is in months.
    const by = time.type.kind === 'date' && length.months > 0 ? inWholeDays(offset) : offset
    const earlier = later(bindCast(time, TIMESTAMP, at), negativeInterval(by), at)
    const start = later(makeCall(name, [interval, earlier], TIMESTAMP, at), by, at)
    return zoned(time.type.kind === 'date' ? bindCast(start, time.type, at) : start)
  }
  // DuckDB casts a date to the type of the other one.
  const from = originOf(name, origin, at)
  return zoned(makeCall(name, [interval, bindCast(time, TIMESTAMP, at), from], TIMESTAMP, at))
}

function later(time: TypedExpression, by: TimeInterval, at: number | null): TypedExpression {
  return constantSum(time, by) ?? makeCall('date_add', [time, intervalConstant(by)], TIMESTAMP, at)
}

/** An origin of intervals, as a TIMESTAMP. Of texts DuckDB is not sure whether they are one. */
function originOf(name: string, arg: Argument, at: number | null): TypedExpression {
  const origin = arg.kind === 'literal' && arg.form !== 'timestamp' ? null : giveType(arg, at)
  if (origin === null || origin.kind !== 'constant' || !sameType(origin.type, TIMESTAMP))
    return decline(`${name} with the origin ${describe([arg])}`, at)
  return origin
}

/** The same, counted from 1970: a TIMESTAMP, or one in nanoseconds of such a time (`src/plan/functions/times/parts-of-times.ts`). */
const bin: BindFunction = (name, args, at) => {
  const [width, arg, from, ...others] = args
  if (arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
  const time = inUtc(giveType(arg, at), at)
  const interval = intervalConstant(intervalOf(name, width, true, at))
  const origin =
    from === undefined ? constantExpression({ kind: 'int', value: 0n }, TIMESTAMP) : originOf(name, from, at)
  if (!isTime(time.type)) return decline(`${name} of ${describe([arg])}`, at)
  const start = makeCall('time_bucket', [interval, bindCast(time, TIMESTAMP, at), origin], TIMESTAMP, at)
  const beginning = sameType(time.type, TIMESTAMP_NS) ? bindCast(start, TIMESTAMP_NS, at) : start
  return isZoned(arg) ? zonedLike(beginning, arg.type, at) : beginning
}

/** Functions of times and intervals. */
export const OF_INTERVALS: FunctionFamily = [
  ['date_add', named('+', movedTime)],
  ['time_bucket', bucket],
  ['date_bin', bin],
]
