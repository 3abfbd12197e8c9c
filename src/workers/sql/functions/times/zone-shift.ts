import { ServiceError } from '../../../../plan/errors.ts'
import type { OffsetSpan, OffsetSpans } from '../../../../plan/zones/offset-spans.ts'

/** A zone in a query, and the span in which the last time was. Most times that follow each other are in one. */
export interface ShiftedZone {
  readonly zone: OffsetSpans
  last: OffsetSpan
}

/** From the time in UTC to the local time in a zone, or back. */
export type Direction = 'to local' | 'to UTC'

/** The units of a time: how many are a second, and the first and the last time that is not infinite. */
export interface TimeUnit {
  readonly perSecond: number
  readonly first: bigint
  readonly last: bigint
  readonly type: string
}

/** The positive infinite time. The negative one has the other sign. */
const INFINITE = 2n ** 63n - 1n

export const MICROSECONDS: TimeUnit = Object.freeze({
  perSecond: 1_000_000,
  // 290309-12-22 (BC): DuckDB has no earlier day.
  first: -9_223_372_022_400_000_000n,
  last: INFINITE - 1n,
  type: 'TIMESTAMP',
})

export const NANOSECONDS: TimeUnit = Object.freeze({
  perSecond: 1_000_000_000,
  first: 1n - INFINITE,
  last: INFINITE - 1n,
  type: 'TIMESTAMP_NS',
})

const WORD = 2 ** 32
/** Times whose upper half is below this, without its sign, are exact as numbers. */
const EXACT_HIGH = 2 ** 21
/** Times whose upper half is beyond this, without its sign, may leave their range, or are infinite. No offset has so many units. */
const FAR_HIGH = 2 ** 31 - 2 ** 16

/**
 * Moves a time by the offset of a zone. `words` is memory; `from` and `to` are the indexes of the lower halves. Local times that clocks
 * skip are read with the offset from before they do, and of those that occur twice the last one is meant. Throws `invalid_sql` if the
 * result is out of range.
 */
export function shiftTime(
  words: Uint32Array,
  from: number,
  to: number,
  zone: ShiftedZone,
  direction: Direction,
  unit: TimeUnit,
): void {
  const low = words[from] ?? 0
  const high = (words[from + 1] ?? 0) | 0
  if (high >= FAR_HIGH || high < -FAR_HIGH) {
    write(words, to, movedFar(read(words, from), zone, direction, unit))
    return
  }
  const seconds = (high * WORD + low) / unit.perSecond
  // The quotient is rounded, so that near the ends of the span the remainder decides.
  if (!(seconds >= zone.last.from + 1 && seconds < zone.last.to - 1)) {
    const isExact = high < EXACT_HIGH && high >= -EXACT_HIGH
    const second = isExact
      ? secondOf(high * WORD + low, unit.perSecond)
      : Number(farSecond(read(words, from), unit))
    zone.last = spanOf(zone, second, direction)
  }
  const units = (direction === 'to local' ? zone.last.offset : -zone.last.offset) * unit.perSecond
  const sum = low + units
  words[to] = sum
  words[to + 1] = high + Math.floor(sum / WORD)
}

/** The second in which an exact time lies. */
function secondOf(time: number, perSecond: number): number {
  const remainder = time % perSecond
  return (time - remainder) / perSecond - (remainder < 0 ? 1 : 0)
}

function farSecond(time: bigint, { perSecond }: TimeUnit): bigint {
  const units = BigInt(perSecond)
  return (time - (((time % units) + units) % units)) / units
}

function movedFar(time: bigint, zone: ShiftedZone, direction: Direction, unit: TimeUnit): bigint {
  if (time === INFINITE || time === -INFINITE) return time
  const { offset } = spanOf(zone, Number(farSecond(time, unit)), direction)
  const units = BigInt(offset) * BigInt(unit.perSecond)
  const moved = direction === 'to local' ? time + units : time - units
  if (moved < unit.first || moved > unit.last)
    throw new ServiceError('invalid_sql', `A time in its time zone is out of the range of ${unit.type}.`)
  return moved
}

function spanOf({ zone }: ShiftedZone, second: number, direction: Direction): OffsetSpan {
  return direction === 'to local' ? zone.atInstant(second) : zone.atLocal(second, 'last')
}

function read(words: Uint32Array, from: number): bigint {
  return BigInt.asIntN(64, (BigInt(words[from + 1] ?? 0) << 32n) | BigInt(words[from] ?? 0))
}

function write(words: Uint32Array, to: number, time: bigint): void {
  words[to] = Number(time & 0xffff_ffffn)
  words[to + 1] = Number((time >> 32n) & 0xffff_ffffn)
}
