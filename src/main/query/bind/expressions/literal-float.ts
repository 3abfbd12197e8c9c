import { decline } from '../declined.ts'
import type { Literal } from './literal.ts'

/** The integers up to these are exact as floats, by the bits of the float. */
const SIGNIFICANT = Object.freeze({ 32: 2n ** 24n, 64: 2n ** 53n })

/**
 * The float that DuckDB casts a literal to. That is not always the nearest one: of a DECIMAL it divides the unscaled integer by
 * a power of ten. Declines literals of which the result is not certain.
 */
export function asFloat(literal: Literal, bits: 32 | 64): number {
  const { form, text } = literal
  const round = bits === 32 ? Math.fround : (value: number) => value
  if (form === 'double') {
    const value = Number(text)
    // Declined: literals that round to infinity or to zero.
    const isNear = Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(text.replace(/e.*/i, '')))
    return isNear ? round(value) : decline(`the literal ${text}`, literal.at)
  }
  const [whole = '', fraction = ''] = text.split('.')
  // More than 18 digits may not fit into a 64-bit integer. Beyond 2^53 a 32-bit float would be rounded twice.
  const digits = whole.replace('-', '').length + fraction.length
  const unscaled = digits > 18 ? null : BigInt(whole + fraction)
  const magnitude = unscaled !== null && unscaled < 0n ? -unscaled : unscaled
  if (unscaled === null || magnitude === null || (bits === 32 && magnitude > SIGNIFICANT[64]))
    return decline(`the literal ${text} as a float`, literal.at)
  const power = round(10 ** fraction.length)
  if (magnitude <= SIGNIFICANT[bits] || fraction === '') return round(round(Number(unscaled)) / power)
  const one = 10n ** BigInt(fraction.length)
  return round(round(Number(unscaled / one)) + round(round(Number(unscaled % one)) / power))
}
