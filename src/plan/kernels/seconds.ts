import { firstThat } from '../binary-search.ts'

/** The microseconds from which on there is no time. */
const END = 2 ** 63

/** The microseconds since 1970 of seconds, as `to_timestamp` computes them: half is rounded to even. Null: out of range. */
export function timeOfSeconds(seconds: number): bigint | null {
  const micros = seconds * 1e6
  if (!(micros >= -END && micros < END)) return null
  const floor = Math.floor(micros)
  const rest = micros - floor
  const isUp = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0)
  return BigInt(floor) + BigInt(isUp)
}

/** The least whole number of seconds whose time is so many microseconds or more. Behind the last one that is a time if there is none. */
export function firstSecondAt(micros: bigint): number {
  return firstThat(-LAST_SECOND, LAST_SECOND + 1, (second) => (timeOfSeconds(second) ?? 0n) >= micros)
}

/** The last whole number of seconds that is a time. The first one is its negative. */
export const LAST_SECOND = 9_223_372_036_854
