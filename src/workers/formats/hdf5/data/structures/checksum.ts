import { fault } from '../../../fault.ts'

/** Throws `unreadable_file` unless the last four bytes of a structure are the checksum of those before. */
export function requireChecksum(structure: DataView, signature: string): void {
  const end = structure.byteLength - 4
  if (end < 0 || structure.getUint32(end, true) !== lookup3(structure, end))
    throw fault(`a structure ${signature}${signature && ' '}has a wrong checksum`)
}

/** The hash by which the library of HDF5 checks its structures: `hashlittle` of Bob Jenkins' lookup3, from 0 on. */
export function lookup3(view: DataView, length: number): number {
  let a = (0xdeadbeef + length) | 0
  let b = a
  let c = a
  let at = 0
  for (; length - at > 12; at += 12) {
    a = (a + view.getInt32(at, true)) | 0
    b = (b + view.getInt32(at + 4, true)) | 0
    c = (c + view.getInt32(at + 8, true)) | 0
    a = ((a - c) | 0) ^ rotate(c, 4)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotate(a, 6)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotate(b, 8)
    b = (b + a) | 0
    a = ((a - c) | 0) ^ rotate(c, 16)
    c = (c + b) | 0
    b = ((b - a) | 0) ^ rotate(a, 19)
    a = (a + c) | 0
    c = ((c - b) | 0) ^ rotate(b, 4)
    b = (b + a) | 0
  }
  if (at === length) return c >>> 0
  a = (a + restAt(view, at, length)) | 0
  b = (b + restAt(view, at + 4, length)) | 0
  c = (c + restAt(view, at + 8, length)) | 0
  c = ((c ^ b) - rotate(b, 14)) | 0
  a = ((a ^ c) - rotate(c, 11)) | 0
  b = ((b ^ a) - rotate(a, 25)) | 0
  c = ((c ^ b) - rotate(b, 16)) | 0
  a = ((a ^ c) - rotate(c, 4)) | 0
  b = ((b ^ a) - rotate(a, 14)) | 0
  c = ((c ^ b) - rotate(b, 24)) | 0
  return c >>> 0
}

/** Up to four bytes of those before `end`, as a number. Those behind are zeros. */
function restAt(view: DataView, at: number, end: number): number {
  if (at + 4 <= end) return view.getInt32(at, true)
  let rest = 0
  for (let byte = 0; at + byte < end; byte++) rest |= view.getUint8(at + byte) << (8 * byte)
  return rest
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
