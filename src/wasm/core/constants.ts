import type { Scalar } from '../../plan/types/scalar.ts'
import type { DataType } from '../../plan/types/schema.ts'

/** Bytes of an integer constant, for columns of any width. */
const INTEGER_BYTES = 32

/**
 * Encodes constants as `compare/constants.rs` reads them, little endian: an integer in 32 bytes, a boolean as the integer 0 or
 * 1, a float in 8 bytes, and a byte string as its length in 4 bytes and its bytes.
 */
export function constantBytes(values: readonly Scalar[]): Uint8Array {
  return Buffer.concat(values.map(argumentBytes))
}

function argumentBytes(value: Scalar): Uint8Array {
  switch (value.kind) {
    case 'bool':
      return integerBytes(value.value ? 1n : 0n, INTEGER_BYTES)
    case 'int':
      return integerBytes(value.value, INTEGER_BYTES)
    case 'float':
      return rawBytes(Float64Array.of(value.value))
    case 'bytes':
      return Buffer.concat([rawBytes(Uint32Array.of(value.value.length)), value.value])
  }
}

/** Compares constants of one kind, for sorting: byte strings byte by byte, NaN as the greatest number. */
export function compareConstants(a: Scalar, b: Scalar): number {
  if (a.kind === 'bytes' && b.kind === 'bytes') return Buffer.compare(a.value, b.value)
  if (Number.isNaN(a.value) || Number.isNaN(b.value))
    return Number(Number.isNaN(a.value)) - Number(Number.isNaN(b.value))
  return a.value < b.value ? -1 : Number(a.value > b.value)
}

/** The bytes of a value in a column with values of `width` bytes. */
export function valueBytes(type: DataType, value: Scalar, width: number): Uint8Array {
  switch (value.kind) {
    case 'bool':
      return Uint8Array.of(value.value ? 1 : 0)
    case 'int':
      return integerBytes(value.value, width)
    case 'float':
      return floatBytes(value.value, type.kind === 'float' ? type.bits : 64)
    case 'bytes':
      return value.value
  }
}

/** The value of bytes from a column of the type. */
export function scalarOf(type: DataType, bytes: Uint8Array): Scalar {
  switch (type.kind) {
    case 'dictionary':
      return scalarOf(type.value, bytes)
    case 'bool':
      return { kind: 'bool', value: bytes[0] === 1 }
    case 'int':
      return { kind: 'int', value: integerOf(bytes, type.signed) }
    case 'decimal':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'duration':
      return { kind: 'int', value: integerOf(bytes, true) }
    case 'float':
      return { kind: 'float', value: floatOf(bytes) }
    default:
      return { kind: 'bytes', value: bytes }
  }
}

function integerOf(bytes: Uint8Array, signed: boolean): bigint {
  const value = bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
  return signed ? BigInt.asIntN(bytes.length * 8, value) : value
}

function floatOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length === 8) return view.getFloat64(0, true)
  return bytes.length === 4 ? view.getFloat32(0, true) : halfValue(view.getUint16(0, true))
}

/** The value of a binary16. */
function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
}

/** An integer in two's complement, little endian. */
function integerBytes(value: bigint, width: number): Uint8Array {
  const bytes = new Uint8Array(width)
  let rest = BigInt.asUintN(width * 8, value)
  for (let i = 0; i < width; i++) {
    bytes[i] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return bytes
}

function floatBytes(value: number, bits: 16 | 32 | 64): Uint8Array {
  if (bits === 64) return rawBytes(Float64Array.of(value))
  const single = Float32Array.of(value)
  return bits === 32
    ? rawBytes(single)
    : rawBytes(Uint16Array.of(halfBits(new Uint32Array(single.buffer)[0] ?? 0)))
}

/** Converts the bits of a binary32 to binary16. A value between two binary16 values is rounded towards zero. */
function halfBits(bits: number): number {
  const sign = (bits >>> 16) & 0x8000
  const exponent = ((bits >>> 23) & 0xff) - 127 + 15
  const fraction = bits & 0x7fffff
  if (exponent === 0xff - 127 + 15) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200)
  if (exponent >= 0x1f) return sign | 0x7c00
  if (exponent > 0) return sign | (exponent << 10) | (fraction >>> 13)
  // Subnormal: the hidden bit becomes explicit.
  return exponent < -10 ? sign : sign | ((fraction | 0x800000) >>> (14 - exponent))
}

function rawBytes(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}
