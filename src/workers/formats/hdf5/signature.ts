import type { ByteSource } from '../../store/byte-source.ts'

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]

/** The library looks for the signature at 0, and at this offset and its doublings: a block of the user may come before it. */
const FIRST_USER_BLOCK = 512

/** Where the signature of HDF5 is in a file. Null: nowhere. */
export function signatureOffset(source: ByteSource): number | null {
  for (let at = 0; at + SIGNATURE.length <= source.size; at = at === 0 ? FIRST_USER_BLOCK : 2 * at) {
    const bytes = source.read(at, SIGNATURE.length)
    if (SIGNATURE.every((byte, index) => bytes[index] === byte)) return at
  }
  return null
}

export function hasSignature(source: ByteSource): boolean {
  return signatureOffset(source) !== null
}
