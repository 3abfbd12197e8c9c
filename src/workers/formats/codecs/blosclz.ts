import { copyLiterals, copyMatch } from './copy.ts'
import { damaged } from './filter.ts'

/** Matches up to this distance have 13 bits for it. Those beyond add 16 bits to it. */
const NEAR_DISTANCE = 8191

/** Decodes BloscLZ, the codec that Blosc has of its own, to `output`. Returns the number of decoded bytes. Throws `unreadable_file`. */
export function decodeBloscLz(input: Uint8Array, output: Uint8Array): number {
  let at = 0
  let to = 0
  let isFirst = true
  while (at < input.length) {
    // Data begin with literals. The upper bits of the first byte are the number of the codec's level.
    const control = (input[at++] ?? 0) & (isFirst ? 31 : 255)
    isFirst = false
    if (control < 32) {
      const length = control + 1
      if (length > input.length - at || length > output.length - to) throw damaged('BloscLZ')
      copyLiterals(input, at, output, to, length)
      at += length
      to += length
      continue
    }
    let length = (control >>> 5) + 2
    if (length === 9)
      for (let byte = 255; byte === 255 && at < input.length; length += byte) byte = input[at++] ?? 0
    const low = input[at++] ?? 0
    let distance = ((control & 31) << 8) + low + 1
    if (low === 255 && (control & 31) === 31) {
      distance = ((input[at] ?? 0) << 8) + (input[at + 1] ?? 0) + NEAR_DISTANCE + 1
      at += 2
    }
    if (at > input.length || distance > to || length > output.length - to) throw damaged('BloscLZ')
    copyMatch(output, to, distance, length)
    to += length
  }
  return to
}
