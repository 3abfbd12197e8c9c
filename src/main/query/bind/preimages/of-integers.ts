import { firstThat } from '../../../../plan/binary-search.ts'
import { any } from '../../../../plan/condition/combine.ts'
import type { Comparison } from '../../../../plan/condition/compare.ts'
import { between, type Condition, compare, whereNotNull } from '../../../../plan/condition/condition.ts'
import type { CallExpression, Expression, TypedExpression } from '../../../../plan/expression.ts'
import {
  infinityOf,
  isAnyTime,
  isTime,
  LAST_DAY,
  perDay,
  perSecond,
  type TimeType,
} from '../../../../plan/kernels/calendar.ts'
import {
  addInterval,
  bucketAt,
  defaultOrigin,
  intervalOf,
  microsOf,
} from '../../../../plan/kernels/intervals.ts'
import { firstSecondAt, LAST_SECOND } from '../../../../plan/kernels/seconds.ts'
import {
  FIRST_DAYS,
  PARTS_OF_DAYS,
  RISING_FIELDS,
  type RisingField,
} from '../../../../plan/kernels/time-fields.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { zoneShift } from './of-zones.ts'

/**
 * An argument that is stored as an integer, of a function that never falls with it and whose result is an integer too: a field of times,
 * or the beginning of the part in which they lie.
 */
export interface RisingCall {
  readonly operand: TypedExpression
  /** The least argument whose result is so great. Null: none is. */
  from(result: bigint): bigint | null
  /** The finite arguments. The result of others is null. Absent: all arguments have a result. */
  readonly finite?: readonly [first: bigint, last: bigint]
  /** Whether the function does not fall with its argument where it has a result. Absent: it never does. */
  risesAt?(result: bigint): boolean
}

/** Null: it is no such call. */
export function risingCall({ name, args, type }: CallExpression): RisingCall | null {
  if (name === 'to_timestamp') return ofSeconds(args[0])
  const operand = name === 'date_add' ? args[0] : name === 'time_bucket' ? args[1] : args.at(-1)
  const time = operand?.type
  if (operand === undefined || operand.kind === 'constant' || !isAnyTime(time)) return null
  const arg = operand as TypedExpression
  const field = args.length === 1 ? RISING_FIELDS.get(name) : undefined
  if (field !== undefined) {
    const last = infinityOf(time) - 1n
    return { operand: arg, from: (result) => finiteFrom(field, result, time), finite: [-last, last] }
  }
  if (!isAnyTime(type)) return null
  if (name === 'cast')
    return keepInfinite(arg, type, time, (value) => ceilOf(value * perDay(time), perDay(type)))
  if (name === 'timezone') {
    const shift = zoneShift(args[0], time)
    return shift && { ...keepInfinite(arg, type, time, shift.from), risesAt: shift.risesAt }
  }
  if (!isTime(time)) return null
  if (name === 'date_add' || name === 'time_bucket') {
    const from = fromInterval(name, args, time)
    return from && keepInfinite(arg, type, time, from)
  }
  const part = name === 'date_trunc' ? textOf(args[0]) : null
  if (part === null) return null
  const seconds = PARTS_OF_DAYS.get(part)
  if (seconds !== undefined) {
    const length = time.kind === 'date' ? 1n : seconds * perSecond(time)
    return keepInfinite(arg, type, time, (result) => multipleFrom(result, length))
  }
  const firstDay = FIRST_DAYS.get(part)
  if (firstDay === undefined) return null
  return keepInfinite(arg, type, time, (result) =>
    fromDay(firstDay, multipleFrom(result, perDay(time)) / perDay(time), time),
  )
}

/** The time so many whole seconds after 1970. Null: the seconds are floats, of which those that are no time are not told from others here. */
function ofSeconds(argument: Expression | undefined): RisingCall | null {
  const operand = argument?.kind === 'call' && argument.name === 'cast' ? argument.args[0] : undefined
  const type = operand?.type
  if (operand === undefined || operand.kind === 'constant' || type?.kind !== 'int') return null
  const bits = BigInt(type.bits) - BigInt(type.signed)
  const [least, most] = [type.signed ? -(1n << bits) : 0n, (1n << bits) - 1n]
  const end = BigInt(LAST_SECOND)
  const [first, last] = [least < -end ? -end : least, most > end ? end : most]
  return {
    operand: operand as TypedExpression,
    finite: [first, last],
    from(result) {
      const second = BigInt(firstSecondAt(result))
      return second > last ? null : second < first ? first : second
    },
  }
}

const MICROS_PER_DAY = 86_400_000_000n

/** The last day that is a TIMESTAMP. */
const LAST_TIMESTAMP = 106_751_991

/** The least time whose sum with a constant interval, or whose interval, begins no earlier than a result. Null: that is not certain. */
function fromInterval(
  name: string,
  args: readonly Expression[],
  time: TimeType,
): ((result: bigint) => bigint | null) | null {
  const [constant, other] = name === 'date_add' ? [args[1], args[2]] : [args[0], args[2]]
  const interval = constant?.kind === 'constant' ? intervalOf(constant.value) : null
  if (interval === null) return null
  const unit = time.kind === 'date' ? MICROS_PER_DAY : 1n
  if (name === 'time_bucket') {
    const origin = other?.kind === 'constant' && other.value?.kind === 'int' ? other.value.value : null
    const from = other === undefined ? defaultOrigin(interval) : origin
    return from === null ? null : (result) => ceilOf(bucketAt(result * unit, interval, from, true), unit)
  }
  if (interval.months === 0) return (result) => ceilOf(result - microsOf(interval), unit)
  // Several days have the same last day of a month, so that times of these days are in no order behind it.
  if (time.kind !== 'date') return null
  return (result) => {
    const day = firstThat(-LAST_TIMESTAMP, LAST_TIMESTAMP, (each) => {
      const sum = addInterval(BigInt(each) * MICROS_PER_DAY, interval)
      return sum === null ? each > 0 : sum >= result
    })
    return day === LAST_TIMESTAMP ? null : BigInt(day)
  }
}

function ceilOf(value: bigint, by: bigint): bigint {
  return multipleFrom(value, by) / by
}

/** A call whose result is infinite where its argument is. `from` may give a time that the type does not have. */
function keepInfinite(
  operand: TypedExpression,
  to: TimeType,
  type: TimeType,
  from: (result: bigint) => bigint | null,
): RisingCall {
  const [infinity, ofResult] = [infinityOf(type), infinityOf(to)]
  return {
    operand,
    from(result) {
      if (result <= -ofResult) return -infinity
      const value = result >= ofResult ? null : from(result)
      if (value === null || value >= infinity) return infinity
      return value <= -infinity ? 1n - infinity : value
    },
  }
}

/** Exactly the rows in which a call compares so with a constant, and none in which the call is null. Null: a comparison does not tell them. */
export function comparedRising(call: RisingCall, comparison: Comparison, value: bigint): Condition | null {
  const { operand, risesAt = () => true } = call
  if (!risesAt(value) || !risesAt(value + 1n)) return null
  const [from, after] = [call.from(value), call.from(value + 1n)]
  switch (comparison) {
    case 'gt_eq':
      return atLeast(call, from)
    case 'gt':
      return atLeast(call, after)
    case 'lt':
      return below(call, from)
    case 'lt_eq':
      return below(call, after)
    case 'eq':
      if (from === null || from === after) return whereNotNull(operand, false)
      return after === null ? atLeast(call, from) : betweenIntegers(operand, from, after - 1n)
    case 'neq':
      return any([below(call, from), atLeast(call, after)])
  }
}

function atLeast({ operand, finite }: RisingCall, from: bigint | null): Condition {
  if (from === null) return whereNotNull(operand, false)
  if (finite !== undefined) return betweenIntegers(operand, from, finite[1])
  return compare(operand, 'gt_eq', integer(from))
}

function below({ operand, finite }: RisingCall, end: bigint | null): Condition {
  if (finite !== undefined) return betweenIntegers(operand, finite[0], end === null ? finite[1] : end - 1n)
  if (end === null) return whereNotNull(operand, true)
  return compare(operand, 'lt', integer(end))
}

/** Values from `low` to `high`, both included. */
export function betweenIntegers(operand: TypedExpression, low: bigint, high: bigint): Condition {
  if (low > high) return whereNotNull(operand, false)
  return between(operand, integer(low), integer(high))
}

function integer(value: bigint): Scalar {
  return { kind: 'int', value }
}

function textOf(expression: Expression | undefined): string | null {
  if (expression?.kind !== 'constant' || expression.value?.kind !== 'bytes') return null
  return Buffer.from(expression.value.value).toString('utf8')
}

function multipleFrom(value: bigint, length: bigint): bigint {
  const rest = ((value % length) + length) % length
  return rest === 0n ? value : value - rest + length
}

/** The beginning of the first day of which a field is so great, or the first finite time. Null: there is none that is finite. */
function finiteFrom(field: RisingField, result: bigint, type: TimeType): bigint | null {
  const value = fromDay(field, result, type)
  const last = infinityOf(type) - 1n
  return value === null || value > last ? null : value < -last ? -last : value
}

/** The beginning of the first day of which a field is so great. Null: there is none. */
function fromDay(field: RisingField, result: bigint, type: TimeType): bigint | null {
  if (result > BigInt(field(LAST_DAY))) return null
  const day = firstThat(-LAST_DAY, LAST_DAY, (each) => BigInt(field(each)) >= result)
  return BigInt(day) * perDay(type)
}
