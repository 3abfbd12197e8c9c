import { damaged } from '../../../codecs/filter.ts'
import type { ByteCodec } from './byte-codec.ts'

const CHECKSUM_BYTES = 4

/** The polynomial of Castagnoli, its bits in reverse order. */
const POLYNOMIAL = 0x82f6_3b78

/** Eight bytes are taken at once. Table `t` is for a byte that `t` others follow: entries `256 * t` to before `256 * (t + 1)`. */
const TABLES = new Int32Array(8 * 256)
for (let byte = 0; byte < 256; byte++) {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0)
  TABLES[byte] = crc
}
for (let at = 256; at < TABLES.length; at++) {
  const before = TABLES[at - 256] ?? 0
  TABLES[at] = (before >>> 8) ^ (TABLES[before & 255] ?? 0)
}

/** A checksum behind the bytes, which is verified. */
export const CRC32C: ByteCodec = Object.freeze({
  added: CHECKSUM_BYTES,
  decode(stored: Uint8Array) {
    const length = stored.length - CHECKSUM_BYTES
    if (length < 0) throw damaged('crc32c', 'they are too short for a checksum')
    const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
    if (crc32c(view, length) !== view.getUint32(length, true))
      throw damaged('crc32c', 'their checksum is wrong')
    return stored.subarray(0, length)
  },
})

/** CRC-32C of the first `length` bytes. */
function crc32c(view: DataView, length: number): number {
  let crc = -1
  let at = 0
  for (; at + 8 <= length; at += 8) {
    const low = crc ^ view.getInt32(at, true)
    const high = view.getInt32(at + 4, true)
    crc =
      tableAt(7, low) ^
      tableAt(6, low >>> 8) ^
      tableAt(5, low >>> 16) ^
      tableAt(4, low >>> 24) ^
      tableAt(3, high) ^
      tableAt(2, high >>> 8) ^
      tableAt(1, high >>> 16) ^
      tableAt(0, high >>> 24)
  }
  for (; at < length; at++) crc = (crc >>> 8) ^ tableAt(0, crc ^ view.getUint8(at))
  return ~crc >>> 0
}

function tableAt(table: number, byte: number): number {
  return TABLES[256 * table + (byte & 255)] ?? 0
}
