import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'
import {
  freezeOverload,
  type Kernel,
  type KernelOverload,
  listOverloads,
  textOf,
  withConstants,
} from './kernel.ts'
import { BIGINT, DATE, DOUBLE, INTEGER, TIMESTAMPS, VARCHAR } from './kernel-types.ts'

const MICROSECONDS: DataType = Object.freeze({ kind: 'timestamp', unit: 'microsecond', zone: null })

/** Casts from a timestamp to the day in which it lies, which each has, infinite ones too. */
export const TOTAL_TIME_CASTS: readonly KernelOverload[] = Object.freeze(
  TIMESTAMPS.slice(2).map((type) => freezeOverload([type], DATE)),
)

/** And from a day to its beginning, which may be too far away. */
export const TIME_CASTS: readonly KernelOverload[] = Object.freeze([
  ...TOTAL_TIME_CASTS,
  freezeOverload([DATE], MICROSECONDS),
])

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

/** What the core evaluates of times, beside their fields and beginnings. */
export const TIME_KERNELS: readonly Kernel[] = Object.freeze([
  DATE_DIFF,
  listOverloads('epoch', [freezeOverload([MICROSECONDS], DOUBLE)]),
  ...['epoch_ms', 'epoch_us'].map((name) => listOverloads(name, [freezeOverload([MICROSECONDS], BIGINT)])),
])
