/** Unpacking number by number: `value * scale + offset`, in 32 bits or in 64. */

export interface Packed {
  readonly scale: number | null
  readonly offset: number | null
  readonly bits: 32 | 64
}

export function unpacked(value: number | bigint, { scale, offset, bits }: Packed): number {
  if (bits === 64) {
    const scaled = Number(value) * (scale ?? 1)
    return offset === null ? scaled : scaled + offset
  }
  const scaled = Math.fround(toSingle(value) * Math.fround(scale ?? 1))
  return offset === null ? scaled : Math.fround(scaled + Math.fround(offset))
}

/** The nearest number of 32 bits. An integer is not rounded to 64 bits first. */
function toSingle(value: number | bigint): number {
  if (typeof value === 'number') return Math.fround(value)
  const magnitude = value < 0n ? -value : value
  const more = BigInt(Math.max(0, magnitude.toString(2).length - 53))
  // What is cut off is more than nothing, which the last bit that is left tells.
  const cut = magnitude >> more
  const rest = cut << more === magnitude ? 0n : 1n
  return Math.fround(Number((cut | rest) << more)) * (value < 0n ? -1 : 1)
}
