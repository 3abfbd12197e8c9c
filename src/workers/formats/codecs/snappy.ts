import { copyLiterals, copyMatch } from './copy.ts'
import { damaged } from './filter.ts'

/** Decodes a block of Snappy to `output`. Returns the number of decoded bytes. Throws `unreadable_file`. */
export function decodeSnappy(input: Uint8Array, output: Uint8Array): number {
  let at = 0
  // The length of the output, seven bits a byte. It is checked by what comes out.
  while (at < 5 && (input[at] ?? 0) >= 0x80) at++
  at++

  /** A little-endian number. */
  function uint(bytes: number): number {
    let value = 0
    for (let byte = 0; byte < bytes; byte++) value += (input[at + byte] ?? 0) * 256 ** byte
    at += bytes
    return value
  }

  let to = 0
  while (at < input.length) {
    const tag = input[at++] ?? 0
    const kind = tag & 3
    const high = tag >>> 2
    if (kind === 0) {
      const length = 1 + (high < 60 ? high : uint(high - 59))
      if (length > input.length - at || length > output.length - to) throw damaged('Snappy')
      copyLiterals(input, at, output, to, length)
      at += length
      to += length
      continue
    }
    const length = kind === 1 ? 4 + (high & 7) : 1 + high
    const distance = kind === 1 ? ((high >>> 3) << 8) + uint(1) : uint(kind === 2 ? 2 : 4)
    if (at > input.length || distance === 0 || distance > to || length > output.length - to)
      throw damaged('Snappy')
    copyMatch(output, to, distance, length)
    to += length
  }
  return to
}
