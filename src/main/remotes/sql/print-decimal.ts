/** A number of 10^-`scale` with all digits behind the point. */
export function printDecimal(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  const at = digits.length - scale
  return `${value < 0n ? '-' : ''}${digits.slice(0, at)}${scale === 0 ? '' : `.${digits.slice(at)}`}`
}
