import {
  isAnyTime,
  isZonedTime,
  type Moment,
  momentOf,
  perDay,
  perSecond,
  type TimeType,
} from '../kernels/calendar.ts'
import { addInterval, bucketAt, defaultOrigin, intervalOf } from '../kernels/intervals.ts'
import { textOf } from '../kernels/kernel.ts'
import { timeOfSeconds } from '../kernels/seconds.ts'
import {
  FIRST_DAYS,
  PARTS_OF_DAYS,
  PERIODIC_FIELDS,
  RISING_FIELDS,
  yearWeekOf,
} from '../kernels/time-fields.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import { offsetRange } from '../zones/offset-range.ts'
import { findZone } from '../zones/zones.ts'
import type { Interval } from './interval.ts'

/**
 * The bounds of a function of times, whose last argument is the time, and of casts from one to the type `to`. Null: it is none, or they
 * are not known. Infinite times have no fields, so nothing is known if one may be among them.
 */
export function boundsOfTime(
  name: string,
  args: readonly Interval[],
  types: readonly (DataType | null)[],
  to: DataType,
): Interval | null {
  if (name === 'date_add' || name === 'time_bucket') return boundsOfInterval(name, args, types, to)
  const [time, type] = [args.at(-1), types.at(-1)]
  if (name === 'to_timestamp') return time === undefined ? null : boundsOfSeconds(time)
  if (time === undefined || !isAnyTime(type)) return null
  const [first, last] = [time.min, time.max].map((bound) =>
    bound.kind === 'int' ? momentOf(bound.value, type) : null,
  )
  if (!first || !last) return null
  if (name === 'timezone') return isAnyTime(to) ? shiftBetween(args[0]?.min, first, last, to) : null
  if (name === 'cast') return isAnyTime(to) ? castBetween(first, last, to) : null
  if (name === 'date_trunc') return truncate(args[0], first, last, type)
  const rising = name === 'yearweek' && yearWeekOf(first.days) > 0 ? yearWeekOf : RISING_FIELDS.get(name)
  if (rising !== undefined) return between(rising(first.days), rising(last.days))
  const field = PERIODIC_FIELDS.get(name)
  if (field === undefined) return null
  return field.period(first) === field.period(last)
    ? between(field.of(first), field.of(last))
    : between(...field.range)
}

/** The bounds of a part of any times, such as a month. Null: it is none. Infinite times have no parts, so that nothing is known of nulls. */
export function rangeOfField(name: string, types: readonly (DataType | null)[]): Interval | null {
  const field = isAnyTime(types.at(-1)) ? PERIODIC_FIELDS.get(name) : undefined
  return field === undefined ? null : between(...field.range)
}

const DAY_MICROS = 86_400_000_000n

/** The bounds of the times so many seconds after 1970. Null: some may not be a time. */
function boundsOfSeconds({ min, max, mayBeNaN }: Interval): Interval | null {
  if (mayBeNaN === true || min.kind !== 'float' || max.kind !== 'float') return null
  const [first, last] = [timeOfSeconds(min.value), timeOfSeconds(max.value)]
  return first === null || last === null ? null : between(first, last)
}

/** The bounds of a cast to another type of times. Null: it does not have them, or does not keep them. */
function castBetween(first: Moment, last: Moment, to: TimeType): Interval | null {
  if (to.kind === 'date') return between(first.days, last.days)
  const [min, max] = [first, last].map(({ days, rest, second }) => {
    const ofRest = second === 0n ? 0n : (rest * perSecond(to)) / second
    const value = BigInt(days) * perDay(to) + ofRest
    return BigInt.asIntN(63, value) === value ? value : null
  })
  return min == null || max == null ? null : between(min, max)
}

/** The bounds of local times in a zone of times with a zone, or of such times of local ones. */
function shiftBetween(zone: Scalar | undefined, first: Moment, last: Moment, to: TimeType): Interval | null {
  const spans = zone === undefined ? null : findZone(textOf(zone))
  if (spans === null) return null
  const isToUtc = isZonedTime(to)
  const spanAt = (second: number) => (isToUtc ? spans.atLocal(second, 'last') : spans.atInstant(second))
  const [least, greatest] = offsetRange(spanAt, secondOf(first), secondOf(last))
  const [min, max] = [
    valueAt(first, isToUtc ? -greatest : least, to),
    valueAt(last, isToUtc ? -least : greatest, to),
  ]
  return [min, max].every((bound) => BigInt.asIntN(63, bound) === bound) ? between(min, max) : null
}

/** So many seconds behind a time, in its unit. */
function valueAt({ days, rest }: Moment, seconds: number, type: TimeType): bigint {
  return BigInt(days) * perDay(type) + rest + BigInt(seconds) * perSecond(type)
}

function secondOf({ days, rest, second }: Moment): number {
  return days * 86_400 + Number(rest / second)
}

/** The bounds of a time that is later by a constant interval, or of the beginning of an interval of a constant width. */
function boundsOfInterval(
  name: string,
  args: readonly Interval[],
  types: readonly (DataType | null)[],
  to: DataType,
): Interval | null {
  const place = name === 'date_add' ? 0 : 1
  const [time, type, interval] = [args[place], types[place], intervalOf(args[1 - place]?.min)]
  const origin = args[2]?.min
  if (time === undefined || !isAnyTime(type) || !isAnyTime(to) || interval === null) return null
  const [min, max] = [time.min, time.max].map((bound, index) => {
    const moment = bound.kind === 'int' ? momentOf(bound.value, type) : null
    if (moment === null) return null
    const start = BigInt(moment.days) * DAY_MICROS
    if (place === 1) {
      const from = origin?.kind === 'int' ? origin.value : defaultOrigin(interval)
      const value = bucketAt(start + moment.rest, interval, from, false)
      return to.kind === 'date' ? floorOf(value, DAY_MICROS) : value
    }
    // The last day of a month follows from several days, whose times of day are then in no order.
    const latest = type.kind === 'date' || index === 0 ? 0n : DAY_MICROS - 1n
    return addInterval(start + (interval.months === 0 ? moment.rest : latest), interval)
  })
  return min == null || max == null ? null : between(min, max)
}

function floorOf(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by
}

function between(min: number | bigint, max: number | bigint): Interval {
  return { min: integer(BigInt(min)), max: integer(BigInt(max)) }
}

function integer(value: bigint): Scalar {
  return { kind: 'int', value }
}

function truncate(part: Interval | undefined, first: Moment, last: Moment, type: TimeType): Interval | null {
  const [min, max] = [first, last].map((moment) => beginningOf(part?.min, moment, type))
  return min == null || max == null ? null : between(min, max)
}

/** The beginning of the part in which a time lies. Null: there is no such part, or the type does not have the time. */
function beginningOf(part: Scalar | undefined, { days, rest }: Moment, type: TimeType): bigint | null {
  if (part?.kind !== 'bytes') return null
  const name = Buffer.from(part.value).toString('utf8')
  const seconds = PARTS_OF_DAYS.get(name)
  const start = BigInt(days) * perDay(type)
  if (seconds !== undefined)
    return start + rest - (type.kind === 'date' ? 0n : rest % (seconds * perSecond(type)))
  const firstDay = FIRST_DAYS.get(name)
  if (firstDay === undefined) return null
  const value = BigInt(firstDay(days)) * perDay(type)
  return BigInt.asIntN(64, value) === value ? value : null
}
