import type { Scalar } from '../types/scalar.ts'
import { type DataType, sameType } from '../types/schema.ts'
import { findZone } from '../zones/zones.ts'
import { TIMESTAMPTZ, TIMESTAMPTZ_NS } from './calendar.ts'
import { INTERVAL, intervalOf, isWidth } from './intervals.ts'
import {
  freezeOverload,
  type Kernel,
  type KernelOverload,
  listOverloads,
  textOf,
  withConstants,
} from './kernel.ts'
import { BIGINT, DATE, DOUBLE, INTEGER, TIME, TIMESTAMPS, VARCHAR } from './kernel-types.ts'

const [SECONDS, MILLISECONDS, MICROSECONDS, NANOSECONDS] = TIMESTAMPS as readonly [
  DataType,
  DataType,
  DataType,
  DataType,
]

/** Casts from a timestamp to the day in which it lies, to a coarser unit, to text, and to and from the same time with a zone. Each has one, infinite ones too. */
export const TOTAL_TIME_CASTS: readonly KernelOverload[] = Object.freeze([
  freezeOverload([MICROSECONDS], DATE),
  freezeOverload([NANOSECONDS], DATE),
  freezeOverload([NANOSECONDS], MICROSECONDS),
  ...[DATE, MICROSECONDS, NANOSECONDS, TIMESTAMPTZ].map((type) => freezeOverload([type], VARCHAR)),
  ...[[MICROSECONDS, TIMESTAMPTZ] as const, [NANOSECONDS, TIMESTAMPTZ_NS] as const].flatMap(
    ([local, zoned]) => [freezeOverload([local], zoned), freezeOverload([zoned], local)],
  ),
])

/** And from a day to its beginning, and between units, of which a time may be too far away. DuckDB casts milliseconds to days by way of microseconds. */
export const TIME_CASTS: readonly KernelOverload[] = Object.freeze([
  ...TOTAL_TIME_CASTS,
  freezeOverload([DATE], MICROSECONDS),
  ...[SECONDS, MILLISECONDS].map((type) => freezeOverload([type], VARCHAR)),
  freezeOverload([SECONDS], DATE),
  freezeOverload([MILLISECONDS], DATE),
  freezeOverload([SECONDS], MICROSECONDS),
  freezeOverload([MILLISECONDS], MICROSECONDS),
  ...[SECONDS, MILLISECONDS, MICROSECONDS].map((type) => freezeOverload([type], NANOSECONDS)),
])

/** Casts from text to the times that it says. */
export const TIME_READINGS: readonly KernelOverload[] = Object.freeze(
  [DATE, MICROSECONDS, NANOSECONDS, TIMESTAMPTZ, TIME].map((type) => freezeOverload([VARCHAR], type)),
)

/** Whether a cast between times may fail. */
export function mayTimeCastFail(from: DataType, to: DataType): boolean {
  return !TOTAL_TIME_CASTS.some(
    ({ args: [arg], result }) => arg && sameType(arg, from) && sameType(result, to),
  )
}

/** Days before and after a day. */
export const DAY_SUMS: readonly KernelOverload[] = Object.freeze([
  freezeOverload([DATE, INTEGER], DATE),
  freezeOverload([INTEGER, DATE], DATE),
])
export const DAY_DIFFERENCES: readonly KernelOverload[] = Object.freeze([
  freezeOverload([DATE, INTEGER], DATE),
  freezeOverload([DATE, DATE], BIGINT),
])

/** Parts of the calendar, and parts of a day. */
const DAY_PARTS = ['day', 'week', 'month', 'quarter', 'year', 'decade', 'century', 'millennium', 'isoyear']
const CLOCK_PARTS = ['hour', 'minute', 'second', 'millisecond', 'microsecond']

const isPart = (value: Scalar): boolean => [...DAY_PARTS, ...CLOCK_PARTS].includes(textOf(value))
const isDayPart = (value: Scalar): boolean => DAY_PARTS.includes(textOf(value))

const ofTimes = withConstants('date_diff', [freezeOverload([VARCHAR, MICROSECONDS, MICROSECONDS], BIGINT)], {
  0: isPart,
})
const ofDays = withConstants('date_diff', [freezeOverload([VARCHAR, DATE, DATE], BIGINT)], { 0: isDayPart })

/** How many beginnings of a part lie between two times. Of days only those of the calendar. */
const DATE_DIFF: Kernel = Object.freeze({
  // Times in microseconds may be further apart than a BIGINT tells.
  ...listOverloads(
    'date_diff',
    [...ofTimes.overloads, ...ofDays.overloads],
    ([, type]) => type?.kind === 'timestamp',
  ),
  takes: (args) => (args[1]?.type?.kind === 'date' ? ofDays : ofTimes).takes?.(args) ?? false,
} satisfies Kernel)

/** Beginnings of intervals of a constant width, counted from an origin or from 2000. */
const TIME_BUCKET = withConstants(
  'time_bucket',
  [
    freezeOverload([INTERVAL, DATE], DATE),
    freezeOverload([INTERVAL, MICROSECONDS], MICROSECONDS),
    freezeOverload([INTERVAL, MICROSECONDS, MICROSECONDS], MICROSECONDS),
  ],
  { 0: isWidth, 2: isBounded },
  () => true,
)

/** Formats whose codes the core writes. */
const FORMAT = /^(?:[^%]|%(?:[YmdHMSfgnjyIpbBaAwuUWVGcxXTzZ%]|-[mdHMSjIy])){1,100}$/s

/** Texts of times in a constant format. */
const STRFTIME = withConstants(
  'strftime',
  [DATE, MICROSECONDS, NANOSECONDS].map((type) => freezeOverload([type, VARCHAR], VARCHAR)),
  { 1: (format) => FORMAT.test(textOf(format)) },
)

/** Local times in a constant zone of times with a zone, and the reverse. */
const TIMEZONE = withConstants(
  'timezone',
  [[MICROSECONDS, TIMESTAMPTZ] as const, [NANOSECONDS, TIMESTAMPTZ_NS] as const].flatMap(([local, zoned]) => [
    freezeOverload([VARCHAR, zoned], local),
    freezeOverload([VARCHAR, local], zoned),
  ]),
  { 0: (zone) => findZone(textOf(zone)) !== null },
  () => true,
)

/** Times that are later by a constant interval. */
const DATE_ADD = withConstants(
  'date_add',
  [DATE, MICROSECONDS].map((type) => freezeOverload([type, INTERVAL], MICROSECONDS)),
  { 1: (value) => intervalOf(value) !== null },
  () => true,
)

function isBounded(value: Scalar): boolean {
  return value.kind === 'int' && value.value < 2n ** 62n && value.value > -(2n ** 62n)
}

/** What the core evaluates of times, beside their fields and beginnings. */
export const TIME_KERNELS: readonly Kernel[] = Object.freeze([
  DATE_DIFF,
  DATE_ADD,
  STRFTIME,
  TIME_BUCKET,
  TIMEZONE,
  // So many seconds since 1970.
  listOverloads('to_timestamp', [freezeOverload([DOUBLE], TIMESTAMPTZ)], () => true),
  listOverloads(
    'epoch_ns',
    [DATE, MICROSECONDS, NANOSECONDS].map((type) => freezeOverload([type], BIGINT)),
    ([type]) => type !== undefined && !sameType(type, NANOSECONDS),
  ),
  listOverloads('epoch', [freezeOverload([MICROSECONDS], DOUBLE)]),
  ...['epoch_ms', 'epoch_us'].map((name) => listOverloads(name, [freezeOverload([MICROSECONDS], BIGINT)])),
])
