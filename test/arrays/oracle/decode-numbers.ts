import type { Decoding, NumericElement } from '../../../src/workers/formats/arrays/cf/decoding.ts'
import { unpacked } from '../../core/unpacked.ts'
import { instantOf } from './instants.ts'

/** Values in the type of `decodedType`; those of 16-bit floats are their bits. */
export interface Decoded {
  readonly values: Values
  /** For each value 0 if it is null, else 1. Null: no value is null. */
  readonly isThere: Uint8Array | null
}

export type Values =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array

/** Decodes stored numbers, little-endian, as their attributes say. `bytes` are taken over. */
export function decodeNumbers(bytes: Uint8Array, decoding: Decoding): Decoded {
  const { stored, fills, packing, time } = decoding
  const values = valuesOf(bytes, stored)
  const isHalf = stored.kind === 'float' && stored.bits === 16
  const numberAt = (index: number): number | bigint => {
    const value = values[index] ?? 0
    return isHalf ? halfValue(Number(value)) : value
  }
  const nullMask = nullsBy(fills, values.length, numberAt)
  if (packing !== null) {
    const numbers = Float64Array.from({ length: values.length }, (_, index) =>
      unpacked(numberAt(index), packing),
    )
    if (!packing.isNanNull) return { values: numbers, isThere: nullMask }
    const isThere = Uint8Array.from(numbers, (each, index) =>
      Number.isNaN(each) ? 0 : (nullMask?.[index] ?? 1),
    )
    return { values: numbers, isThere: isThere.includes(0) ? isThere : null }
  }
  if (time === null) return { values, isThere: nullMask }
  const instants = new BigInt64Array(values.length)
  const isThere = nullMask ?? new Uint8Array(values.length).fill(1)
  for (let index = 0; index < values.length; index++) {
    const instant = isThere[index] === 1 ? instantOf(numberAt(index), time) : null
    if (instant === null) isThere[index] = 0
    else instants[index] = instant
  }
  return { values: instants, isThere: isThere.includes(0) ? isThere : null }
}

function nullsBy(
  fills: readonly (number | bigint)[],
  length: number,
  numberAt: (index: number) => number | bigint,
): Uint8Array | null {
  if (fills.length === 0) return null
  const isNanNull = fills.some((fill) => Number.isNaN(fill))
  const isThere = new Uint8Array(length).fill(1)
  let nulls = 0
  for (let index = 0; index < length; index++) {
    const value = numberAt(index)
    const isNull = fills.includes(value) || (isNanNull && Number.isNaN(value))
    if (!isNull) continue
    isThere[index] = 0
    nulls++
  }
  return nulls === 0 ? null : isThere
}

function valuesOf(bytes: Uint8Array, { kind, ...stored }: NumericElement): Values {
  const aligned = bytes.byteOffset % (stored.bits / 8) === 0 ? bytes : bytes.slice()
  const { buffer, byteOffset } = aligned
  const length = Math.floor(aligned.length / (stored.bits / 8))
  if (kind === 'float') {
    if (stored.bits === 64) return new Float64Array(buffer, byteOffset, length)
    return stored.bits === 32
      ? new Float32Array(buffer, byteOffset, length)
      : new Uint16Array(buffer, byteOffset, length)
  }
  const isSigned = 'signed' in stored && stored.signed
  switch (stored.bits) {
    case 8:
      return isSigned ? new Int8Array(buffer, byteOffset, length) : new Uint8Array(buffer, byteOffset, length)
    case 16:
      return isSigned
        ? new Int16Array(buffer, byteOffset, length)
        : new Uint16Array(buffer, byteOffset, length)
    case 32:
      return isSigned
        ? new Int32Array(buffer, byteOffset, length)
        : new Uint32Array(buffer, byteOffset, length)
    case 64:
      return isSigned
        ? new BigInt64Array(buffer, byteOffset, length)
        : new BigUint64Array(buffer, byteOffset, length)
  }
}

/** The value of a 16-bit float by its bits (IEEE 754 binary16). */
function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}
