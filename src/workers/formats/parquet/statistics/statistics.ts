import type { ColumnStatistics } from '../../../../plan/source/statistics.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type ColumnMetaData, PhysicalType, statistics as statisticsCodec } from '../metadata/metadata.ts'
import type { Leaf } from '../metadata/schema.ts'
import { decode } from '../metadata/thrift.ts'

/**
 * The statistics of a column chunk, as far as they can be relied on; null if none can. Throws `unreadable_file` if they cannot
 * be decoded. What has to be observed:
 * - Text bounds may be cut short: they are bounds, and need not occur as values.
 * - The older pair `min` and `max` was compared as signed bytes, so it is valid for signed numbers only.
 * - INT96 and intervals have no order.
 * - Bounds do not count NaN, and a bound that is NaN says nothing.
 * - The sign of a zero may be lost, so a zero bound stands for both zeros.
 */
export function columnStatistics(leaf: Leaf, chunk: ColumnMetaData): ColumnStatistics | null {
  if (chunk.statistics === undefined) return null
  const statistics = decode(statisticsCodec, chunk.statistics)
  const isSigned = isOrderedAsSigned(leaf)
  const bounds = boundsOf(
    leaf,
    statistics.minValue ?? (isSigned ? statistics.min : undefined),
    statistics.maxValue ?? (isSigned ? statistics.max : undefined),
  )
  const nulls = statistics.nullCount
  const isCounted = nulls !== undefined && nulls >= 0 && nulls <= chunk.values
  if (bounds === null && !isCounted) return null
  return {
    ...bounds,
    ...(bounds?.min && isExact(leaf, statistics.isMinExact) && { isMinExact: true }),
    ...(bounds?.max && isExact(leaf, statistics.isMaxExact) && { isMaxExact: true }),
    ...(isCounted ? { nulls } : {}),
  }
}

/** Whether a bound is a value that occurs, and none lies beyond it. Text may be cut short, and NaN lies beyond all floats. */
function isExact({ stored }: Leaf, isSaidToBe: boolean | undefined): boolean {
  switch (stored.kind) {
    case 'float':
      return false
    case 'utf8':
    case 'binary':
    case 'fixed_binary':
    case 'uuid':
      return isSaidToBe === true
    default:
      return isSaidToBe !== false
  }
}

/** Decodes a pair of bounds, which are in PLAIN encoding. Null: neither can be relied on. */
export function boundsOf(
  leaf: Leaf,
  min: Uint8Array | undefined,
  max: Uint8Array | undefined,
): { readonly min?: Scalar; readonly max?: Scalar } | null {
  const low = min === undefined ? null : scalarOf(leaf, min)
  const high = max === undefined ? null : scalarOf(leaf, max)
  // The writer had another order, so neither bound can be relied on.
  if (low && high && compare(low, high) > 0) return null
  if (low === null && high === null) return null
  return {
    ...(low === null ? {} : { min: widen(low, -0) }),
    ...(high === null ? {} : { max: widen(high, 0) }),
  }
}

/** The bound, or `zero` in place of either zero. */
function widen(bound: Scalar, zero: number): Scalar {
  return bound.kind === 'float' && bound.value === 0 ? { kind: 'float', value: zero } : bound
}

function scalarOf(leaf: Leaf, bytes: Uint8Array): Scalar | null {
  const { stored, type, element } = leaf
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  switch (stored.kind) {
    case 'bool':
      return bytes.length === 1 ? { kind: 'bool', value: view.getUint8(0) !== 0 } : null
    case 'float': {
      if (bytes.length !== stored.bits / 8) return null
      const value = readFloat(view, stored.bits)
      return Number.isNaN(value) ? null : { kind: 'float', value }
    }
    case 'utf8':
    case 'binary':
    case 'fixed_binary':
    case 'uuid':
      return { kind: 'bytes', value: bytes }
    case 'decimal':
      if (element.type === PhysicalType.byteArray || element.type === PhysicalType.fixedLenByteArray)
        return bytes.length === 0 || bytes.length > 32 ? null : { kind: 'int', value: bigEndian(bytes) }
      return integer(view, leaf)
    case 'int':
    case 'time':
    case 'date':
    case 'timestamp': {
      const days = integer(view, leaf)
      // Days, which the Arrow schema makes milliseconds of (metadata/hint.ts).
      const isScaled = stored.kind === 'date' && type.kind === 'date' && type.unit === 'millisecond'
      return days && isScaled ? { kind: 'int', value: days.value * 86_400_000n } : days
    }
    default:
      return null
  }
}

function integer(
  view: DataView,
  { stored, element }: Leaf,
): { readonly kind: 'int'; readonly value: bigint } | null {
  const isUnsigned = stored.kind === 'int' && !stored.signed
  if (element.type === PhysicalType.int32 && view.byteLength === 4)
    return { kind: 'int', value: BigInt(isUnsigned ? view.getUint32(0, true) : view.getInt32(0, true)) }
  if (element.type === PhysicalType.int64 && view.byteLength === 8)
    return { kind: 'int', value: isUnsigned ? view.getBigUint64(0, true) : view.getBigInt64(0, true) }
  return null
}

function bigEndian(bytes: Uint8Array): bigint {
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

function readFloat(view: DataView, bits: 16 | 32 | 64): number {
  if (bits === 64) return view.getFloat64(0, true)
  return bits === 32 ? view.getFloat32(0, true) : float16(view.getUint16(0, true))
}

/** The value of an IEEE 754 binary16. */
function float16(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 31
  const fraction = half & 1023
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}

/** Whether values have the order of signed bytes or numbers, so that the deprecated bounds are valid. */
function isOrderedAsSigned({ stored, element }: Leaf): boolean {
  switch (stored.kind) {
    case 'bool':
    case 'float':
    case 'date':
    case 'time':
    case 'timestamp':
      return element.type !== PhysicalType.fixedLenByteArray
    case 'int':
      return stored.signed
    case 'decimal':
      return element.type === PhysicalType.int32 || element.type === PhysicalType.int64
    default:
      return false
  }
}

function compare(a: Scalar, b: Scalar): number {
  if (a.kind === 'bytes' && b.kind === 'bytes') return Buffer.compare(a.value, b.value)
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0
}
