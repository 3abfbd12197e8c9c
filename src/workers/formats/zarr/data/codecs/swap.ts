/** The bytes of elements in the other order. */
export function swapped(bytes: Uint8Array, elementBytes: number): Uint8Array {
  const target = Buffer.from(bytes)
  if (elementBytes === 2) return target.swap16()
  if (elementBytes === 4) return target.swap32()
  return elementBytes === 8 ? target.swap64() : target
}
