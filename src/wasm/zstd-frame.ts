const MAGIC = 0xfd2fb528

/** The byte at which the first block of a Zstandard frame begins (RFC 8878, 3.1.1). Null: the bytes are not a frame. */
export function firstBlock(stored: Uint8Array): number | null {
  if (stored.length < 8) return null
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
  if (view.getUint32(0, true) !== MAGIC) return null
  const descriptor = view.getUint8(4)
  const windowBytes = isSingle(descriptor) ? 0 : 1
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const sizeFlag = descriptor >> 6
  const sizeBytes = sizeFlag === 0 ? (isSingle(descriptor) ? 1 : 0) : 1 << sizeFlag
  return 5 + windowBytes + dictionaryBytes + sizeBytes
}

/** Whether the bytes are one whole frame that has its inflated size. */
export function isWholeSizedFrame(stored: Uint8Array): boolean {
  let at = firstBlock(stored)
  if (at === null) return false
  const descriptor = stored[4] ?? 0
  if (descriptor >> 6 === 0 && !isSingle(descriptor)) return false
  for (;;) {
    const block = blockAt(stored, at)
    at = block.end
    if (at > stored.length) return false
    if (block.isLast) return at + (descriptor & 4) === stored.length
  }
}

/** A block of a frame: whether it is the last one, and the byte after it. Where no bytes are left it is the last. */
export function blockAt(stored: Uint8Array, at: number): { readonly isLast: boolean; readonly end: number } {
  const header = (stored[at] ?? 1) | ((stored[at + 1] ?? 0) << 8) | ((stored[at + 2] ?? 0) << 16)
  const isRepeated = ((header >> 1) & 3) === 1
  return { isLast: (header & 1) === 1, end: at + 3 + (isRepeated ? 1 : header >> 3) }
}

/** Whether the whole output is the window. Then there is no byte for the size of the window. */
function isSingle(descriptor: number): boolean {
  return (descriptor & 32) !== 0
}
