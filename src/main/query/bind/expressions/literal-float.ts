import { decline } from '../declined.ts'
import type { Literal } from './literal.ts'

/** The integers up to these are exact as floats, by the bits of the float. */
const SIGNIFICANT = Object.freeze({ 32: 2n ** 24n, 64: 2n ** 53n })

/** The most digits of a DECIMAL that DuckDB has as an integer of 64 bits. Others are HUGEINTs. */
const LONG_DIGITS = 18

/**
 * The float that DuckDB casts a literal to. That is not always the nearest one: of a DECIMAL it divides the unscaled integer by
 * a power of ten. Declines literals of which the result is not certain.
 */
export function asFloat(literal: Literal, bits: 32 | 64): number {
  const { form, text } = literal
  if (form === 'double') {
    const value = Number(text)
    // Declined: literals that round to infinity or to zero.
    const isNear = Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(text.replace(/e.*/i, '')))
    return isNear ? roundTo(value, bits) : decline(`the literal ${text}`, literal.at)
  }
  const [whole = '', fraction = ''] = text.split('.')
  const isHuge = whole.replace('-', '').length + fraction.length > LONG_DIGITS
  const unscaled = BigInt(whole + fraction)
  const magnitude = unscaled < 0n ? -unscaled : unscaled
  // Of 64 bits and more DuckDB adds two products. Integers of so many digits have other types.
  if (magnitude >= 2n ** 64n || (isHuge && fraction === ''))
    return decline(`the literal ${text} as a float`, literal.at)
  const cast = (integer: bigint): number => (isHuge ? ofHugeint(integer, bits) : nearest(integer, bits))
  const power = roundTo(Number(`1e${fraction.length}`), bits)
  if (magnitude <= SIGNIFICANT[bits] || fraction === '') return roundTo(cast(unscaled) / power, bits)
  const one = 10n ** BigInt(fraction.length)
  return roundTo(cast(unscaled / one) + roundTo(cast(unscaled % one) / power, bits), bits)
}

function roundTo(value: number, bits: 32 | 64): number {
  return bits === 32 ? Math.fround(value) : value
}

/** The bits by which an integer of 64 bits is longer than a double. */
const EXCESS = 11n

/** The float that is nearest to an integer of at most 64 bits. */
function nearest(integer: bigint, bits: 32 | 64): number {
  if (bits === 64 || BigInt(Number(integer)) === integer) return roundTo(Number(integer), bits)
  // A double in between would be rounded itself: the lowest bit of this one says that something was cut off, so that no tie is made.
  const high = integer >> EXCESS
  const isCut = high << EXCESS !== integer
  return Math.fround(Number(isCut ? high | 1n : high) * 2 ** Number(EXCESS))
}

/** As DuckDB casts a HUGEINT: to a double first, and of a negative one it rounds the complement, and then subtracts one. */
function ofHugeint(integer: bigint, bits: 32 | 64): number {
  return roundTo(integer < 0n ? -Number(-integer - 1n) - 1 : Number(integer), bits)
}
