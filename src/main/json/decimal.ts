/** The number `digits` × 10^`exponent`, negated if `negative`. The digits have no leading or trailing zeros; zero has none. */
export interface Decimal {
  readonly negative: boolean
  readonly digits: string
  readonly exponent: number
}

/** Matches a JSON number, a finite number as `String` prints it, and either of them after a plus sign. */
const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** The exact value of a number's text. Null: it is not a number. A large exponent takes neither time nor memory. */
export function parseDecimal(text: string): Decimal | null {
  const match = NUMBER.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start++
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return { negative: false, digits: '', exponent: 0 }
  return {
    negative: sign === '-',
    digits: digits.slice(start, end),
    exponent: Number(exponent) - fraction.length + (digits.length - end),
  }
}

/** Whether two texts write the same number, as `1.50` and `15e-1` do. */
export function sameDecimal(left: string, right: string): boolean {
  if (left === right) return true
  const a = parseDecimal(left)
  const b = parseDecimal(right)
  if (a === null || b === null) return false
  return a.negative === b.negative && a.digits === b.digits && a.exponent === b.exponent
}

/** More digits than any column type holds. The most are 76, in a Decimal256. */
const MOST_DIGITS = 100

/**
 * `decimal` × 10^`scale`, rounded down to an integer, and whether it was one already. Beyond ±10^100 the integer is ±10^100,
 * which is out of the range of every column type too.
 */
export function rescale(
  decimal: Decimal,
  scale: number,
): { readonly floor: bigint; readonly exact: boolean } {
  const { negative, digits, exponent } = decimal
  const point = digits.length + exponent + scale
  if (digits === '') return { floor: 0n, exact: true }
  if (point > MOST_DIGITS) return { floor: 10n ** BigInt(MOST_DIGITS) * (negative ? -1n : 1n), exact: false }
  const whole = point <= 0 ? 0n : BigInt(digits.slice(0, point).padEnd(point, '0'))
  const exact = point >= digits.length
  if (!negative) return { floor: whole, exact }
  return { floor: exact ? -whole : -whole - 1n, exact }
}
