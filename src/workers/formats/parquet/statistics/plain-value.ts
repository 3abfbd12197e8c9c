import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, sameType, valueType } from '../../../../plan/types/schema.ts'
import { PhysicalType } from '../metadata/metadata.ts'
import type { Leaf } from '../metadata/schema.ts'

/**
 * The PLAIN encodings, without a length, that a value of a scan's column may have in a leaf. Empty: the leaf cannot hold the
 * value. Null: they are not known for certain.
 */
export function plainValues(leaf: Leaf, type: DataType, value: Scalar): readonly Uint8Array[] | null {
  const { element, stored } = leaf
  const isInteger = leaf.type.kind === 'int' && type.kind === 'int'
  if (!isInteger && !sameType(valueType(leaf.type), valueType(type))) return null
  // The leaf stores days, and the Arrow schema makes milliseconds of them (metadata/hint.ts).
  if (stored.kind === 'date' && type.kind === 'date' && type.unit === 'millisecond') return null
  switch (element.type) {
    case PhysicalType.int32:
      // The format does not say how unsigned integers of 8 and 16 bits are extended to 32.
      if (stored.kind === 'int' && !stored.signed && stored.bits < 32) return null
      return value.kind === 'int' ? integers(value.value, 4, isUnsigned(stored)) : null
    case PhysicalType.int64:
      return value.kind === 'int' ? integers(value.value, 8, isUnsigned(stored)) : null
    case PhysicalType.float:
      return value.kind === 'float' ? floats(value.value, (each) => Float32Array.of(each)) : null
    case PhysicalType.double:
      return value.kind === 'float' ? floats(value.value, (each) => Float64Array.of(each)) : null
    case PhysicalType.byteArray:
      return value.kind === 'bytes' ? [value.value] : null
    case PhysicalType.fixedLenByteArray:
      if (value.kind !== 'bytes') return null
      return value.value.length === element.typeLength ? [value.value] : []
    default:
      return null
  }
}

function isUnsigned(stored: DataType): boolean {
  return stored.kind === 'int' && !stored.signed
}

function integers(value: bigint, width: 4 | 8, isUnsigned: boolean): readonly Uint8Array[] {
  const bits = width * 8
  if (value !== (isUnsigned ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value))) return []
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true)
  return [bytes.subarray(0, width)]
}

/** The encodings of a float: both zeros for a zero. Null: NaN, which has many. */
function floats(
  value: number,
  array: (value: number) => Float32Array | Float64Array,
): readonly Uint8Array[] | null {
  if (Number.isNaN(value)) return null
  return (value === 0 ? [0, -0] : [value]).map((each) => new Uint8Array(array(each).buffer))
}
