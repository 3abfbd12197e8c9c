/** The order of the UTF-8 bytes of two texts, as a comparison for sorting. */
export function byUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (left === right) continue
    // UTF-16 has the same order, but for characters beyond U+FFFF, which it writes as surrogates from U+D800 on.
    if (left < 0xd800 && right < 0xd800) return left - right
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  return a.length - b.length
}
