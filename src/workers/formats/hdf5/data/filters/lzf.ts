import { copyLiterals, copyMatch } from '../../../codecs/copy.ts'
import { type DecodeFilter, damaged } from '../../../codecs/filter.ts'

/** Filter 32000, which h5py has brought: LZF. */
export const decodeLzf: DecodeFilter = (input, size) => {
  const output = new Uint8Array(size.bytes)
  let to = 0
  for (let at = 0; at < input.length; ) {
    const control = input[at++] ?? 0
    if (control < 32) {
      const length = control + 1
      if (length > input.length - at || length > output.length - to) throw damaged('LZF')
      copyLiterals(input, at, output, to, length)
      at += length
      to += length
      continue
    }
    let length = (control >>> 5) + 2
    if (length === 9) length += input[at++] ?? 0
    const distance = ((control & 31) << 8) + (input[at++] ?? 0) + 1
    if (at > input.length || distance > to || length > output.length - to) throw damaged('LZF')
    copyMatch(output, to, distance, length)
    to += length
  }
  return output.subarray(0, to)
}
