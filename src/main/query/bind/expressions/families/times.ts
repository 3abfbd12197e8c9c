import { constantExpression, type TypedExpression } from '../../../../../plan/expression.ts'
import {
  isAnyTime,
  isTime,
  isZonedTime,
  TIMESTAMP,
  TIMESTAMP_NS,
  TIMESTAMPTZ,
  TIMESTAMPTZ_NS,
  withoutZone,
} from '../../../../../plan/kernels/calendar.ts'
import { type DataType, sameType } from '../../../../../plan/types/schema.ts'
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
import { OF_INTERVALS } from './intervals.ts'
import { inDouble } from './numbers.ts'

const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })
const UTF8: DataType = Object.freeze({ kind: 'utf8' })

/** A date, or a time without a zone. Of one with a zone that in UTC. */
function timeOf(name: string, arg: Argument, at: number | null): TypedExpression {
  const time = inUtc(giveType(arg, at), at)
  return isTime(time.type) ? time : decline(`${name} of ${describe([arg])}`, at)
}

/** A field of a time, which is a BIGINT. */
const field: BindFunction = (name, args, at) => {
  const [arg, ...others] = args
  if (arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
  return makeCall(name, [timeOf(name, arg, at)], INT64, at)
}

const FIELDS = [
  ...['year', 'month', 'day', 'dayofmonth', 'quarter', 'dayofyear', 'dayofweek', 'weekday', 'isodow', 'week'],
  ...['weekofyear', 'isoyear', 'yearweek', 'decade', 'century', 'millennium', 'era'],
  ...['hour', 'minute', 'second', 'millisecond', 'microsecond'],
]

/** DuckDB's names of the parts of times, by the functions that give them. */
const PART_NAMES: readonly (readonly [name: string, others: readonly string[]])[] = [
  ['year', ['yr', 'y', 'years', 'yrs']],
  ['month', ['mon', 'months', 'mons']],
  ['day', ['days', 'd', 'dayofmonth']],
  ['decade', ['dec', 'decades', 'decs']],
  ['century', ['cent', 'centuries', 'c']],
  ['millennium', ['mil', 'millenniums', 'millennia', 'mils', 'millenium']],
  ['microsecond', ['microseconds', 'us', 'usec', 'usecs', 'usecond', 'useconds']],
  ['millisecond', ['milliseconds', 'ms', 'msec', 'msecs', 'msecond', 'mseconds']],
  ['second', ['sec', 'seconds', 'secs', 's']],
  ['minute', ['min', 'minutes', 'mins', 'm']],
  ['hour', ['hr', 'hours', 'hrs', 'h']],
  ['dayofweek', ['dow', 'weekday']],
  ['isodow', []],
  ['week', ['weeks', 'w', 'weekofyear']],
  ['dayofyear', ['doy']],
  ['quarter', ['quarters']],
  ['yearweek', []],
  ['isoyear', []],
  ['era', []],
]

const PARTS: ReadonlyMap<string, string> = new Map(
  PART_NAMES.flatMap(([name, others]) => [name, ...others].map((each) => [each, name] as const)),
)

/** The function of the part that a literal names. */
function partOf(name: string, arg: Argument | undefined, at: number | null): string {
  const text =
    arg?.kind === 'literal' && arg.form === 'string'
      ? arg.text
      : arg?.kind === 'constant' && arg.value?.kind === 'bytes'
        ? Buffer.from(arg.value.value).toString('utf8')
        : null
  return PARTS.get(text?.toLowerCase() ?? '') ?? decline(`${name} of the part ${text ?? 'in a column'}`, at)
}

const part: BindFunction = (name, args, at) => {
  const [first, time, ...others] = args
  if (time === undefined || others.length > 0) return decline(`the function ${name}`, at)
  return field(partOf(name, first, at), [time], at)
}

/** The beginning of the part in which a time lies, in its type. */
const truncated: BindFunction = (name, args, at) => {
  const [first, arg, ...others] = args
  if (arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
  const time = timeOf(name, arg, at)
  const value = new TextEncoder().encode(partOf(name, first, at))
  const start = makeCall(name, [constantExpression({ kind: 'bytes', value }, UTF8), time], time.type, at)
  return arg.kind === 'literal' ? start : zonedLike(start, arg.type, at)
}

/** How many beginnings of a part lie between two dates, or two times as TIMESTAMPs. */
const between: BindFunction = (name, args, at) => {
  const [first, from, to, ...others] = args
  if (from === undefined || to === undefined || others.length > 0) return decline(`the function ${name}`, at)
  const written = [from, to].map((arg) => giveType(arg, at))
  const has = (type: DataType): boolean => written.some((each) => sameType(each.type, type))
  if (has(TIMESTAMPTZ) && has(TIMESTAMP_NS)) return decline(`${name} of ${describe(written)}`, at)
  const given = written.map((time) => timeOf(name, time, at))
  const areDays = given.every(({ type }) => type.kind === 'date')
  const times = areDays ? given : given.map((time) => bindCast(time, TIMESTAMP, at))
  const value = new TextEncoder().encode(partOf(name, first, at))
  return makeCall(name, [constantExpression({ kind: 'bytes', value }, UTF8), ...times], INT64, at)
}

/** So much time since 1970. */
const since =
  (type: DataType): BindFunction =>
  (name, args, at) => {
    const [arg, ...others] = args
    if (arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
    const time = timeOf(name, arg, at)
    return makeCall(name, [time.type.kind === 'date' ? time : bindCast(time, TIMESTAMP, at)], type, at)
  }

/** Nanoseconds since 1970. Of seconds and milliseconds those of the same time in nanoseconds. */
const nanoseconds: BindFunction = (name, args, at) => {
  const [arg, ...others] = args
  if (arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
  const time = timeOf(name, arg, at)
  const isCoarse = time.type.kind === 'timestamp' && ['second', 'millisecond'].includes(time.type.unit)
  return makeCall(name, [isCoarse ? bindCast(time, TIMESTAMP_NS, at) : time], INT64, at)
}

/** The time with a zone so many seconds after 1970. Of a time that in UTC, without a zone. */
const instant: BindFunction = (name, args, at) => {
  const [arg, ...others] = args
  if (arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
  const isOfTimes =
    arg.kind === 'literal' ? arg.form === 'date' || arg.form === 'timestamp' : isAnyTime(arg.type)
  if (!isOfTimes) return makeCall(name, [inDouble(name, arg, at)], TIMESTAMPTZ, at)
  const time = timeOf(name, arg, at)
  return time.type.kind === 'date' ? bindCast(time, TIMESTAMP, at) : time
}

/** The local time in a constant zone of a time with a zone, or the time with a zone of a local one. Dates and other units are TIMESTAMPs. */
const inZone: BindFunction = (name, args, at) => {
  const [zone, arg, ...others] = args
  if (zone === undefined || arg === undefined || others.length > 0) return decline(`the function ${name}`, at)
  const written = giveType(arg, at)
  const isText = zone.kind === 'literal' ? zone.form === 'string' : zone.type.kind === 'utf8'
  if (!isAnyTime(written.type) || !isText) return decline(`${name} of ${describe([zone, arg])}`, at)
  const isFine = sameType(written.type, TIMESTAMP_NS)
  const time = isZonedTime(written.type) || isFine ? written : bindCast(written, TIMESTAMP, at)
  const to = isZonedTime(time.type) ? withoutZone(time.type) : isFine ? TIMESTAMPTZ_NS : TIMESTAMPTZ
  return makeCall(name, [giveType(zone, at), time], to, at)
}

/** A time as text in a constant format. DuckDB has formats of microseconds and of nanoseconds, and casts coarser times to the latter. */
const formatted: BindFunction = (name, args, at) => {
  const [arg, format, ...others] = args
  if (arg === undefined || format === undefined || others.length > 0)
    return decline(`the function ${name}`, at)
  const time = timeOf(name, arg, at)
  const isCoarse = time.type.kind === 'timestamp' && ['second', 'millisecond'].includes(time.type.unit)
  const finer = isCoarse ? TIMESTAMP_NS : time.type
  const pattern = giveType(format, at)
  if (pattern.type.kind !== 'utf8') return decline(`${name} with ${describe([format])}`, at)
  return makeCall(name, [bindCast(time, finer, at), pattern], UTF8, at)
}

/** Functions of dates and times. */
export const OF_TIMES: FunctionFamily = [
  ...OF_INTERVALS,
  ['epoch_ns', nanoseconds],
  ['strftime', formatted],
  ['to_timestamp', instant],
  ['timezone', inZone],
  ...FIELDS.map((name) => [name, field] as const),
  ['date_part', part],
  ['datepart', part],
  ['date_trunc', truncated],
  ['datetrunc', named('date_trunc', truncated)],
  ['date_diff', between],
  ['datediff', named('date_diff', between)],
  ['epoch', since(FLOAT64)],
  ...['epoch_ms', 'epoch_us'].map((name) => [name, since(INT64)] as const),
]
