/*
 * 64-bit integers in a memory as pairs of words, the lower one first. The arithmetic is that of exact floats: bigints take ten times
 * as long.
 */

const WORD = 2 ** 32

/**
 * Divides integers by a divisor below 2^21, rounding down. Addresses are multiples of 8. The infinities of DuckDB's timestamps, 2^63 - 1
 * and its negative, stay as they are.
 */
export function floorDivide(
  u32: Uint32Array,
  from: number,
  to: number,
  count: number,
  divisor: number,
): void {
  for (let index = 0; index < 2 * count; index += 2) {
    const low = u32[from / 4 + index] ?? 0
    const high = (u32[from / 4 + index + 1] ?? 0) | 0
    if (isInfinite(low, high)) {
      u32[to / 4 + index] = low
      u32[to / 4 + index + 1] = high
      continue
    }
    const quotient = Math.floor(high / divisor)
    // The rest is below the divisor, so that this is below 2^53.
    const rest = (high - quotient * divisor) * WORD + low
    u32[to / 4 + index] = Math.floor(rest / divisor)
    u32[to / 4 + index + 1] = quotient
  }
}

/** Whether the words are those of one of the infinities. */
export function isInfinite(low: number, high: number): boolean {
  return (high === 0x7fff_ffff && low === 0xffff_ffff) || (high === -0x8000_0000 && low === 1)
}

/** The whole seconds of nanoseconds since 1970, rounded down. */
export function secondsOf(low: number, high: number): number {
  // Divided twice, as 10^9 times 2^32 is no exact float.
  const thousands = Math.floor(high / 1e3)
  const microseconds = Math.floor(((high - thousands * 1e3) * WORD + low) / 1e3)
  const millions = Math.floor(thousands / 1e6)
  return millions * WORD + Math.floor(((thousands - millions * 1e6) * WORD + microseconds) / 1e6)
}
