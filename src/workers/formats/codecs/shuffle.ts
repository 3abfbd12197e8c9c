/**
 * Unshuffles bytes: `shuffled` has the first bytes of all elements, then the second ones, and so on. Bytes behind the
 * last whole element stay where they are.
 */
export function unshuffle(shuffled: Uint8Array, elementBytes: number, target: Uint8Array): void {
  const count = elementBytes > 0 ? Math.floor(shuffled.length / elementBytes) : 0
  for (let byte = 0; byte < elementBytes; byte++)
    for (
      let element = 0, from = byte * count, to = byte;
      element < count;
      element++, from++, to += elementBytes
    )
      target[to] = shuffled[from] ?? 0
  const rest = count * elementBytes
  target.set(shuffled.subarray(rest), rest)
}

/**
 * Unshuffles bits: `shuffled` has the first bits of all elements, then the second ones, and so on. Blosc leaves data as
 * they are if the number of elements is no multiple of 8.
 */
export function unshuffleBits(shuffled: Uint8Array, elementBytes: number, target: Uint8Array): void {
  const count = elementBytes > 0 ? Math.floor(shuffled.length / elementBytes) : 0
  if (count % 8 !== 0) {
    target.set(shuffled)
    return
  }
  const planeBytes = count / 8
  for (let byte = 0; byte < elementBytes; byte++)
    for (let group = 0; group < planeBytes; group++) {
      const from = byte * 8 * planeBytes + group
      // Eight bytes, one of each bit, are turned into eight elements.
      for (let element = 0; element < 8; element++) {
        let value = 0
        for (let bit = 0; bit < 8; bit++)
          value |= (((shuffled[from + bit * planeBytes] ?? 0) >>> element) & 1) << bit
        target[(group * 8 + element) * elementBytes + byte] = value
      }
    }
  const rest = count * elementBytes
  target.set(shuffled.subarray(rest), rest)
}
