import { type CheckDecoded, type CheckStored, damaged } from '../../../codecs/filter.ts'

/** `BZh` and the size of blocks in 100 000 bytes. Behind it, a block begins with 48 bits and its checksum. */
const BEGIN = /^BZh[1-9]/
const BLOCK_CHECKSUM_AT = 10

/** Behind the last block, at any bit: these 48 bits, a checksum of 32 bits, and at most 7 bits more. */
const END = 0x1772_4538_5090n
const CHECKSUM_BITS = 32n
const MOST_SPARE_BITS = 7n
const END_BYTES = 11

/** Filter 307. The plugin never returns if the stream has no end. Its size is not stored. */
export const checkBzip2: CheckStored = (stored) => {
  const begin = String.fromCharCode(...stored.subarray(0, 4))
  if (!BEGIN.test(begin) || stored.length < BLOCK_CHECKSUM_AT + 4 || streamChecksum(stored) === null)
    throw damaged('bzip2')
}

/** A stream of one block, which has up to 900 kB, has a checksum of the decoded bytes. Those of longer ones are not known from outside. */
export const checkBzip2Decoded: CheckDecoded = (stored, decoded) => {
  const ofStream = streamChecksum(stored)
  const ofBlock = new DataView(stored.buffer, stored.byteOffset).getUint32(BLOCK_CHECKSUM_AT)
  if (ofBlock === ofStream && checksumOf(decoded) !== ofBlock) throw damaged('bzip2')
}

/** The checksum at the end, which is that of the block if there is one alone. Null: there is no end. */
function streamChecksum(stored: Uint8Array): number | null {
  const last = stored.subarray(-END_BYTES).reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n)
  for (let spare = 0n; spare <= MOST_SPARE_BITS; spare++) {
    const bits = last >> spare
    if (((bits >> CHECKSUM_BITS) & 0xffff_ffff_ffffn) === END) return Number(bits & 0xffff_ffffn)
  }
  return null
}

/** The CRC of bzip2, whose bits are in the other order than those of zlib's. */
function checksumOf(bytes: Uint8Array): number {
  let crc = -1
  for (const byte of bytes) crc = (crc << 8) ^ (TABLE[(crc >>> 24) ^ byte] ?? 0)
  return ~crc >>> 0
}

const POLYNOMIAL = 0x04c1_1db7

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ POLYNOMIAL : crc << 1
  return crc
})
