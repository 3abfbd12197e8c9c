import type { Attribute, AttributeValue } from '../arrays/array-file.ts'
import type { ExternalType } from './external-types.ts'
import type { HeaderCursor } from './header-cursor.ts'
import { paddingOf } from './padding.ts'

/** An attribute with more numbers is left out: 1 MiB of 64-bit ones, as in HDF5. */
const MAX_NUMBERS = 131_072

/** Reads the value of an attribute of `count` elements. Null: it is one that is left out. Throws `unreadable_file`. */
export function readAttribute(
  name: string,
  type: ExternalType,
  count: number,
  cursor: HeaderCursor,
): Attribute | null {
  const length = count * type.bytes
  const isRead = type.element.kind === 'char' || (count > 0 && count <= MAX_NUMBERS)
  const value = isRead ? readValue(name, type, length, cursor) : null
  if (!isRead) cursor.skip(length)
  cursor.skip(paddingOf(length))
  return value && { name, value }
}

function readValue(
  name: string,
  { element, bytes }: ExternalType,
  length: number,
  cursor: HeaderCursor,
): AttributeValue {
  if (element.kind === 'char')
    return { kind: 'text', value: cursor.ascii(length) ?? textIn(name, cursor.take(length)) }
  const read = numberReader(element, cursor.take(length))
  const values = Array.from({ length: length / bytes }, (_, index) => read(index * bytes))
  return { kind: 'numbers', element, values }
}

/** The fill value is an element of one byte, and any byte is one. */
function textIn(name: string, { buffer, byteOffset, byteLength }: DataView): string {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  return name === '_FillValue' ? bytes.toString('latin1') : textOf(bytes)
}

/** Bytes that are no UTF-8 become U+FFFD, and NUL is left out, as netCDF4-python does both. */
export function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString().replaceAll('\0', '')
}

function numberReader(
  element: Extract<ExternalType['element'], { kind: 'int' | 'float' }>,
  stored: DataView,
): (at: number) => number | bigint {
  const { bits } = element
  if (element.kind === 'float')
    return bits === 32 ? (at) => stored.getFloat32(at) : (at) => stored.getFloat64(at)
  const { signed } = element
  if (bits === 8) return signed ? (at) => stored.getInt8(at) : (at) => stored.getUint8(at)
  if (bits === 16) return signed ? (at) => stored.getInt16(at) : (at) => stored.getUint16(at)
  if (bits === 32) return signed ? (at) => stored.getInt32(at) : (at) => stored.getUint32(at)
  return signed ? (at) => stored.getBigInt64(at) : (at) => stored.getBigUint64(at)
}
