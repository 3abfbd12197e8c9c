import { type DecodeFilter, damaged } from './filter.ts'
import { copyOut, inflateLz4Block } from './in-core.ts'

const decodeBlock = copyOut(inflateLz4Block)

/** The size of all data and that of a block, in front of the blocks. */
const HEADER_BYTES = 12

/** Filter 32004: blocks of LZ4, each behind its stored size. A block that compression would not make smaller is stored as it is. */
export const decodeLz4: DecodeFilter = (stored, size, _values, core) => {
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
    else block.set(decodeBlock(input, { bytes: block.length, isExact: true }, core))
    at += length
  }
  return output
}
