/** Prints `value` × 10^-`scale` with all of its digits, without an exponent. */
export function printDecimal(value: bigint, scale: number): string {
  if (scale <= 0) return `${value}${'0'.repeat(value === 0n ? 0 : -scale)}`
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
