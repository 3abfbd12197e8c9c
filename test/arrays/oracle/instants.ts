import type { TimeDecoding } from '../../../src/workers/formats/arrays/cf/time.ts'

const NS = Object.freeze({ us: 1_000n, s: 1_000_000_000n })
const DAY_NS = 86_400n * NS.s

/** Counts beyond this are out of the range of nanoseconds in every unit and with every epoch that can be written. */
const MOST_COUNT = 1e23

/** The nanoseconds since 1970-01-01T00:00:00Z of a count. Null: NaN, or a time that 64 bits of nanoseconds cannot hold. */
export function instantOf(count: number | bigint, time: TimeDecoding): bigint | null {
  const since = typeof count === 'bigint' ? count * time.unitNs : sinceEpoch(count, time)
  if (since === null) return null
  const linear = since + time.epochNs
  const ns = time.isNoleap ? instantOfNoleap(linear) : linear
  return ns !== null && fits(ns) ? ns : null
}

function sinceEpoch(count: number, { unitNs, isRounded }: TimeDecoding): bigint | null {
  if (!(Math.abs(count) < MOST_COUNT)) return null
  if (!isRounded || unitNs < NS.us) return BigInt(Math.trunc(count * Number(unitNs)))
  const whole = Math.trunc(count)
  const us = roundedAsCftime((count - whole) * Number(unitNs / NS.us), unitNs >= NS.s)
  return BigInt(whole) * unitNs + BigInt(us) * NS.us
}

const SECOND_US = 1_000_000

/** Microseconds as cftime rounds them. With whole seconds a microsecond beside one counts as a rounding error of the count. */
function roundedAsCftime(us: number, hasWholeSeconds: boolean): number {
  const rounded = roundedToEven(us)
  if (!hasWholeSeconds) return rounded
  const inSecond = ((rounded % SECOND_US) + SECOND_US) % SECOND_US
  if (inSecond === 1) return Math.floor(us)
  return inSecond === SECOND_US - 1 ? Math.ceil(us) : rounded
}

/** Rounds as numpy does. */
function roundedToEven(value: number): number {
  const floor = Math.floor(value)
  if (value - floor !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** The first and last days of noleap whose dates nanoseconds can hold, generously: some 300 years around 1970. */
const MOST_NOLEAP_DAY = 110_000n

function instantOfNoleap(ns: bigint): bigint | null {
  const day = (ns - (((ns % DAY_NS) + DAY_NS) % DAY_NS)) / DAY_NS
  if (day < -MOST_NOLEAP_DAY || day > MOST_NOLEAP_DAY) return null
  return BigInt(gregorianOfNoleap(Number(day))) * DAY_NS + ns - day * DAY_NS
}

/** The least number is what numpy has for no time. */
function fits(ns: bigint): boolean {
  return BigInt.asIntN(64, ns) === ns && ns !== -(2n ** 63n)
}

/** Days before each month of a year without a leap day. */
const MONTH_STARTS = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

/** The day that has the date of a day of `noleap`. Both are counted from 1970-01-01. */
function gregorianOfNoleap(day: number): number {
  const years = Math.floor(day / 365)
  const inYear = day - years * 365
  const month = MONTH_STARTS.findLastIndex((start) => start <= inYear)
  return Date.UTC(1970 + years, month, inYear - (MONTH_STARTS[month] ?? 0) + 1) / 86_400_000
}
