import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, sameType } from '../../../../plan/types/schema.ts'
import type { StoredArray } from '../entries/stored-array.ts'
import { widthOf } from '../types.ts'

/** Reads values of an array, in its type. Null: a value is null, or of a type that has no bounds. */
export function valueReader(array: StoredArray): (element: number) => Scalar | null {
  const { validity } = array
  const read = plainReader(array)
  return (element) => (validity === null || bitAt(validity, element) ? read(element) : null)
}

function plainReader({ type, offsets, values }: StoredArray): (element: number) => Scalar | null {
  if (type.kind === 'bool') return (element) => ({ kind: 'bool', value: bitAt(values, element) })
  const view = new DataView(values.buffer, values.byteOffset, values.length)
  if (type.kind === 'utf8' && offsets !== null) {
    const places = new DataView(offsets.buffer, offsets.byteOffset, offsets.length)
    return (element) => {
      const [from, to] = [places.getInt32(4 * element, true), places.getInt32(4 * element + 4, true)]
      const isInside = from >= 0 && to >= from && to <= values.length
      return isInside ? { kind: 'bytes', value: values.slice(from, to) } : null
    }
  }
  const width = widthOf(type)
  if (width === null) return () => null
  if (type.kind === 'float')
    return width === 4
      ? (element) => ({ kind: 'float', value: view.getFloat32(4 * element, true) })
      : (element) => ({ kind: 'float', value: view.getFloat64(8 * element, true) })
  const signed = type.kind === 'timestamp' || (type.kind === 'int' && type.signed)
  return (element) => ({ kind: 'int', value: integerAt(view, width * element, width, signed) })
}

function bitAt(bitmap: Uint8Array, index: number): boolean {
  return (((bitmap[index >> 3] ?? 0) >> (index & 7)) & 1) === 1
}

function integerAt(view: DataView, at: number, width: number, signed: boolean): bigint {
  switch (width) {
    case 1:
      return BigInt(signed ? view.getInt8(at) : view.getUint8(at))
    case 2:
      return BigInt(signed ? view.getInt16(at, true) : view.getUint16(at, true))
    case 4:
      return BigInt(signed ? view.getInt32(at, true) : view.getUint32(at, true))
    default:
      return signed ? view.getBigInt64(at, true) : view.getBigUint64(at, true)
  }
}

/** Makes a bound of values of one type a bound of these values in another. Null: it is not known. */
export type BoundConversion = (bound: Scalar) => Scalar | null

/**
 * How bounds in the type of the index become those of a column. Null: they say nothing about it. Values may have been converted from types
 * that the index does not say, which keeps the order of numbers, but not that of text.
 */
export function boundConversion(from: DataType, to: DataType, isAlwaysText: boolean): BoundConversion | null {
  if (from.kind === 'utf8' || to.kind === 'utf8')
    return isAlwaysText && from.kind === 'utf8' && to.kind === 'utf8' ? (bound) => bound : null
  if (sameType(from, to)) return from.kind === 'float' ? unlessNaN : (bound) => bound
  if (!isNumber(from) || !isNumber(to)) return null
  if (to.kind === 'float') {
    const rounded = to.bits === 32 ? Math.fround : (value: number) => value
    return (bound) => unlessNaN({ kind: 'float', value: rounded(Number(bound.value)) })
  }
  if (from.kind !== 'float') return (bound) => (isWithin(bound, to) ? bound : null)
  return (bound) => {
    const value = Number(bound.value)
    if (!Number.isSafeInteger(Math.trunc(value))) return null
    const whole: Scalar = { kind: 'int', value: BigInt(Math.trunc(value)) }
    return isWithin(whole, to) ? whole : null
  }
}

function unlessNaN(bound: Scalar): Scalar | null {
  return bound.kind === 'float' && Number.isNaN(bound.value) ? null : bound
}

function isNumber({ kind }: DataType): boolean {
  return kind === 'int' || kind === 'float'
}

/** A value that does not fit is null, so a bound that does not is none. */
function isWithin(bound: Scalar, type: DataType): boolean {
  if (bound.kind !== 'int' || type.kind !== 'int') return false
  const { bits, signed } = type
  const held = signed ? BigInt.asIntN(bits, bound.value) : BigInt.asUintN(bits, bound.value)
  return held === bound.value
}

/** What is known of the values of an entry. `ONLY_NULLS`: it has no others. Null: nothing. */
export type EntryStatistics = ColumnStatistics | null

/** All values are null. The number of rows is not known; 1 stands for it. */
export const ONLY_NULLS: ColumnStatistics = Object.freeze({ nulls: 1 })
