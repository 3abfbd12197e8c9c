import type { DataType } from '../../../../plan/types/schema.ts'
import type { Attribute, ElementType } from '../array-file.ts'
import { numberOf, textOf } from '../attributes.ts'
import { type TimeDecoding, timeDecoding } from './time.ts'

export type NumericElement = Extract<ElementType, { kind: 'int' | 'float' }>

/** How the stored numbers of an array become values. At most one of `packing` and `time` is set. */
export interface Decoding {
  /** The type as which stored bits are read. */
  readonly stored: NumericElement
  /** Stored numbers that mean null, as they compare in the stored type. NaN stands for each NaN. */
  readonly fills: readonly (number | bigint)[]
  readonly packing: Packing | null
  readonly time: TimeDecoding | null
}

/** The value is `stored * scale + offset`, a 64-bit float. */
interface Packing {
  readonly scale: number
  readonly offset: number
  /** The precision in which it is computed. */
  readonly bits: 32 | 64
  /** Whether NaN is null as a result too. */
  readonly isNanNull: boolean
}

const FILLS = ['_FillValue', 'missing_value'] as const

/**
 * How the attributes of an array say that its numbers are decoded (docs/reference/netcdf.md, "Values"). `isNanNull`: each NaN is null,
 * whatever they say.
 */
export function decodingOf(
  element: NumericElement,
  attributes: readonly Attribute[],
  isNanNull: boolean,
): Decoding {
  const stored = withSign(element, textOf(attributes, '_Unsigned'))
  const fills = FILLS.flatMap((name) => {
    const fill = numberOf(attributes, name)
    const comparable = fill === null ? null : comparableTo(stored, fill, stored !== element)
    return comparable === null ? [] : [comparable]
  })
  if (isNanNull && stored.kind === 'float') fills.push(Number.NaN)
  const packing = packingOf(stored, attributes, isNanNull)
  const units = packing === null ? textOf(attributes, 'units') : null
  const time = units === null ? null : timeDecoding(units, textOf(attributes, 'calendar'))
  return { stored, fills: [...new Set(fills)], packing, time }
}

/** Null: the numbers are not packed. */
function packingOf(
  stored: NumericElement,
  attributes: readonly Attribute[],
  isNanNull: boolean,
): Packing | null {
  const scale = numberOf(attributes, 'scale_factor')
  const offset = numberOf(attributes, 'add_offset')
  if (scale === null && offset === null) return null
  const packing = { scale: Number(scale ?? 1), offset: Number(offset ?? 0) }
  return { ...packing, bits: bitsOf(stored, attributes), isNanNull: isNanNull && mayBeNan(stored, packing) }
}

/**
 * The precision in which xarray unpacks: that of a factor of 32 bits alone, whatever is packed, or of both numbers where the packed
 * integers fit its 24 bits. An offset alone, and numbers of different types, give 64 bits.
 */
function bitsOf(stored: NumericElement, attributes: readonly Attribute[]): 32 | 64 {
  if (!isSingle(attributes, 'scale_factor')) return 64
  if (numberOf(attributes, 'add_offset') === null) return 32
  const fits = stored.kind === 'int' && stored.bits <= 16
  return fits && isSingle(attributes, 'add_offset') ? 32 : 64
}

function isSingle(attributes: readonly Attribute[], name: string): boolean {
  const value = attributes.find((each) => each.name === name)?.value
  return value?.kind === 'numbers' && value.element.kind === 'float' && value.element.bits === 32
}

/** Without NaN among the packed ones, only infinite numbers give one. */
function mayBeNan(stored: NumericElement, { scale, offset }: Pick<Packing, 'scale' | 'offset'>): boolean {
  return stored.kind === 'float' || !Number.isFinite(scale) || !Number.isFinite(offset)
}

/** The type of the decoded values. */
export function decodedType({ stored, packing, time }: Decoding): DataType {
  if (packing !== null) return { kind: 'float', bits: 64 }
  return time === null ? stored : { kind: 'timestamp', unit: 'nanosecond', zone: null }
}

/** NetCDF-3 has no unsigned integers, and some servers have no signed bytes. `_Unsigned` says what is meant. */
function withSign(element: NumericElement, unsigned: string | null): NumericElement {
  const means = unsigned?.trim().toLowerCase()
  if (element.kind === 'float' || (means !== 'true' && means !== 'false')) return element
  return { ...element, signed: means === 'false' }
}

/**
 * A fill value as a number of the stored type. Null: no stored number is equal to it. `isAnySign`: the fill may be written with
 * the other sign, because `_Unsigned` has changed that of the array.
 */
function comparableTo(
  stored: NumericElement,
  fill: number | bigint,
  isAnySign: boolean,
): number | bigint | null {
  if (stored.kind === 'float') return stored.bits === 32 ? Math.fround(Number(fill)) : Number(fill)
  if (typeof fill === 'number' && !Number.isSafeInteger(fill)) return null
  const { bits, signed } = stored
  const given = BigInt(fill)
  const asSigned = BigInt.asIntN(bits, given)
  const asUnsigned = BigInt.asUintN(bits, given)
  const isOwn = given === (signed ? asSigned : asUnsigned)
  const isOther = given === (signed ? asUnsigned : asSigned)
  if (!isOwn && !(isAnySign && isOther)) return null
  const comparable = signed ? asSigned : asUnsigned
  return bits === 64 ? comparable : Number(comparable)
}
