import { copyLiterals, copyMatch } from './copy.ts'
import { type DecodeFilter, damaged } from './filter.ts'

const MIN_MATCH = 4

/** Decodes a block of LZ4 to `output`. Returns the number of decoded bytes. Throws `unreadable_file`. */
export function decodeLz4Block(input: Uint8Array, output: Uint8Array): number {
  const [inputEnd, outputEnd] = [input.length, output.length]
  let at = 0
  let to = 0

  /** A length of four bits, and of the bytes that follow if they are all set. */
  function lengthOf(nibble: number): number {
    let length = nibble
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; length += byte) {
      if (at >= inputEnd) throw damaged('LZ4')
      byte = input[at++] ?? 0
    }
    return length
  }

  for (;;) {
    if (at >= inputEnd) throw damaged('LZ4')
    const token = input[at++] ?? 0
    const literals = lengthOf(token >>> 4)
    if (literals > inputEnd - at || literals > outputEnd - to) throw damaged('LZ4')
    copyLiterals(input, at, output, to, literals)
    at += literals
    to += literals
    // The last sequence has no match.
    if (at === inputEnd) return to
    const distance = (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8)
    at += 2
    const length = lengthOf(token & 15) + MIN_MATCH
    if (at > inputEnd || distance === 0 || distance > to || length > outputEnd - to) throw damaged('LZ4')
    copyMatch(output, to, distance, length)
    to += length
  }
}

/** The size of all data and that of a block, in front of the blocks. */
const HEADER_BYTES = 12

/** Filter 32004: blocks of LZ4, each behind its stored size. A block that compression would not make smaller is stored as it is. */
export const decodeLz4: DecodeFilter = (stored, size) => {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
  if (stored.length < HEADER_BYTES || view.getUint32(0) !== 0) throw damaged('LZ4')
  const bytes = view.getUint32(4)
  const blockBytes = view.getUint32(8)
  if (bytes > size.bytes || (blockBytes === 0 && bytes > 0)) throw damaged('LZ4')
  const output = new Uint8Array(bytes)
  for (let to = 0, at = HEADER_BYTES; to < bytes; to += blockBytes) {
    if (at + 4 > stored.length) throw damaged('LZ4')
    const block = output.subarray(to, to + blockBytes)
    const length = view.getUint32(at)
    at += 4
    if (length > stored.length - at) throw damaged('LZ4')
    const input = stored.subarray(at, at + length)
    if (length === block.length) block.set(input)
    else if (decodeLz4Block(input, block) !== block.length) throw damaged('LZ4')
    at += length
  }
  return output
}
