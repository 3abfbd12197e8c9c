import type { LogicalType } from '../logical-type.ts'
import { type Cast, type CastRows, copy, divide } from './cast.ts'
import { isInfinite, secondsOf } from './words.ts'

/** Times with a zone in nanoseconds, and the other types of times. */
const ZONED_NS: LogicalType = { kind: 'timestamptz_ns' }
const NS: LogicalType = { kind: 'timestamp_ns' }
const ZONED: LogicalType = { kind: 'timestamp_tz' }
const PLAIN: LogicalType = { kind: 'timestamp' }
const S: LogicalType = { kind: 'timestamp_s' }
const MS: LogicalType = { kind: 'timestamp_ms' }
const DATE: LogicalType = { kind: 'date' }

/** What DuckDB's own cast from `TIMESTAMP_NS` to `TIMESTAMP` counts. */
const PLAIN_COST = 120
/** Above the 110 of a parameter of any type, so that `arg_max` compares nanoseconds; those with a zone come first. */
const [ZONED_COST, NS_COST] = [116, 118]

/**
 * The casts of times in nanoseconds. Those to coarser types round down, so that no time gets into another second, day or year; DuckDB's
 * own ones round towards 1970. Functions that know no nanoseconds get such a time with its zone in microseconds.
 */
export const NANOSECOND_CASTS: readonly Cast[] = [
  { from: ZONED_NS, to: ZONED, cost: ZONED_COST, convert: divide(1000) },
  { from: ZONED_NS, to: NS, cost: NS_COST, convert: copy },
  { from: ZONED_NS, to: PLAIN, cost: PLAIN_COST, convert: divide(1000) },
  { from: ZONED_NS, to: { kind: 'varchar' }, cost: null, convert: print },
  { from: NS, to: PLAIN, cost: PLAIN_COST, convert: divide(1000) },
  { from: NS, to: ZONED, cost: null, convert: divide(1000) },
  { from: NS, to: ZONED_NS, cost: null, convert: copy },
  ...[ZONED_NS, NS].flatMap((from): Cast[] => [
    { from, to: MS, cost: null, convert: divide(1_000_000) },
    { from, to: S, cost: null, convert: toSeconds },
    { from, to: DATE, cost: null, convert: toDays },
    { from, to: { kind: 'time' }, cost: null, convert: toTimeOfDay },
  ]),
  { from: ZONED, to: ZONED_NS, cost: null, convert: multiply(1_000n) },
  { from: PLAIN, to: ZONED_NS, cost: null, convert: multiply(1_000n) },
  { from: MS, to: ZONED_NS, cost: null, convert: multiply(1_000_000n) },
  { from: S, to: ZONED_NS, cost: null, convert: multiply(1_000_000_000n) },
  { from: DATE, to: ZONED_NS, cost: null, convert: ofDays },
]

const INFINITY = 2n ** 63n - 1n

/** Scales times to nanoseconds. Fails for one that these cannot reach. */
function multiply(factor: bigint): (rows: CastRows) => void {
  return ({ duck, from, to, count, hasValue, fail }) => {
    const { i64 } = duck.memory.views()
    const most = INFINITY / factor
    for (let row = 0; row < count; row++) {
      const value = i64[from / 8 + row] ?? 0n
      const isFar = value > most || value < -most
      if (isFar && value !== INFINITY && value !== -INFINITY) {
        if (hasValue(row)) fail(row, beyond(Number((value * factor) / 1_000_000_000n)))
      } else duck.memory.views().i64[to / 8 + row] = isFar ? value : value * factor
    }
  }
}

const DAY_SECONDS = 86_400
const DAY_NANOSECONDS = 86_400_000_000_000n
/** The infinity of dates, whose negative is the other one. */
const LAST_DAY = 0x7fff_ffff

function ofDays({ duck, from, to, count, hasValue, fail }: CastRows): void {
  const most = Number(INFINITY / DAY_NANOSECONDS)
  for (let row = 0; row < count; row++) {
    const { u32, i64 } = duck.memory.views()
    const days = (u32[from / 4 + row] ?? 0) | 0
    if (Math.abs(days) === LAST_DAY) i64[to / 8 + row] = days > 0 ? INFINITY : -INFINITY
    else if (Math.abs(days) <= most) i64[to / 8 + row] = BigInt(days) * DAY_NANOSECONDS
    else if (hasValue(row)) fail(row, beyond(days * DAY_SECONDS))
  }
}

/** The message for a time, in seconds since 1970, that nanoseconds do not reach. */
function beyond(seconds: number): string {
  const date = new Date(seconds * 1000)
  const shown = Number.isNaN(date.getTime())
    ? `A time ${seconds} s from 1970`
    : date.toISOString().slice(0, 10)
  return `${shown} lies outside of the years 1677 to 2262, the only ones that nanoseconds reach: cast the column of nanoseconds, as in time::TIMESTAMPTZ`
}

/** The seconds since 1970 of a row, rounded down. Null: it is infinite. */
function secondsAt(u32: Uint32Array, from: number, row: number): number | null {
  const low = u32[from / 4 + 2 * row] ?? 0
  const high = (u32[from / 4 + 2 * row + 1] ?? 0) | 0
  return isInfinite(low, high) ? null : secondsOf(low, high)
}

function toSeconds({ duck, from, to, count }: CastRows): void {
  const { u32, i64 } = duck.memory.views()
  for (let row = 0; row < count; row++) {
    const seconds = secondsAt(u32, from, row)
    i64[to / 8 + row] = seconds === null ? (i64[from / 8 + row] ?? 0n) : BigInt(seconds)
  }
}

function toDays({ duck, from, to, count }: CastRows): void {
  const { u32 } = duck.memory.views()
  for (let row = 0; row < count; row++) {
    const seconds = secondsAt(u32, from, row)
    const infinity = (u32[from / 4 + 2 * row] ?? 0) === 1 ? -LAST_DAY : LAST_DAY
    u32[to / 4 + row] = seconds === null ? infinity : Math.floor(seconds / DAY_SECONDS)
  }
}

/** Microseconds of the day, rounded down. */
function toTimeOfDay({ duck, from, to, count, hasValue, fail }: CastRows): void {
  for (let row = 0; row < count; row++) {
    const { u32, i64 } = duck.memory.views()
    const value = i64[from / 8 + row] ?? 0n
    if (secondsAt(u32, from, row) === null) {
      if (hasValue(row)) fail(row, 'An infinite time has no time of day')
      continue
    }
    i64[to / 8 + row] = (((value % DAY_NANOSECONDS) + DAY_NANOSECONDS) % DAY_NANOSECONDS) / 1_000n
  }
}

const ENCODER = new TextEncoder()

/** As DuckDB prints times with a zone: `2024-01-01 12:00:00.000000001+00`. */
function print({ duck, from, count, result, hasValue }: CastRows): void {
  const { api, memory } = duck
  for (let row = 0; row < count; row++) {
    if (!hasValue(row)) continue
    const { u32, i64 } = memory.views()
    const seconds = secondsAt(u32, from, row)
    const value = i64[from / 8 + row] ?? 0n
    const text = seconds === null ? (value > 0n ? 'infinity' : '-infinity') : printNanoseconds(seconds, value)
    using scratch = memory.scratch()
    api.duckdb_vector_assign_string_element_len(
      result,
      BigInt(row),
      scratch.text(text),
      BigInt(ENCODER.encode(text).length),
    )
  }
}

function printNanoseconds(seconds: number, nanoseconds: bigint): string {
  const clock = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
  const fraction = String(nanoseconds - BigInt(seconds) * 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${clock}${fraction === '' ? '' : `.${fraction}`}+00`
}
