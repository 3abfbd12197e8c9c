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
  /** The value is `stored * scale + offset`, a 64-bit float. */
  readonly packing: { readonly scale: number; readonly offset: number } | null
  readonly time: TimeDecoding | null
}

const FILLS = ['_FillValue', 'missing_value'] as const

/** How the attributes of an array say that its numbers are decoded (docs/reference/netcdf.md, "Values"). */
export function decodingOf(element: NumericElement, attributes: readonly Attribute[]): Decoding {
  const stored = withSign(element, textOf(attributes, '_Unsigned'))
  const fills = FILLS.flatMap((name) => {
    const fill = numberOf(attributes, name)
    const comparable = fill === null ? null : comparableTo(stored, fill, stored !== element)
    return comparable === null ? [] : [comparable]
  })
  const scale = numberOf(attributes, 'scale_factor')
  const offset = numberOf(attributes, 'add_offset')
  const isPacked = scale !== null || offset !== null
  const packing = isPacked ? { scale: Number(scale ?? 1), offset: Number(offset ?? 0) } : null
  const units = packing === null ? textOf(attributes, 'units') : null
  const time = units === null ? null : timeDecoding(units, textOf(attributes, 'calendar'))
  return { stored, fills: [...new Set(fills)], packing, time }
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
